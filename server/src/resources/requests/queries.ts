import type { Static } from 'typebox';
import { selectOne } from '../../contract/collection.ts';
import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { requests } from './collection.ts';
import { byRequestId } from './pages.ts';
import type { RequestPath, RequestRecord } from './schema.ts';

/** The latest of the id: a trusted proxy may give one to several. */
export function selectRequest(
  db: Queryable,
  { workspaceId, requestId }: Static<typeof RequestPath>,
  nowMs: number,
): Promise<Static<typeof RequestRecord> | undefined> {
  const latest = sql`(
    select r.* from (select w.id as workspace_id from workspaces w where w.biz_id = ${workspaceId}) place cross join lateral (
      select * from requests r where ${byRequestId(sql`${requestId}::text`)} order by r.occurred_at desc, r.id desc limit 1
    ) r) r`;
  const from = sql`${latest} join request_series s on s.id = r.series_id left join api_keys k on k.id = s.api_key_id`;
  return selectOne(db, { ...requests, from }, [sql`true`], nowMs);
}
