import { type Row, recordLines, tableLines } from './table.ts';
import { note, paint, print, terminalWidth, visible } from './terminal.ts';

type Totals = { number: unknown; totalElements: unknown; totalPages: unknown };
type Page = { content: Row[]; totals: Totals };

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of a page in either shape: totals beside the content, or in an object of their own. */
function asPage(data: unknown): Page | undefined {
  if (!isRow(data) || !Array.isArray(data['content']) || !data['content'].every(isRow)) return undefined;
  const { number, totalElements, totalPages } = isRow(data['page']) ? data['page'] : data;
  return totalElements === undefined
    ? undefined
    : { content: data['content'], totals: { number, totalElements, totalPages } };
}

export function showTable(rows: readonly Row[]): void {
  const { lines, omitted } = tableLines(rows, terminalWidth());
  for (const line of lines) print(line);
  if (omitted.length > 0) note(`too narrow for ${visible(omitted.join(', '))}: --json shows all`);
}

export function showRecord(record: Row): void {
  for (const line of recordLines(record)) print(line);
}

function showPage({ content, totals }: Page): void {
  showTable(content);
  const { number, totalPages, totalElements } = totals;
  // The API counts pages from 0 and knows no highest one, so the echo may be past what a number holds.
  const page = Number.isSafeInteger(number) ? `page ${Number(number) + 1}` : 'a page far past the end';
  print(paint('dim', `${page} of ${totalPages}, ${totalElements} in all`));
}

/** Pages as a table, objects as names and values, anything else as JSON. */
export function showData(data: unknown): void {
  const page = asPage(data);
  if (page !== undefined) showPage(page);
  else if (isRow(data)) showRecord(data);
  else print(JSON.stringify(data));
}

export function showJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}
