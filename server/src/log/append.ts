import type { Transaction } from '../db/database.ts';
import { ulid } from '../db/identifiers.ts';
import { instant, join, sql } from '../db/sql.ts';
import { type AuditAction, auditActions } from './actions.ts';
import type { Actor } from './actor.ts';
import { canonicalJson } from './canonical-json.ts';

export type AuditRecord = {
  action: AuditAction;
  actor: Actor;
  /** That of the workspace, where there is one. */
  institutionId: number | null;
  /** Null: of no concern to a workspace, for the operator alone. */
  workspaceId: number | null;
  /** The id that the API shows. */
  subjectId: string;
  /** Field by field. Never a secret: it appears as "(secret)". */
  changes: { [field: string]: { from: unknown; to: unknown } };
  occurredAtMs: number;
};

function row({ action, actor, institutionId, workspaceId, subjectId, changes, occurredAtMs }: AuditRecord) {
  return sql`(${`AUD_${ulid(occurredAtMs)}`}, ${instant(occurredAtMs)}, ${actor.type}::actor_type, ${actor.id}, ${actor.name},
    ${action}, ${auditActions[action].subjectType}, ${subjectId}, ${canonicalJson(changes)}, ${actor.address}, ${actor.requestId},
    ${institutionId}::int8, ${workspaceId}::int8)`;
}

/**
 * Writes down what a transaction did, in it: both are kept, or neither. The last statement before the commit: records of
 * transactions that wait for one another are then in the order of their commits.
 */
export async function appendRecords(tx: Transaction, records: readonly AuditRecord[]): Promise<void> {
  if (records.length === 0) return;
  await tx.query(sql`
    insert into audit_waiting (audit_id, occurred_at, actor_type, actor_id, actor_name, action, subject_type, subject_id,
      changes, ip_address, request_id, institution_id, workspace_id)
    select r.audit_id, r.occurred_at, r.actor_type, r.actor_id, r.actor_name, r.action, r.subject_type, r.subject_id,
      r.changes, r.ip_address, r.request_id, i.biz_id, w.biz_id
    from (values ${join(records.map(row), sql`, `)}) r (audit_id, occurred_at, actor_type, actor_id, actor_name, action,
      subject_type, subject_id, changes, ip_address, request_id, institution_id, workspace_id)
    left join workspaces w on w.id = r.workspace_id
    left join institutions i on i.id = coalesce(r.institution_id, w.institution_id)`);
}
