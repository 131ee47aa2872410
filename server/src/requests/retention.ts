import type { Queryable } from '../db/database.ts';
import { instant, sql } from '../db/sql.ts';

const dayMs = 86_400_000;
/** For longer than a batch is sent again. */
const batchesKeptMs = 3_600_000;

/** The day of a time, in UTC. */
const dayOf = (epochMs: number) => sql`(${instant(epochMs)} at time zone 'UTC')::date`;

/** Makes the tables of today and tomorrow, so that no batch has to. */
export async function makeRequestDays(db: Queryable, nowMs: number): Promise<void> {
  await db.query(sql`call request_make_day(${dayOf(nowMs)})`);
  await db.query(sql`call request_make_day(${dayOf(nowMs + dayMs)})`);
}

/** Takes the oldest day away that nobody may ask for any more. Says whether there may be another. */
export async function dropRequestDay(db: Queryable, nowMs: number, keptDays: number): Promise<boolean> {
  const [row] = await db.query<{ dropped: boolean }>(
    sql`select request_drop_day(${dayOf(nowMs - keptDays * dayMs)}) as dropped`,
  );
  return row?.dropped === true;
}

export async function sweepRequestBatches(db: Queryable, nowMs: number): Promise<void> {
  await db.query(sql`delete from request_batches where written_at < ${instant(nowMs - batchesKeptMs)}`);
}
