import { expect } from 'vitest';

/** A slow machine is late, but not by that much: who waits for what never comes, or for one thing after the other, takes longer. */
const slowestMachine = 4;

/** The work ends by itself within about this time, whatever it waits for. How fast it is at best, the benchmark tells. */
export async function givesUpWithin<Value>(seconds: number, work: () => Promise<Value>): Promise<Value> {
  const begun = performance.now();
  const value = await work();
  expect(performance.now() - begun).toBeLessThan(seconds * 1000 * slowestMachine);
  return value;
}
