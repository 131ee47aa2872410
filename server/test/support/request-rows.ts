import type { Queryable } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { createRequestLog, type RequestRow } from '../../src/requests/request-log.ts';

export type Given = Partial<RequestRow> & Pick<RequestRow, 'apiKeyId' | 'atMs'>;

/** Keys of the demo's workspaces, as rows alone: nobody signs with them. */
export const requestKeys = {
  live: 'ak_live_01J00000000000000000000001',
  test: 'ak_test_01J00000000000000000000002',
  other: 'ak_live_01J00000000000000000000003',
};

export const insertKeys = (db: Queryable) =>
  db.query(sql`
    insert into api_keys (id, workspace_id, name, mode, scopes, ip_whitelist, created_at)
    select k.id, w.id, k.name, k.mode::key_mode, '{}', '{}', '2026-01-01Z'
    from (values (${requestKeys.live}, 'WS_DEMO', 'Live', 'LIVE'), (${requestKeys.test}, 'WS_DEMO', 'Test', 'TEST'),
      (${requestKeys.other}, 'WS_OTHER', 'Other', 'LIVE')) k(id, workspace, name, mode)
    join workspaces w on w.biz_id = k.workspace on conflict do nothing`);

let count = 0;

/** A row with what a test does not care about. */
export const rowOf = (given: Given): RequestRow => {
  count += 1;
  return {
    code: '2000',
    requestId: `request-${count}`,
    method: 'GET',
    route: '/api/v1/whoami',
    status: given.code === undefined || given.code === '2000' ? 200 : Number(given.code.slice(0, 3)),
    durationMs: 3,
    address: '203.0.113.9',
    ...given,
  };
};

/** Writes rows as the service does. */
export async function writeRows(db: Queryable, rows: readonly RequestRow[]): Promise<void> {
  const log = createRequestLog();
  for (const row of rows) log.note('all', row, true);
  await log.flush(db);
}

const classDigits: Readonly<Record<string, string>> = { '2xx': '2', '4xx': '4', '5xx': '5' };

/** The times of the rows that filters of the list leave, oldest first, by looking at each. */
export function timesOf(rows: readonly RequestRow[], query: URLSearchParams): string[] {
  const is = (name: string, matches: (given: string) => boolean) =>
    !query.has(name) || matches(query.get(name) ?? '');
  const left = rows.filter(
    (row) =>
      is('apiKeyId', (id) => row.apiKeyId === id) &&
      is('mode', (mode) => row.apiKeyId === (mode === '1' ? requestKeys.live : requestKeys.test)) &&
      is('code', (code) => row.code === code) &&
      is('statusClass', (name) => row.code.startsWith(classDigits[name] ?? '-')) &&
      is('from', (from) => row.atMs >= Date.parse(from)) &&
      is('to', (to) => row.atMs < Date.parse(to)),
  );
  return left.map(({ atMs }) => new Date(atMs).toISOString()).sort();
}

/** Counts that are not what the rows say, of a key or of all keys of a mode: none. */
export const miscounts = (db: Queryable) =>
  db.query(sql`
    with counted as (
      select s.id as series_id, r.occurred_at, date_bin('1 day', r.occurred_at, 'epoch') as day, date_bin('1 hour', r.occurred_at, 'epoch') as hour,
        date_bin('1 minute', r.occurred_at, 'epoch') as minute, floor(extract(second from r.occurred_at))::int as second, r.duration_ms
      from requests r join request_series own on own.id = r.series_id
      join request_series s on s.workspace_id = own.workspace_id and s.mode = own.mode and s.code = own.code and s.api_key_id in (own.api_key_id, '')
    )
    select 'series' as what, id::text as name from request_series s
      where n <> (select count(*) from counted c where c.series_id = s.id)
        or last_at < (select max(occurred_at) from counted c where c.series_id = s.id)
    union all
    select 'hour', series_id || ' ' || hour from (select series_id, hour, count(*) as n, request_latency(array_agg(duration_ms)) as latency from counted group by 1, 2) c
      full join request_hours h using (series_id, hour) where h.n is distinct from c.n or h.latency is distinct from c.latency
    union all
    select 'day', series_id || ' ' || day from (select series_id, day, count(*) as n, request_latency(array_agg(duration_ms)) as latency from counted group by 1, 2) c
      full join request_days d using (series_id, day) where d.n is distinct from c.n or d.latency is distinct from c.latency
    union all
    select 'minute', series_id || ' ' || minute from (select series_id, minute, count(*) as n from counted group by 1, 2) c
      full join request_minutes m using (series_id, minute) where m.n is distinct from c.n
    union all
    select 'second', series_id || ' ' || minute || ' ' || second from (select series_id, minute, second, count(*) as n from counted group by 1, 2, 3) c
      full join (select m.series_id, m.minute, u.i::int - 1 as second, u.n from request_minutes m
        cross join lateral unnest(request_seconds(m.seconds, null, m.few)) with ordinality u(n, i) where u.n <> 0) kept using (series_id, minute, second)
      where kept.n is distinct from c.n`);
