import type { Queryable, Transaction } from '../../db/database.ts';
import { instant, sql } from '../../db/sql.ts';
import { notificationsMax, unreadMax } from './schema.ts';

const batch = 500;
/** Where nothing came in for so long, there were not too many then either. */
const lookBackMs = 600_000;
const keptMs = 30 * 86_400_000;

/** By public ids: of the workspace and of the account, which is a member. */
export type Reader = { workspaceId: string; account: string };

const readTo = (account: string) => sql`coalesce((
  select k.event_sequence from notification_marks k join accounts a on a.id = k.account_id
  where k.workspace_id = w.id and a.biz_id = ${account}), 0)`;

export async function countUnread(db: Queryable, { workspaceId, account }: Reader): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from workspaces w cross join lateral (
      select 1 from notifications n where n.workspace_id = w.id and n.event_sequence > ${readTo(account)}
        and (select true from events e where e.sequence = n.event_sequence) limit ${unreadMax}) unread
    where w.biz_id = ${workspaceId}`);
  return row?.count ?? 0;
}

/** Never back, and never beyond the newest: what comes later was not read. */
export async function markRead(
  tx: Transaction,
  { workspaceId, account }: Reader,
  sequence: string,
): Promise<void> {
  await tx.query(sql`
    insert into notification_marks (workspace_id, account_id, event_sequence)
    select w.id, a.id, least(${sequence}::int8, newest.sequence)
    from workspaces w join accounts a on a.biz_id = ${account} cross join lateral (
      select max(n.event_sequence) as sequence from notifications n where n.workspace_id = w.id) newest
    where w.biz_id = ${workspaceId} and newest.sequence is not null
    on conflict (workspace_id, account_id) do update
      set event_sequence = greatest(notification_marks.event_sequence, excluded.event_sequence)`);
}

/** Beyond the number that a workspace keeps, the oldest; looked for where some came in lately. True when there may be more. */
export async function sweepNotifications(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from notifications where event_sequence = any (array(
      select excess.event_sequence from (
        select distinct workspace_id from notifications where created_at > ${instant(nowMs - lookBackMs)}) lately
      cross join lateral (
        select n.event_sequence from notifications n where n.workspace_id = lately.workspace_id
        order by n.event_sequence desc offset ${notificationsMax} limit ${batch}) excess limit ${batch}))
    returning 1`);
  return rows.length === batch;
}

/** Those whose events are gone. True when there may be more. */
export async function sweepOldNotifications(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from notifications where event_sequence = any (array(
      select event_sequence from notifications where created_at < ${instant(nowMs - keptMs)}
      order by created_at limit ${batch})) returning 1`);
  return rows.length === batch;
}
