import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { instant, sql } from '../../db/sql.ts';

export type Unfinished = { bizId: string; objectKey: string; isStored: boolean };

/**
 * Some of what nobody goes on with: uploads that ended half-way, and files that were deleted and still have bytes. They are this
 * instance's until `dueMs`.
 */
export async function takeUnfinished(
  db: Queryable,
  nowMs: number,
  dueMs: number,
  batch: number,
): Promise<Unfinished[]> {
  return db.query<Unfinished>(sql`
    update files set deleted_at = coalesce(deleted_at, ${instant(nowMs)}), due_at = ${instant(dueMs)}
    where id in (
      select id from files
      where due_at <= ${instant(nowMs)} and due_at is not null and (deleted_at is not null or status = 'PENDING')
      order by due_at limit ${batch} for update skip locked)
    returning biz_id as "bizId", object_key as "objectKey", is_stored as "isStored"`);
}

export type Unscanned = { bizId: string; objectKey: string };

/** One that waits for a scan. It is this instance's until `dueMs`. */
export async function takeUnscanned(
  db: Queryable,
  nowMs: number,
  dueMs: number,
): Promise<Unscanned | undefined> {
  const [row] = await db.query<Unscanned>(sql`
    update files set due_at = ${instant(dueMs)}
    where id = (
      select id from files
      where due_at <= ${instant(nowMs)} and due_at is not null and deleted_at is null and status = 'PROCESSING'
      order by due_at limit 1 for update skip locked)
    returning biz_id as "bizId", object_key as "objectKey"`);
  return row;
}

type Settled = { workspaceId: number; institutionId: number; mode: Mode };

/** What a scan says, unless the file is no longer what was scanned. */
export async function settleScanned(
  tx: Transaction,
  bizId: string,
  status: 'ACTIVE' | 'QUARANTINED',
): Promise<Settled | undefined> {
  const [row] = await tx.query<Settled>(sql`
    update files set status = ${status}::file_status, due_at = null
    where biz_id = ${bizId} and status = 'PROCESSING' and due_at is not null and deleted_at is null
    returning workspace_id as "workspaceId", institution_id as "institutionId", mode::text as mode`);
  return row;
}

/** Later, by whoever finds it. */
export async function putOffScan(db: Queryable, bizId: string, dueMs: number): Promise<void> {
  await db.query(sql`
    update files set due_at = ${instant(dueMs)}
    where biz_id = ${bizId} and status = 'PROCESSING' and due_at is not null and deleted_at is null`);
}
