import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareLanded, landedFile, lineOf, readPieces } from '../../scripts/landed.ts';

const sum = (digit: string) => digit.repeat(64);
const migration = { name: 'migrations/0001-a.sql', checksum: sum('a') };
const functions = { name: 'functions/f.sql', revision: 2, checksum: sum('f') };
const text = [migration, { ...functions, revision: 1, checksum: sum('e') }, functions].map(lineOf).join('');

describe('what landed in the database', () => {
  it('is as it was, and everything has its line in server/src/db/landed.txt', async () => {
    const { faults, lacking } = compareLanded(readFileSync(landedFile, 'utf8'), await readPieces());
    expect(faults).toEqual([]);
    expect(lacking.map(({ name }) => `${name}: run npm run landed, which adds its line`)).toEqual([]);
  });

  it('may be listed with every revision that functions ever had', () => {
    expect(compareLanded(text, [migration, functions])).toEqual({ faults: [], lacking: [] });
  });

  it('is told when a migration was edited or removed, with what to do', () => {
    const edited = { ...migration, checksum: sum('b') };
    for (const present of [[edited, functions], [functions]]) {
      expect(compareLanded(text, present).faults).toEqual([
        expect.stringMatching(/^migrations\/0001-a\.sql is not what landed.* in a new migration /),
      ]);
    }
  });

  it('is told when functions changed under a revision that landed, or went back behind it', () => {
    for (const present of [
      { ...functions, checksum: sum('0') },
      { ...functions, revision: 1, checksum: sum('0') },
    ]) {
      expect(compareLanded(text, [migration, present]).faults.at(-1)).toMatch(
        /^functions\/f\.sql is not what landed as revision 2, .* raise the revision /,
      );
    }
  });

  it('lacks the line of a new migration and of a new revision', () => {
    const present = [
      migration,
      { name: 'migrations/0002-b.sql', checksum: sum('c') },
      { ...functions, revision: 3, checksum: sum('0') },
    ];
    expect(compareLanded(text, present)).toEqual({ faults: [], lacking: present.slice(1) });
  });
});
