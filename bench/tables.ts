import { connectionCounts } from './field.ts';
import { type Target, targets } from './measure.ts';
import type { Result } from './rows.ts';

type Cell = string | number;

export function table(head: readonly string[], lines: readonly (readonly Cell[])[]): string {
  const rows = [head, head.map(() => '---'), ...lines];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Three digits that count. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

export const integer = (value: number) => Math.round(value).toLocaleString('en-US');

export function find(
  results: readonly Result[],
  target: Target,
  name: string,
  rows: number,
  connections: number,
): Result | undefined {
  return results.find(
    (each) =>
      each.target === target && each.case === name && each.rows === rows && each.connections === connections,
  );
}

export const sizesOf = (results: readonly Result[]) => [...new Set(results.map(({ rows }) => rows))];
const casesOf = (results: readonly Result[]) => [...new Set(results.map((each) => each.case))];

/** A p50 with its doubts: at least so much, or with errors. */
function p50(result: Result | undefined): string {
  if (result === undefined) return '–';
  const { p50Ms, isAtLeast, errors } = result;
  return `${isAtLeast ? '≥ ' : ''}${number(p50Ms)}${errors > 0 ? ` (${errors} errors)` : ''}`;
}

/** How many times as fast the first is, by p50. */
export function timesFaster(own: Result | undefined, other: Result | undefined): string {
  if (own === undefined || other === undefined || own.rps === 0) return '–';
  return `${other.isAtLeast ? '≥ ' : ''}${number(other.p50Ms / own.p50Ms)}`;
}

function growth(from: Result | undefined, to: Result | undefined): string {
  return from === undefined || to === undefined || to.rps === 0 ? '–' : number(to.p50Ms / from.p50Ms);
}

/** p50 by one connection, size by size. */
export function costAgainstRows(results: readonly Result[]): string {
  const sizes = sizesOf(results);
  const [least = 0, most = 0] = [Math.min(...sizes), Math.max(...sizes)];
  const head = [
    'case, p50 ms, one connection',
    ...sizes.map((rows) => `portico, ${integer(rows)}`),
    ...(most > least ? [`${integer(most)} ÷ ${integer(least)}`] : []),
    ...sizes.map((rows) => `count-offset, ${integer(rows)}`),
    `portico is faster at ${integer(most)}`,
  ];
  const lines = casesOf(results).map((name) => {
    const own = (rows: number) => find(results, 'portico', name, rows, 1);
    const other = (rows: number) => find(results, 'count-offset', name, rows, 1);
    return [
      name,
      ...sizes.map((rows) => p50(own(rows))),
      ...(most > least ? [growth(own(least), own(most))] : []),
      ...sizes.map((rows) => p50(other(rows))),
      `${timesFaster(own(most), other(most))}×`,
    ];
  });
  return table(head, lines);
}

function caseLine(results: readonly Result[], name: string, rows: number, connections: number): Cell[] {
  const [own, plain, peer, http, sql] = targets.map((target) =>
    find(results, target, name, rows, connections),
  );
  const three = (result: Result | undefined) =>
    result === undefined
      ? ['–', '–', '–', '–']
      : [p50(result), number(result.p99Ms), integer(result.rps), number(result.cpuMs ?? Number.NaN)];
  return [
    name,
    connections,
    ...three(own),
    ...three(plain),
    `${timesFaster(own, plain)}×`,
    ...(peer === undefined ? ['–', '–'] : [p50(peer), `${timesFaster(own, peer)}×`]),
    ...(http === undefined ? ['–', '–'] : [integer(http.rps), number((own?.rps ?? 0) / http.rps)]),
    sql === undefined ? '–' : p50(sql),
  ];
}

/** Every case of one size beside its limits. */
export function casesOfSize(results: readonly Result[], rows: number): string {
  const head = [
    ...['case', 'connections'],
    ...['portico p50 ms', 'p99 ms', 'requests/s', 'CPU ms'],
    ...['count-offset p50 ms', 'p99 ms', 'requests/s', 'CPU ms', 'portico is faster'],
    ...['drizzle p50 ms', 'portico is faster'],
    ...['node-http requests/s', 'portico of it', 'sql p50 ms'],
  ];
  const lines = casesOf(results).flatMap((name) =>
    connectionCounts.map((connections) => caseLine(results, name, rows, connections)),
  );
  return table(head, lines);
}
