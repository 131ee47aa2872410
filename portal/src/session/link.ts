/**
 * What a link carries behind its #, which no server and no log sees. Read when the portal is opened: whoever has to sign in first
 * finds it afterwards.
 */
export const linkedText = location.hash.slice(1);
