/** Every scope a key may be given. A test holds this list equal to what the routes require. */
export const scopeCodes = ['transfers:read', 'files:read', 'channel-types:read'] as const;

export type Scope = (typeof scopeCodes)[number];
