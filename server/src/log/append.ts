import type { Transaction } from '../db/database.ts';
import { ulid } from '../db/identifiers.ts';
import { instant, join, named, type Sql, sql } from '../db/sql.ts';
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

/** Found by their keys one by one: a join would be planned longer than the rest of the statement takes. */
function publicIds({ institutionId, workspaceId }: AuditRecord): Sql {
  const workspace = sql`(select biz_id from workspaces where id = ${workspaceId})`;
  if (institutionId !== null)
    return sql`(select biz_id from institutions where id = ${institutionId}), ${workspace}`;
  return sql`(select biz_id from institutions where id = (select institution_id from workspaces where id = ${workspaceId})), ${workspace}`;
}

function row(record: AuditRecord): Sql {
  const { action, actor, subjectId, changes, occurredAtMs } = record;
  return sql`(${`AUD_${ulid(occurredAtMs)}`}, ${instant(occurredAtMs)}, ${actor.type}::actor_type, ${actor.id}, ${actor.name},
    ${action}, ${auditActions[action].subjectType}, ${subjectId}, ${canonicalJson(changes)}, ${actor.address}, ${actor.requestId},
    ${publicIds(record)})`;
}

const append = (records: readonly AuditRecord[]) => sql`
  insert into audit_waiting (audit_id, occurred_at, actor_type, actor_id, actor_name, action, subject_type, subject_id,
    changes, ip_address, request_id, institution_id, workspace_id)
  values ${join(records.map(row), sql`, `)}`;

/**
 * Writes down what a transaction did, in it: both are kept, or neither. The last statement before the commit: records of
 * transactions that wait for one another are then in the order of their commits.
 */
export async function appendRecords(tx: Transaction, records: readonly AuditRecord[]): Promise<void> {
  const [first, ...more] = records;
  if (first === undefined) return;
  const isUsual = more.length === 0;
  const name = first.institutionId === null ? 'append' : 'append_of_institution';
  await tx.query(isUsual ? named(name, append(records)) : append(records));
}
