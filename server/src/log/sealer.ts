import type { Queryable } from '../db/database.ts';
import { instant, sql } from '../db/sql.ts';

/** A batch takes some tens of milliseconds; who reads the log sees its rows together. */
const batchMax = 1000;
/** Rows that were sealed stay in the table of those that wait until it is vacuumed, and the sealer passes over them. */
const vacuumAfter = 20_000;

/** Numbers what was committed, until nothing waits or another instance is at it. */
export function createSealer(db: Queryable): () => Promise<void> {
  let sinceVacuum = 0;
  const sealBatch = async () => {
    const [row] = await db.query<{ sealed: number }>(sql`select audit_seal(${batchMax}) as sealed`);
    const sealed = row?.sealed ?? 0;
    sinceVacuum += sealed;
    if (sinceVacuum >= vacuumAfter) {
      sinceVacuum = 0;
      await db.query(sql`vacuum audit_waiting`);
    }
    return sealed;
  };
  return async () => {
    while ((await sealBatch()) === batchMax);
  };
}

/** How long the oldest that waits has waited; 0: nothing waits. */
export async function unsealedSeconds(db: Queryable, nowMs: number): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(sql`
    select greatest(extract(epoch from ${instant(nowMs)} - occurred_at), 0)::float8 as seconds from audit_waiting order by id limit 1`);
  return row?.seconds ?? 0;
}
