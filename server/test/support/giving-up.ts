import { expect } from 'vitest';

/** A slow machine is late, but not by that much: who waits for what never comes, or for one thing after the other, takes longer. */
const slowestMachine = 4;
const beatMs = 50;

/** By how much this process was late in all: others had its processor, and it waited for nothing. */
function watchLateness(): { ms(): number; end(): void } {
  let lateMs = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    lateMs += Math.max(0, nowMs - lastMs - beatMs);
    lastMs = nowMs;
  }, beatMs);
  return { ms: () => lateMs, end: () => clearInterval(timer) };
}

/** The work ends by itself within about this time, whatever it waits for. How fast it is at best, the benchmark tells. */
export async function givesUpWithin<Value>(seconds: number, work: () => Promise<Value>): Promise<Value> {
  const begun = performance.now();
  const lateness = watchLateness();
  try {
    const value = await work();
    expect(performance.now() - begun - lateness.ms()).toBeLessThan(seconds * 1000 * slowestMachine);
    return value;
  } finally {
    lateness.end();
  }
}
