import { describe, expect, it } from 'vitest';
import { Line, type Place } from './line.ts';

/** Who leaves, in which order, when always the first does. */
function drained(line: Line<string>, places: readonly Place<string>[]): string[] {
  const left: string[] = [];
  for (let { first } = line; first !== undefined; first = line.first) {
    left.push(first);
    for (const place of places) if (place.item === first) line.remove(place);
  }
  return left;
}

const lineOf = (...items: string[]) => {
  const line = new Line<string>();
  return { line, places: items.map((item) => line.add(item)) };
};

describe('a line', () => {
  it('is left in the order in which it was joined', () => {
    const { line, places } = lineOf('a', 'b', 'c');
    expect(line.size).toBe(3);
    expect(drained(line, places)).toEqual(['a', 'b', 'c']);
    expect(line.size).toBe(0);
  });

  it.each([
    [0, ['b', 'c', 'd']],
    [1, ['a', 'c', 'd']],
    [2, ['a', 'b', 'd']],
  ])('closes up when place %i is left, and goes on behind its last', (index, expected) => {
    const { line, places } = lineOf('a', 'b', 'c');
    line.remove(places[index] as Place<string>);
    places.push(line.add('d'));
    expect(line.size).toBe(3);
    expect(drained(line, places)).toEqual(expected);
  });

  it('counts who leaves twice once', () => {
    const { line, places } = lineOf('a', 'b');
    const [first] = places as [Place<string>, Place<string>];
    line.remove(first);
    line.remove(first);
    expect([line.size, line.first]).toEqual([1, 'b']);
  });

  it('is referred to by nobody who has left, so that none keeps those behind it from being collected', () => {
    const { line, places } = lineOf('a', 'b', 'c');
    for (const place of places) line.remove(place);
    expect(places.map(({ before, behind }) => [before, behind])).toEqual(
      places.map(() => [undefined, undefined]),
    );
  });
});
