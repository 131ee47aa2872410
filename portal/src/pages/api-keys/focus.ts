/** The button that opens the drawer of a key. */
export const rowIdOf = (apiKeyId: string) => `row-${apiKeyId}`;
