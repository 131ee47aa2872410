import type { Queryable } from '../db/database.ts';
import { instant, type Sql, sql } from '../db/sql.ts';

/** A step is over in milliseconds, and holds few rows while it lasts. */
const batchMax = 1000;
const keptMs = 30 * 86_400_000;
/** Whoever had read that a channel was there has written what it meant to by then. */
const deletedMs = 3_600_000;

/** True when there may be more. */
async function step(db: Queryable, statement: Sql): Promise<boolean> {
  return (await db.query(statement)).length === batchMax;
}

/** Deletes a batch of the deliveries that are too old. They are numbered as they come, so the oldest have the lowest numbers. */
export function sweepDeliveries(db: Queryable, nowMs: number): Promise<boolean> {
  return step(
    db,
    sql`
    delete from deliveries where id = any (array(
      select id from (select id, created_at from deliveries order by id limit ${batchMax}) oldest where created_at < ${instant(nowMs - keptMs)}))
    returning 1`,
  );
}

/** Deletes a batch of what a deleted channel has left, and when nothing is left, the channel. */
export async function sweepDeletedChannels(db: Queryable, nowMs: number): Promise<boolean> {
  const isMore = await step(
    db,
    sql`
    delete from deliveries where id = any (array(
      select d.id from channels c join deliveries d on d.channel_id = c.id where c.deleted_at is not null limit ${batchMax}))
    returning 1`,
  );
  if (!isMore)
    await db.query(sql`
      delete from channels c where c.deleted_at < ${instant(nowMs - deletedMs)}
        and not exists (select from deliveries d where d.channel_id = c.id)`);
  return isMore;
}

export type WaitingDeliveries = { count: number; oldestSeconds: number };

/** Counted up to here, which says as much as more would. */
const countedMax = 10_000;
const channelsMax = 1000;

/** How many wait, for whatever; and how long the oldest is due that a receiver which answers could have had. */
export async function countWaitingDeliveries(db: Queryable, nowMs: number): Promise<WaitingDeliveries> {
  const [row] = await db.query<WaitingDeliveries>(sql`
    select (select count(*) from (select from deliveries where status = 'PENDING' limit ${countedMax}) waiting) as count,
      coalesce(greatest(extract(epoch from ${instant(nowMs)} - (
        select min(first.next_attempt_at) from (
          select channel_id from channel_turns where lane = 'QUICK' and due_at <= ${instant(nowMs)} order by due_at limit ${channelsMax}
        ) due cross join lateral (
          select next_attempt_at from deliveries d where d.channel_id = due.channel_id and d.status = 'PENDING' and d.event_type <> 'ping'
          order by next_attempt_at limit 1
        ) first)), 0), 0)::float8 as "oldestSeconds"`);
  return row ?? { count: 0, oldestSeconds: 0 };
}
