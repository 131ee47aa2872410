import type { FlatPage, PageQuery } from '@portico/sdk/portal';

/** What a cell must not begin with: spreadsheets would run it. A number is one, whatever its sign. */
const isFormula = (text: string) => /^[=+\-@\t\r\n]/.test(text) && !/^-\d+(\.\d+)?$/.test(text);

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function csvCell(value: unknown): string {
  const text = textOf(value);
  const harmless = isFormula(text) ? `'${text}` : text;
  return /[",\r\n\t]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const csvLine = (values: readonly unknown[]): string => `${values.map(csvCell).join(',')}\r\n`;

/** Without it, spreadsheets take UTF-8 for something else. */
export const byteOrderMark = '\ufeff';

/** The most rows that the service gives at once. */
const size = 100;

type Rows<Item> = {
  /** Names of the record's own fields, which are the headers, too. */
  fields: readonly (keyof Item & string)[];
  rowKey(item: Item): string;
  load(query: PageQuery): Promise<FlatPage<Item>>;
};

export type Part = { text: string; rows: number; total: number };

/** All rows, page by page. One that a newer one pushed onto the next page is there once. */
export async function* csvParts<Item>(rows: Rows<Item>): AsyncGenerator<Part> {
  const { fields, rowKey, load } = rows;
  const known = new Set<string>();
  yield { text: byteOrderMark + csvLine(fields), rows: 0, total: 0 };
  for (let page = 0; ; page++) {
    const { content, totalElements, totalPages } = await load({ page, size });
    const fresh = content.filter((item) => !known.has(rowKey(item)));
    for (const item of fresh) known.add(rowKey(item));
    const text = fresh.map((item) => csvLine(fields.map((field) => item[field]))).join('');
    yield { text, rows: known.size, total: totalElements };
    if (content.length === 0 || page + 1 >= totalPages) return;
  }
}
