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

/** Counts that are not what the rows say: none. */
export const miscounts = (db: Queryable) =>
  db.query(sql`
    with counted as (
      select series_id, date_bin('1 day', occurred_at, 'epoch') as day, date_bin('1 hour', occurred_at, 'epoch') as hour, date_bin('1 minute', occurred_at, 'epoch') as minute, duration_ms from requests
    )
    select 'series' as what, id::text as name from request_series s
      where n <> (select count(*) from counted c where c.series_id = s.id)
        or last_at < (select max(occurred_at) from requests r where r.series_id = s.id)
    union all
    select 'hour', series_id || ' ' || hour from (select series_id, hour, count(*) as n, request_latency(array_agg(duration_ms)) as latency from counted group by 1, 2) c
      full join request_hours h using (series_id, hour) where h.n is distinct from c.n or h.latency is distinct from c.latency
    union all
    select 'day', series_id || ' ' || day from (select series_id, day, count(*) as n, request_latency(array_agg(duration_ms)) as latency from counted group by 1, 2) c
      full join request_days d using (series_id, day) where d.n is distinct from c.n or d.latency is distinct from c.latency
    union all
    select 'minute', series_id || ' ' || minute from (select series_id, minute, count(*) as n from counted group by 1, 2) c
      full join request_minutes m using (series_id, minute) where m.n is distinct from c.n`);
