import type { Queryable } from '../../db/database.ts';
import { instant, isoTime, join, type Sql, sql, trusted } from '../../db/sql.ts';
import { areMany, firstSeries } from '../../requests/size.ts';
import { codesMax, keysMax } from './schema.ts';

/** What is counted: since when, in intervals of how long, and of which mode, if of one. */
export type Span = {
  workspaceId: string;
  mode: 'LIVE' | 'TEST' | null;
  fromMs: number;
  intervalSeconds: number;
  /** How many intervals there are; the last is that of now. */
  length: number;
  /** The workspace has more series than are soon counted. */
  isLong: boolean;
};

export type Calls = {
  series: { slot: number; ok: number; refused: number; failed: number }[];
  codes: { code: string; count: number }[];
  keys: {
    apiKeyId: string;
    name: string;
    mode: 'LIVE' | 'TEST';
    calls: number;
    refused: number;
    failed: number;
    lastUsedAt: string | null;
  }[];
};

const daySeconds = 86_400;

/** Counts by the day serve whole days: a month by the hour would be 720 of them for each code. */
const countsOf = ({ intervalSeconds, fromMs }: Span): Sql =>
  intervalSeconds % daySeconds === 0
    ? sql`select day as since, n, latency from request_days where series_id = s.id and day >= ${instant(fromMs)}`
    : sql`select hour as since, n, latency from request_hours where series_id = s.id and hour >= ${instant(fromMs)}`;

/** Series `s` of the workspace that have rows in the span: of each key and code, or of all keys together. */
const seriesSince = ({ workspaceId, mode, fromMs, isLong }: Span): Sql => sql`
  workspaces w join lateral ${isLong ? sql`(select * from request_series where workspace_id = w.id)` : firstSeries(sql`w.id`)} s
    on s.last_at >= ${instant(fromMs)} and (${mode}::key_mode is null or s.mode = ${mode}::key_mode) and w.biz_id = ${workspaceId}`;

/**
 * Counts of all keys together, never rows of requests, nor counts of each key: those are as many times more. The offset has
 * each series looked up: joined, the counts of all workspaces may be read for them.
 */
const counted = (span: Span): Sql => sql`
  ${seriesSince(span)} and s.api_key_id = '' cross join lateral (${countsOf(span)} offset 0) h`;

/** What a series of a key has since then: whole days, and the hours before the first of them. */
const countOfKey = ({ fromMs }: Span): Sql => {
  const wholeDays = instant(Math.ceil(fromMs / (daySeconds * 1000)) * daySeconds * 1000);
  return sql`
    (select coalesce(sum(d.n), 0) from request_days d where d.series_id = s.id and d.day >= ${wholeDays})
    + (select coalesce(sum(h.n), 0) from request_hours h where h.series_id = s.id and h.hour >= ${instant(fromMs)} and h.hour < ${wholeDays})`;
};

const sumOf = (condition: Sql) => sql`coalesce(sum(n) filter (where ${condition}), 0)`;
const isOk = sql`status_class = 2`;
const isRefused = sql`status_class = 4`;
const isFailed = sql`status_class = 5`;

/** Whether the workspace has more series than are soon counted. */
export async function isCountedLong(db: Queryable, workspaceId: string): Promise<boolean> {
  const [row] = await db.query<{ isLong: boolean }>(sql`
    select (select ${areMany(sql`count(*)`)} from ${firstSeries(sql`w.id`)} s) as "isLong" from workspaces w where w.biz_id = ${workspaceId}`);
  return row?.isLong === true;
}

/** By interval, by code and by key. What an instance whose clock is ahead wrote belongs to the last interval. */
export async function countCalls(db: Queryable, span: Span): Promise<Calls> {
  const [row] = await db.query<Calls>(sql`
    with counts as materialized (
      select s.code, s.status_class, sum(h.n) as n,
        least(floor(extract(epoch from h.since - ${instant(span.fromMs)}) / ${span.intervalSeconds}::int)::int, ${span.length - 1}::int) as slot
      from ${counted(span)} group by s.id, s.code, s.status_class, slot
    ), of_keys as materialized (
      select s.api_key_id, s.api_key_name, s.mode, s.status_class, ${countOfKey(span)} as n from ${seriesSince(span)} and s.api_key_id <> ''
    ), points as (
      select slot, ${sumOf(isOk)} as ok, ${sumOf(isRefused)} as refused, ${sumOf(isFailed)} as failed from counts group by slot
    ), codes as (
      select code, sum(n) as count from counts where not ${isOk} group by code order by count desc, code limit ${codesMax}
    ), keys as (
      select api_key_id, max(api_key_name) as name, mode, sum(n) as calls, ${sumOf(isRefused)} as refused, ${sumOf(isFailed)} as failed
      from of_keys group by api_key_id, mode order by calls desc, api_key_id limit ${keysMax}
    )
    select (select coalesce(json_agg(p), '[]') from points p) as series,
      (select coalesce(json_agg(c order by c.count desc, c.code), '[]') from codes c) as codes,
      (select coalesce(json_agg(json_build_object('apiKeyId', u.api_key_id, 'name', coalesce(k.name, u.name), 'mode', u.mode, 'calls', u.calls,
        'refused', u.refused, 'failed', u.failed, 'lastUsedAt', ${isoTime(sql`k.last_used_at`)}) order by u.calls desc, u.api_key_id), '[]')
        from keys u left join api_keys k on k.id = u.api_key_id) as keys`);
  return row ?? { series: [], codes: [], keys: [] };
}

export type Times = { bounds: readonly number[]; counts: readonly number[] };

/** Milliseconds: request_latency_bounds() of the database, by which durations are classed when they are written. */
export const latencyBounds = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000,
  10_000,
] as const;

/** Sums written out one by one: to unnest the classes of every row takes ten times as long. */
const sumOfClass = (index: number) => sql`coalesce(sum(h.latency[${trusted(String(index))}]), 0)`;

/** How many calls took how long: fewer milliseconds than each bound, and those beyond all bounds last. */
export async function countTimes(db: Queryable, span: Span): Promise<Times> {
  const classes = Array.from({ length: latencyBounds.length + 1 }, (_none, index) => sumOfClass(index + 1));
  const [row] = await db.query<{ counts: number[] }>(sql`
    select array[${join(classes, sql`, `)}]::float8[] as counts from ${counted(span)}`);
  return { bounds: latencyBounds, counts: row?.counts ?? [] };
}

/** The time within which this share of the calls was answered, as if those of a class were spread evenly over it; null: there is none. */
export function percentileOf({ bounds, counts }: Times, share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let before = 0;
  for (const [index, count] of counts.entries()) {
    const wanted = total * share - before;
    if (count > 0 && wanted <= count) {
      const low = bounds[index - 1] ?? 0;
      const high = bounds[index] ?? low;
      return Math.round((low + ((high - low) * wanted) / count) * 10) / 10;
    }
    before += count;
  }
  return bounds.at(-1) ?? null;
}
