/** Cloudflare's documented keys for testing: the stand-in behaves as they make the widget behave. */
export type Challenge = 'cloudflare' | 'passes' | 'fails' | 'interactive';

const dummies: Record<string, Challenge> = {
  '1x00000000000000000000AA': 'passes',
  '2x00000000000000000000AB': 'fails',
  '1x00000000000000000000BB': 'passes',
  '2x00000000000000000000BB': 'fails',
  '3x00000000000000000000FF': 'interactive',
};

/** What a solved challenge of a dummy key gives. */
export const dummyToken = 'XXXX.DUMMY.TOKEN.XXXX';

export function challengeOf(siteKey: string | null): Challenge {
  if (siteKey === null) return 'passes';
  return Object.hasOwn(dummies, siteKey) ? (dummies[siteKey] ?? 'cloudflare') : 'cloudflare';
}
