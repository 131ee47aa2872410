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

/** Takes from the widest columns until the line fits, or until nothing can be taken. */
function fit(wanted: readonly number[], lineWidth: number): number[] {
  const widths = [...wanted];
  let excess = widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1) - lineWidth;
  for (; excess > 0; excess--) {
    const widest = Math.max(...widths);
    if (widest <= columnWidthMin) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** Lines of a table; without a width every value is shown in full. */
export function tableLines(rows: readonly Row[], lineWidth = Number.POSITIVE_INFINITY): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name) => {
    const cells = rows.map((row) => cellText(row[name]));
    const isRight = cells.some((cell) => cell !== '-') && cells.every(isNumeric);
    return { cells: [visible(name), ...cells], side: isRight ? ('right' as const) : ('left' as const) };
  });
  const widths = fit(
    columns.map(({ cells }) => Math.max(...cells.map(textWidth))),
    lineWidth,
  );
  const line = (index: number) =>
    columns
      .map(({ cells, side }, column) => {
        const width = widths[column] ?? 0;
        return pad(shorten(cells[index] ?? '', width), width, side);
      })
      .join(gap)
      .trimEnd();
  return rows.length === 0
    ? []
    : [paint('bold', line(0)), ...Array.from(rows, (_row, index) => line(index + 1))];
}

export function recordLines(record: Row): string[] {
  const names = Object.keys(record).map(visible);
  const width = Math.max(0, ...names.map(textWidth));
  return Object.values(record).map(
    (value, index) => `${paint('cyan', pad(names[index] ?? '', width, 'left'))}${gap}${cellText(value)}`,
  );
}
