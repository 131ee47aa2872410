import { describe, expect, it } from 'vitest';
import { createRefusalPace } from './refusal-pace.ts';

function open() {
  let nowMs = 1000;
  const pace = createRefusalPace(() => nowMs);
  const waits = (count: number, address = 'a') => Array.from({ length: count }, () => pace(address));
  return {
    waits,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('refusals of one address', () => {
  it('are fifty at once, then fifty a second, however many ask', () => {
    const { waits, pass } = open();
    expect(new Set(waits(50))).toEqual(new Set([0]));
    expect(waits(3)).toEqual([20, 40, 60]);
    pass(60);
    expect(waits(2)).toEqual([20, 40]);
  });

  it('slow down no other address', () => {
    const { waits } = open();
    waits(60);
    expect(waits(1, 'b')).toEqual([0]);
  });

  it('wait a second and a half at most, and beyond that in no order', () => {
    const { waits, pass } = open();
    expect(Math.max(...waits(125))).toBe(1500);
    const late = waits(1000);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(750);
    expect(Math.max(...late)).toBeLessThan(1500);
    expect(new Set(late).size).toBeGreaterThan(900);
    pass(20); // those beyond did not lengthen the line
    expect(waits(1)).toEqual([1500]);
  });

  it('are at once again for who was quiet for a while', () => {
    const { waits, pass } = open();
    waits(100);
    pass(2000);
    expect(new Set(waits(50))).toEqual(new Set([0]));
  });
});
