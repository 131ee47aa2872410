import type { Queryable } from '../db/database.ts';
import { instant, sql } from '../db/sql.ts';

/** How far back events are pulled. */
export const keptDays = 30;
const sweepBatch = 1000;

/**
 * Deletes those of the oldest events that are old enough; true when there may be more. Of the oldest by number, which is the order of
 * time but for clocks that differ: an index by time would be written with every event, for this alone.
 */
export async function sweepEvents(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from events where sequence in (
      select sequence from (
        select sequence, occurred_at from events order by sequence limit ${sweepBatch} for update skip locked
      ) oldest where occurred_at < ${instant(nowMs - keptDays * 86_400_000)})
    returning 1`);
  return rows.length > 0;
}
