import type { Queryable } from '../../db/database.ts';
import { instant, isoTime, join, type Sql, sql, trusted } from '../../db/sql.ts';
import { codesMax, keysMax } from './schema.ts';

/** What is counted: since when, in intervals of how long, and of which mode, if of one. */
export type Span = {
  workspaceId: string;
  mode: 'LIVE' | 'TEST' | null;
  fromMs: number;
  toMs: number;
  intervalSeconds: number;
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

/** Counts by the day serve whole days: a month by the hour would be 720 of them for each key and code. */
const countsOf = ({ intervalSeconds }: Span): Sql =>
  intervalSeconds % 86_400 === 0
    ? sql`(select series_id, day as since, n, latency from request_days)`
    : sql`(select series_id, hour as since, n, latency from request_hours)`;

/** Counts of the span, never rows of requests: a series `s` is all that one key was answered with one code. */
const counted = (span: Span): Sql => {
  const { workspaceId, mode, fromMs, toMs } = span;
  return sql`
    workspaces w join request_series s on s.workspace_id = w.id
    join ${countsOf(span)} h on h.series_id = s.id and h.since >= ${instant(fromMs)} and h.since < ${instant(toMs)}
    where w.biz_id = ${workspaceId} and s.last_at >= ${instant(fromMs)} and (${mode}::key_mode is null or s.mode = ${mode}::key_mode)`;
};

const sumOf = (condition: Sql) => sql`coalesce(sum(n) filter (where ${condition}), 0)`;
const isOk = sql`status_class = 2`;
const isRefused = sql`status_class = 4`;
const isFailed = sql`status_class = 5`;

/** By interval, by code and by key, in one look at the counts. */
export async function countCalls(db: Queryable, span: Span): Promise<Calls> {
  const [row] = await db.query<Calls>(sql`
    with counts as materialized (
      select s.api_key_id, s.api_key_name, s.mode, s.code, s.status_class,
        floor(extract(epoch from h.since - ${instant(span.fromMs)}) / ${span.intervalSeconds}::int)::int as slot, sum(h.n) as n
      from ${counted(span)} group by s.id, slot
    ), points as (
      select slot, ${sumOf(isOk)} as ok, ${sumOf(isRefused)} as refused, ${sumOf(isFailed)} as failed from counts group by slot
    ), codes as (
      select code, sum(n) as count from counts where not ${isOk} group by code order by count desc, code limit ${codesMax}
    ), keys as (
      select api_key_id, max(api_key_name) as name, mode, sum(n) as calls, ${sumOf(isRefused)} as refused, ${sumOf(isFailed)} as failed
      from counts group by api_key_id, mode order by calls desc, api_key_id limit ${keysMax}
    )
    select (select coalesce(json_agg(p), '[]') from points p) as series,
      (select coalesce(json_agg(c order by c.count desc, c.code), '[]') from codes c) as codes,
      (select coalesce(json_agg(json_build_object('apiKeyId', u.api_key_id, 'name', coalesce(k.name, u.name), 'mode', u.mode, 'calls', u.calls,
        'refused', u.refused, 'failed', u.failed, 'lastUsedAt', ${isoTime(sql`k.last_used_at`)}) order by u.calls desc, u.api_key_id), '[]')
        from keys u left join api_keys k on k.id = u.api_key_id) as keys`);
  return row ?? { series: [], codes: [], keys: [] };
}

export type Times = { bounds: number[]; counts: number[] };

/** Sums written out one by one: to unnest the classes of every row takes ten times as long. */
const sumOfClass = (index: number) => sql`coalesce(sum(h.latency[${trusted(String(index))}]), 0)`;

/** How many calls took how long: fewer milliseconds than each bound, and those beyond all bounds last. */
export async function countTimes(db: Queryable, span: Span): Promise<Times> {
  const [known] = await db.query<{ bounds: number[] }>(sql`select request_latency_bounds() as bounds`);
  const bounds = known?.bounds ?? [];
  const classes = Array.from({ length: bounds.length + 1 }, (_none, index) => sumOfClass(index + 1));
  const [row] = await db.query<{ counts: number[] }>(sql`
    select array[${join(classes, sql`, `)}]::float8[] as counts from ${counted(span)}`);
  return { bounds, counts: row?.counts ?? [] };
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
