import type { Queryable } from '../db/database.ts';
import { instant, type Sql, sql } from '../db/sql.ts';

const batch = 1000;

/** What someone else is at is passed over and left for the next time, so that nobody waits in a circle. */
const cancel = (which: Sql, nowMs: number) => sql`
  update deliveries set status = 'CANCELLED', next_attempt_at = null, updated_at = ${instant(nowMs)}
  where id = any (array(
    select d.id from channels c cross join lateral (
      select id from deliveries where channel_id = c.id and status = 'PENDING'
      order by next_attempt_at, id limit ${batch} for no key update skip locked
    ) d where ${which} and c.status = 'DISABLED' limit ${batch})) returning 1`;

/** Cancels a batch of what a DISABLED channel would still have sent; true when there may be more. */
export async function cancelPending(db: Queryable, channelId: number, nowMs: number): Promise<boolean> {
  return (await db.query(cancel(sql`c.id = ${channelId}`, nowMs))).length === batch;
}

/** In small steps, each of its own: however much waits, nothing is held up by it. */
export async function cancelAll(db: Queryable, channelId: number, now: () => number): Promise<void> {
  while (await cancelPending(db, channelId, now()));
}

/** What was left when an instance was killed, or handed out while a channel was being disabled. True when there may be more. */
export async function sweepCancelled(db: Queryable, nowMs: number): Promise<boolean> {
  return (await db.query(cancel(sql`true`, nowMs))).length === batch;
}

export async function hasPending(db: Queryable, channelId: number): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from deliveries where channel_id = ${channelId} and status = 'PENDING' limit 1`,
  );
  return rows.length > 0;
}
