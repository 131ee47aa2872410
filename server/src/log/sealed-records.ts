import { createHash } from 'node:crypto';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { AuditAction } from './actions.ts';
import type { Actor } from './actor.ts';
import { canonicalJson } from './canonical-json.ts';

/** A record of the log, as it is exported and hashed. */
export type SealedRecord = {
  auditId: string;
  sequence: number;
  occurredAt: string;
  actorType: Actor['type'];
  actorId: string;
  actorName: string;
  action: AuditAction;
  subjectType: string;
  subjectId: string;
  changes: { [field: string]: { from: unknown; to: unknown } };
  ipAddress: string | null;
  requestId: string | null;
  institutionId: string | null;
  workspaceId: string | null;
  hash: string;
};

/** As it is stored: changes are the text that was hashed. */
export type StoredRecord = Omit<SealedRecord, 'changes'> & { changes: string };
export type ExportedRecord = SealedRecord | StoredRecord;

/** The records after a sequence, in order. */
export async function selectRecords(
  db: Queryable,
  after: number | null,
  limit: number,
): Promise<StoredRecord[]> {
  return db.query(sql`
    select audit_id as "auditId", sequence, occurred_at as "occurredAt", actor_type::text as "actorType", actor_id as "actorId",
      actor_name as "actorName", action, subject_type as "subjectType", subject_id as "subjectId", changes,
      ip_address as "ipAddress", request_id as "requestId", institution_id as "institutionId", workspace_id as "workspaceId", hash
    from audit_log where sequence > coalesce(${after}::int8, -9223372036854775808) order by sequence limit ${limit}`);
}

/** The record as the API shows it; undefined when its changes are no JSON, which only someone else can have written. */
export function readRecord(stored: StoredRecord): SealedRecord | undefined {
  try {
    return { ...stored, changes: JSON.parse(stored.changes) };
  } catch {
    return undefined;
  }
}

/** What cannot be read is exported as it stands. */
export const exported = (stored: StoredRecord): ExportedRecord => readRecord(stored) ?? stored;

/** The hash that a record has when it comes after another. docs/audit-log.md tells others how. */
export function hashRecord({ hash: _own, ...record }: SealedRecord, previousHash: string): string {
  return createHash('sha256')
    .update(`${previousHash}\n${canonicalJson(record)}`)
    .digest('hex');
}
