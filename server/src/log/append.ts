import type { Transaction } from '../db/database.ts';
import { ulid } from '../db/identifiers.ts';
import { instant, join, named, type Sql, sql } from '../db/sql.ts';
import { type AuditAction, auditActions } from './actions.ts';
import type { Actor } from './actor.ts';
import { canonicalJson } from './canonical-json.ts';
import { type EventType, isEventType } from './event-types.ts';

export type AuditRecord = {
  action: AuditAction;
  actor: Actor;
  /** That of the workspace, where there is one; both are ids of the database. */
  institutionId: number | null;
  /** Null: of no concern to a workspace, for the operator alone. */
  workspaceId: number | null;
  /** The id that the API shows. */
  subjectId: string;
  /** Field by field. Never a secret: it appears as "(secret)". */
  changes: { [field: string]: { from: unknown; to: unknown } };
  occurredAtMs: number;
  /** What others are told of it, where the action is one that they are told of. */
  event?: RecordEvent | undefined;
};

export type RecordEvent = {
  /** That of the action, unless it has another name. */
  type?: EventType;
  /** Null: of both. */
  mode: 'LIVE' | 'TEST' | null;
  /** As the API shows it. */
  data: object;
  /** Id of the database: for this channel alone. */
  channelId?: number;
};

function told({ action, event, workspaceId }: AuditRecord): Sql {
  const type = event && (event.type ?? action);
  if (type === undefined && isEventType(action)) throw new Error(`${action} ended without an event`);
  if (type !== undefined && !isEventType(type)) throw new Error(`${type} is no type of an event`);
  if (event !== undefined && workspaceId === null) throw new Error(`${action} has an event for no workspace`);
  const data = event && JSON.stringify(event.data);
  return sql`${type ?? null}::text, ${event?.mode ?? null}::key_mode, ${data ?? null}::text, ${event?.channelId ?? null}::int8`;
}

/** Public ids are found by their keys one by one: a join would be planned longer than the rest of the statement takes. */
function row(record: AuditRecord): Sql {
  const { action, actor, institutionId, workspaceId, subjectId, changes, occurredAtMs } = record;
  return sql`(${`AUD_${ulid(occurredAtMs)}`}, ${instant(occurredAtMs)}, ${actor.type}::actor_type, ${actor.id}, ${actor.name},
    ${action}, ${auditActions[action].subjectType}, ${subjectId}, ${canonicalJson(changes)}, ${actor.address}, ${actor.requestId},
    (select biz_id from institutions where id = ${institutionId}), (select biz_id from workspaces where id = ${workspaceId}), ${told(record)})`;
}

/** The statement that writes them down. */
export const append = (records: readonly AuditRecord[]) => sql`
  insert into audit_waiting (audit_id, occurred_at, actor_type, actor_id, actor_name, action, subject_type, subject_id,
    changes, ip_address, request_id, institution_id, workspace_id, event_type, event_mode, event_data, event_channel_id)
  values ${join(records.map(row), sql`, `)}`;

/**
 * Writes down what a transaction did, in it: both are kept, or neither. The last statement before the commit: records of
 * transactions that wait for one another are then in the order of their commits.
 */
export async function appendRecords(tx: Transaction, records: readonly AuditRecord[]): Promise<void> {
  if (records.length === 0) return;
  const statement = append(records);
  tx.last(records.length === 1 ? named('append', statement) : statement);
}
