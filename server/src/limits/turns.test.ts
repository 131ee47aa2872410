import { describe, expect, it } from 'vitest';
import { createTurns } from './turns.ts';

const shares = { atOnceMax: 2, atOnceEach: 1, waitingMax: 10, waitingEach: 10, waitMs: 60_000 };
const pauseMs = 50;
/** A timer may be early by less than this. */
const earlyMs = 2;

describe('turns with a pause', () => {
  it('follow one another no sooner than that, but the answer does not wait for it', async () => {
    const inTurn = createTurns('things', { ...shares, pauseMs });
    const begunMs: number[] = [];
    const endedMs: number[] = [];
    const work = async () => {
      begunMs.push(performance.now());
      return 'done';
    };
    const take = async () => {
      expect(await inTurn('one', work)).toBe('done');
      endedMs.push(performance.now());
    };
    await Promise.all([take(), take()]);
    const [first = 0, second = 0] = begunMs;
    expect(second - first).toBeGreaterThan(pauseMs - earlyMs);
    expect(endedMs[0]).toBeLessThan(second);
  });

  it('leave the places of other households free meanwhile, also after a failure', async () => {
    const inTurn = createTurns('things', { ...shares, pauseMs: 60_000 });
    await expect(
      inTurn('one', async () => {
        throw new Error('failed');
      }),
    ).rejects.toThrow('failed');
    expect(await inTurn('another', async () => 'done')).toBe('done');
  });
});
