const [second, minute, hour] = [1000, 60_000, 3_600_000];

/** How long after each attempt that failed the next one is made; after the last of them none is. */
export const retryDelaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/** Up to a fifth later, so that what failed together does not come back together. Undefined: it is given up. */
export function retryDelayMs(attempts: number, random: () => number = Math.random): number | undefined {
  const delayMs = retryDelaysMs[attempts - 1];
  return delayMs === undefined ? undefined : delayMs * (1 + random() / 5);
}
