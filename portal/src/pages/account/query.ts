export const accountKey = ['account'];
export const sessionsKey = ['sessions'];
