/** Cloudflare's documented secrets for testing. They are no secrets. */
export const dummySecrets = {
  passes: '1x0000000000000000000000000000000AA',
  fails: '2x0000000000000000000000000000000AA',
  spent: '3x0000000000000000000000000000000AA',
} as const;

export function isDummySecret(secret: string): boolean {
  return Object.values<string>(dummySecrets).includes(secret);
}

/** They give tokens that no real secret takes. */
export function isDummySiteKey(siteKey: string): boolean {
  return /^[123]x0+[A-F]{2}$/.test(siteKey);
}
