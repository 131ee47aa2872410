import type { Queryable } from '../db/database.ts';
import { instant, sql } from '../db/sql.ts';

/** A batch takes some tens of milliseconds, also when every event goes to as many channels as a workspace may have. */
const batch = { eventsMax: 500, rowsMax: 1000 };

/** Hands sealed events to the channels that want them, until none is left or another instance is at it. Gives how many. */
export function createDispatcher(db: Queryable, now: () => number): () => Promise<number> {
  const dispatchBatch = async () => {
    const [row] = await db.query<{ handled: number }>(sql`
      select delivery_dispatch(${instant(now())}, ${batch.eventsMax}, ${batch.rowsMax}) as handled`);
    return row?.handled ?? 0;
  };
  return async () => {
    let total = 0;
    for (let handled = await dispatchBatch(); handled > 0; handled = await dispatchBatch()) total += handled;
    return total;
  };
}
