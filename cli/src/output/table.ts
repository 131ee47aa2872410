import { paint, visible } from './terminal.ts';
import { pad, shorten, textWidth } from './text-width.ts';

export type Row = Readonly<Record<string, unknown>>;

const gap = '  ';
/** A date and the sign that its time is missing. */
const columnWidthMin = 11;

function cellText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return value.length === 0 ? '-' : visible(value.join(', '));
  }
  return visible(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const isNumeric = (text: string) => text === '-' || /^-?\d+(\.\d+)?$/.test(text);

type Column = { name: string; cells: string[]; side: 'left' | 'right'; width: number; widthMin: number };

/** The first column tells the rows apart and a number that is cut is another number: both are shown in full. */
function columnOf(name: string, index: number, rows: readonly Row[]): Column {
  const texts = rows.map((row) => cellText(row[name]));
  const isNumbers = texts.some((text) => text !== '-') && texts.every(isNumeric);
  const cells = [visible(name), ...texts];
  const width = Math.max(...cells.map(textWidth));
  const isWhole = index === 0 || isNumbers;
  const widthMin = isWhole ? width : Math.min(width, columnWidthMin);
  return { name, cells, side: isNumbers ? 'right' : 'left', width, widthMin };
}

const lineLength = (widths: readonly number[]) =>
  widths.reduce((sum, width) => sum + width + gap.length, -gap.length);

/** Leaves out columns on the right until the rest can fit, then takes from the widest until it does. */
function fit(columns: readonly Column[], lineWidth: number): Column[] {
  const shown = columns.map((column) => ({ ...column }));
  while (shown.length > 1 && lineLength(shown.map(({ widthMin }) => widthMin)) > lineWidth) shown.pop();
  for (let excess = lineLength(shown.map(({ width }) => width)) - lineWidth; excess > 0; excess--) {
    const [widest] = shown.filter((each) => each.width > each.widthMin).sort((a, b) => b.width - a.width);
    if (widest !== undefined) widest.width--;
  }
  return shown;
}

/** Without a width, every column in full; `omitted` names those for which there is no room. */
export function tableLines(
  rows: readonly Row[],
  lineWidth = Number.POSITIVE_INFINITY,
): { lines: string[]; omitted: string[] } {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name, index) => columnOf(name, index, rows));
  const shown = fit(columns, lineWidth);
  const line = (index: number) =>
    shown
      .map(({ cells, side, width }) => pad(shorten(cells[index] ?? '', width), width, side))
      .join(gap)
      .trimEnd();
  const lines = rows.length === 0 ? [] : [paint('bold', line(0)), ...rows.map((_row, at) => line(at + 1))];
  return { lines, omitted: names.slice(shown.length) };
}

export function recordLines(record: Row): string[] {
  const names = Object.keys(record).map(visible);
  const width = Math.max(0, ...names.map(textWidth));
  return Object.values(record).map(
    (value, index) => `${paint('cyan', pad(names[index] ?? '', width, 'left'))}${gap}${cellText(value)}`,
  );
}
