import { describe, expect, it } from 'vitest';
import { bytesPerSecondMin, Pace } from './pace.ts';

/** How many seconds a body is waited for that moves so many bytes each time, if not for all of ten days. */
function lastsFor(bytes: number, everySeconds: number, mostSeconds = 30): number {
  const pace = new Pace(mostSeconds * 1000);
  let seconds = 0;
  for (; seconds < 864_000 && pace.leftMs > everySeconds * 1000; seconds += everySeconds) {
    pace.waited(everySeconds * 1000);
    pace.moved(bytes);
  }
  return seconds;
}

describe('the pace of a body', () => {
  it('is enough at the least and above, in drops or in bursts', () => {
    expect(bytesPerSecondMin).toBeLessThanOrEqual(1024);
    for (const [bytes, seconds] of [
      [bytesPerSecondMin, 1],
      [1024, 1],
      [bytesPerSecondMin * 10, 10],
      [65_536, 29],
    ] as const)
      expect([bytes, seconds, lastsFor(bytes, seconds)]).toEqual([
        bytes,
        seconds,
        expect.closeTo(864_000, -2),
      ]);
  });

  it('is too slow below the least, and soon at a trickle', () => {
    expect(lastsFor(1, 15)).toBeLessThanOrEqual(30);
    expect(lastsFor(bytesPerSecondMin / 2, 1)).toBeLessThanOrEqual(60);
    expect(lastsFor(bytesPerSecondMin * 0.9, 1)).toBeLessThanOrEqual(300);
  });

  it('is not made up for by what moved fast before', () => {
    const pace = new Pace(30_000);
    pace.moved(100 * 1024 * 1024);
    expect(pace.leftMs).toBe(30_000);
  });
});
