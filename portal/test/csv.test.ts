import { describe, expect, it } from 'vitest';
import { byteOrderMark, csvCell, csvParts } from '../src/list/csv.ts';

describe('a cell', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t=1"'],
    ['\r=1', '"\'\r=1"'],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ])('%j runs nothing in a spreadsheet', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    [' edge ', '" edge "'],
    ['-12.50', '-12.50'],
    [-3, '-3'],
    [null, ''],
    [['a', 'b'], 'a b'],
    [{ a: 1 }, '"{""a"":1}"'],
    ['转账', '转账'],
  ])('%j is written as %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });
});

type Row = { id: string; name: string };

async function linesOf(pages: Row[][], total: number): Promise<string[]> {
  const rows = {
    fields: ['id', 'name'] as const,
    rowKey: ({ id }: Row) => id,
    load: async ({ page = 0 }: { page?: number }) => ({
      content: pages[page] ?? [],
      totalElements: total,
      totalPages: pages.length,
      number: page,
      size: 100,
    }),
  };
  let text = '';
  for await (const part of csvParts(rows)) text += part.text;
  return text.split('\r\n');
}

it('has all rows, under the names of the fields, and each once though a newer one moved it to the next page', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, name: id.toUpperCase() })) as [Row, Row, Row];
  const lines = await linesOf([[a, b], [b, c], []], 3);
  expect(lines).toEqual([`${byteOrderMark}id,name`, 'a,A', 'b,B', 'c,C', '']);
});
