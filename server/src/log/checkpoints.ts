import type { Queryable } from '../db/database.ts';
import { instant, sql } from '../db/sql.ts';

/** What the log was at a time: the last record and, through its hash, all before it. */
export type Checkpoint = { sequence: number; hash: string; time: string };
export type SignCheckpoint = (checkpoint: Checkpoint) => Promise<string>;
export type StoredCheckpoint = { sequence: number; jws: string };

/** Together with how often it is asked for, less than the minute that a new record may be without one. */
const youngMs = 30_000;

/** Of several instances one signs; at the end of an instance what is new is signed at once. */
export function createCheckpoints(db: Queryable, sign: SignCheckpoint, now: () => number) {
  return async ({ isLast = false } = {}): Promise<void> => {
    const [head] = await db.query<{ sequence: number; hash: string }>(sql`
      select h.sequence, h.hash from log_heads h
      left join lateral (select sequence, created_at from audit_checkpoints order by sequence desc limit 1) c on true
      where h.log = 'audit' and h.sequence > coalesce(c.sequence, 0)
        and (${isLast} or c.created_at is null or c.created_at <= ${instant(now() - youngMs)})`);
    if (head === undefined) return;
    const time = new Date(now()).toISOString();
    await db.query(sql`
      insert into audit_checkpoints (sequence, jws, created_at)
      values (${head.sequence}, ${await sign({ ...head, time })}, ${time}::timestamptz) on conflict do nothing`);
  };
}

export async function selectLastCheckpoint(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<StoredCheckpoint>(
    sql`select sequence, jws from audit_checkpoints order by sequence desc limit 1`,
  );
  return row?.jws;
}

/** Those after a sequence, up to another. */
export async function selectCheckpoints(
  db: Queryable,
  after: number,
  upTo: number,
): Promise<StoredCheckpoint[]> {
  return db.query(sql`
    select sequence, jws from audit_checkpoints where sequence > ${after} and sequence <= ${upTo} order by sequence`);
}
