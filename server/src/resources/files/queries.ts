import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { instant, sql } from '../../db/sql.ts';

/** What a command has to know of a file. */
export type LockedFile = { bizId: string; objectKey: string; status: string; mode: Mode; isStored: boolean };

/** The file, which stays as it is until the transaction ends. */
export async function lockFile(
  tx: Transaction,
  bizId: string,
  { workspaceId, mode }: { workspaceId: number; mode?: Mode },
): Promise<LockedFile | undefined> {
  const [row] = await tx.query<LockedFile>(sql`
    select biz_id as "bizId", object_key as "objectKey", status::text as status, mode::text as mode, is_stored as "isStored"
    from files where biz_id = ${bizId} and workspace_id = ${workspaceId} and deleted_at is null
      and (${mode ?? null}::key_mode is null or mode = ${mode ?? null}::key_mode) for update`);
  return row;
}

export async function updateFileStatus(tx: Transaction, bizId: string, status: string): Promise<void> {
  await tx.query(
    sql`update files set status = ${status}::file_status, due_at = null where biz_id = ${bizId}`,
  );
}

/** In no list from now on. Until `dueMs` its bytes are left to who deletes it. */
export async function markDeleted(
  tx: Transaction,
  bizId: string,
  nowMs: number,
  dueMs: number,
): Promise<void> {
  await tx.query(
    sql`update files set deleted_at = ${instant(nowMs)}, due_at = ${instant(dueMs)} where biz_id = ${bizId}`,
  );
}

/** Adds to what an institution has; false when that would be more than it may have. */
export async function reserveBytes(
  tx: Transaction,
  institutionId: number,
  size: number,
  quota: number | undefined,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into storage_usage as u (institution_id, bytes)
    select ${institutionId}, ${size} where ${quota ?? null}::int8 is null or ${size} <= ${quota ?? null}::int8
    on conflict (institution_id) do update set bytes = u.bytes + excluded.bytes
    where ${quota ?? null}::int8 is null or u.bytes + excluded.bytes <= ${quota ?? null}::int8
    returning 1`);
  return rows.length > 0;
}

export type PendingFile = {
  bizId: string;
  institutionId: number;
  workspaceId: number;
  mode: Mode;
  bucket: string;
  objectKey: string;
  filename: string;
  size: number;
  contentType: string;
  category: string;
  etag: string;
  remark: string;
  createdBy: string;
  createdAtMs: number;
  dueMs: number;
};

/** Before a byte reaches the store: whatever happens from here on, a record tells where the bytes are. */
export async function insertPendingFile(tx: Transaction, file: PendingFile): Promise<void> {
  await tx.query(sql`
    insert into files (biz_id, institution_id, workspace_id, mode, bucket, object_key, original_filename, file_size, content_type,
      category, status, etag, remark, created_at, created_by, is_stored, due_at)
    values (${file.bizId}, ${file.institutionId}, ${file.workspaceId}, ${file.mode}::key_mode, ${file.bucket}, ${file.objectKey},
      ${file.filename}, ${file.size}, ${file.contentType}, ${file.category}::file_category, 'PENDING', ${file.etag}, ${file.remark},
      ${instant(file.createdAtMs)}, ${file.createdBy}, true, ${instant(file.dueMs)})`);
}

/** Says that an upload goes on. */
export async function keepPending(db: Queryable, bizId: string, dueMs: number): Promise<void> {
  await db.query(sql`
    update files set due_at = ${instant(dueMs)} where biz_id = ${bizId} and status = 'PENDING' and deleted_at is null`);
}

/** Its bytes are in the store. False: it was given up meanwhile. */
export async function finishPending(
  tx: Transaction,
  bizId: string,
  { status, dueMs }: { status: string; dueMs: number | null },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update files set status = ${status}::file_status, due_at = ${dueMs === null ? null : instant(dueMs)}
    where biz_id = ${bizId} and status = 'PENDING' and deleted_at is null returning 1`);
  return rows.length > 0;
}

/** Gives up an upload that did not come to its end. False: there is none, or it did. */
export async function dropPending(
  db: Queryable,
  bizId: string,
  nowMs: number,
  dueMs: number,
): Promise<boolean> {
  const rows = await db.query(sql`
    update files set deleted_at = ${instant(nowMs)}, due_at = ${instant(dueMs)}
    where biz_id = ${bizId} and status = 'PENDING' and due_at is not null and deleted_at is null returning 1`);
  return rows.length > 0;
}

export async function isRecorded(db: Queryable, bizId: string): Promise<boolean> {
  return (await db.query(sql`select 1 from files where biz_id = ${bizId}`)).length > 0;
}

/** The last of a file whose bytes are gone. */
export async function forgetFile(db: Queryable, bizId: string): Promise<void> {
  await db.query(sql`
    with gone as (
      delete from files where biz_id = ${bizId} and deleted_at is not null returning institution_id, file_size, is_stored
    )
    update storage_usage u set bytes = u.bytes - gone.file_size from gone
    where u.institution_id = gone.institution_id and gone.is_stored`);
}
