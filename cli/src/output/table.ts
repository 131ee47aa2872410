import { paint, visible } from './terminal.ts';
import { pad, shorten, textWidth } from './text-width.ts';

export type Row = Readonly<Record<string, unknown>>;

const gap = '  ';
const columnWidthMin = 6;

export function cellText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return value.length === 0 ? '-' : visible(value.join(', '));
  }
  return visible(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const isNumeric = (text: string) => text === '-' || /^-?\d+(\.\d+)?$/.test(text);

type Column = { cells: string[]; side: 'left' | 'right'; width: number };

function columnOf(name: string, rows: readonly Row[]): Column {
  const cells = rows.map((row) => cellText(row[name]));
  const isNumbers = cells.some((cell) => cell !== '-') && cells.every(isNumeric);
  const all = [visible(name), ...cells];
  return { cells: all, side: isNumbers ? 'right' : 'left', width: Math.max(...all.map(textWidth)) };
}

/** Takes from the widest text until the line fits or nothing is left to take; a number that is cut is another number. */
function fit(columns: readonly Column[], lineWidth: number): void {
  const texts = columns.filter(({ side }) => side === 'left');
  const wanted = columns.reduce((sum, { width }) => sum + width + gap.length, -gap.length);
  for (let excess = wanted - lineWidth; excess > 0; excess--) {
    const [widest] = texts.toSorted((a, b) => b.width - a.width);
    if (widest === undefined || widest.width <= columnWidthMin) return;
    widest.width--;
  }
}

/** Lines of a table; without a width every value is shown in full. */
export function tableLines(rows: readonly Row[], lineWidth = Number.POSITIVE_INFINITY): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name) => columnOf(name, rows));
  fit(columns, lineWidth);
  const line = (index: number) =>
    columns
      .map(({ cells, side, width }) => pad(shorten(cells[index] ?? '', width), width, side))
      .join(gap)
      .trimEnd();
  return rows.length === 0 ? [] : [paint('bold', line(0)), ...rows.map((_row, index) => line(index + 1))];
}

export function recordLines(record: Row): string[] {
  const names = Object.keys(record).map(visible);
  const width = Math.max(0, ...names.map(textWidth));
  return Object.values(record).map(
    (value, index) => `${paint('cyan', pad(names[index] ?? '', width, 'left'))}${gap}${cellText(value)}`,
  );
}
