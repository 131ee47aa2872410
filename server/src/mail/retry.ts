const firstMs = 10_000;
const mostMs = 3_600_000;
const factor = 3;

/** Soon at first, then ever later; spread, so that what failed together does not come back together. */
export function retryDelayMs(attempts: number, random: () => number = Math.random): number {
  const delayMs = Math.min(firstMs * factor ** Math.min(attempts - 1, 10), mostMs);
  return delayMs * (0.5 + random() / 2);
}
