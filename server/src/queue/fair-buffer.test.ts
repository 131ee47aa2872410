import { describe, expect, it } from 'vitest';
import { createFairBuffer } from './fair-buffer.ts';

const fill = (counts: Record<string, number>, itemsMax = 100) => {
  const buffer = createFairBuffer<string>(itemsMax);
  for (const [household, count] of Object.entries(counts))
    for (let n = 0; n < count; n += 1) buffer.add(household, `${household}${n}`);
  return buffer;
};
const countOf = (items: readonly string[]) =>
  items.reduce<Record<string, number>>((counts, [household = '']) => {
    counts[household] = (counts[household] ?? 0) + 1;
    return counts;
  }, {});

describe('a fair buffer', () => {
  it('gives back what it was given, in order, until it is full', () => {
    const buffer = fill({ a: 60, b: 40 });
    expect([buffer.size(), buffer.lost()]).toEqual([100, 0]);
    const taken = buffer.take(1000);
    expect(countOf(taken)).toEqual({ a: 60, b: 40 });
    expect(taken.filter((item) => item.startsWith('a'))).toEqual(
      Array.from({ length: 60 }, (_, n) => `a${n}`),
    );
    expect(buffer.size()).toBe(0);
  });

  it('never holds more than it may, and counts what it lost', () => {
    const buffer = fill({ a: 1000 });
    const held = buffer.size();
    expect(held).toBeLessThanOrEqual(100);
    expect(buffer.lost() + held).toBe(1000);
    expect(buffer.lost()).toBe(0);
  });

  it('takes from those with much alone, also when they come last', () => {
    expect(countOf(fill({ a: 1000, b: 10, c: 5 }).take(100))).toMatchObject({ b: 10, c: 5 });
    expect(countOf(fill({ b: 10, c: 5, a: 1000 }).take(100))).toMatchObject({ b: 10, c: 5 });
    const { a = 0, b = 0 } = countOf(fill({ a: 1000, b: 1000 }).take(100));
    expect(Math.min(a, b)).toBeGreaterThanOrEqual(25);
  });

  it('holds some of more households than it has places', () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [String.fromCharCode(0x4e00 + n), 1]),
    );
    const buffer = fill(many);
    expect(buffer.size()).toBeGreaterThanOrEqual(75);
    expect(buffer.size() + buffer.lost()).toBe(500);
  });

  it('gives a part of each line, so that nobody waits behind a long one', () => {
    const buffer = fill({ a: 80, b: 3, c: 3 });
    expect(countOf(buffer.take(30))).toMatchObject({ b: 3, c: 3, a: 24 });
    expect(countOf(buffer.take(1000))).toEqual({ a: 56 });
  });

  it('takes no more than a line may have, however much room there is', () => {
    const buffer = createFairBuffer<number>(100);
    for (let item = 0; item < 10; item += 1) buffer.add('stranger', item, 3);
    buffer.add('tenant', 10);
    expect([buffer.size(), buffer.lost()]).toEqual([4, 7]);
    expect(buffer.take(10).sort((a, b) => a - b)).toEqual([0, 1, 2, 10]);
    buffer.add('stranger', 11, 3);
    expect(buffer.size()).toBe(1);
  });
});
