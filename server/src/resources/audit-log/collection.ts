import { ownerOfWorkspace } from '../../auth/portal/roles.ts';
import { collection } from '../../contract/collection.ts';
import { epochMsOf } from '../../contract/date-time.ts';
import { equal } from '../../contract/page-statement.ts';
import { instant, sql } from '../../db/sql.ts';
import { AuditLogFilters, AuditLogRecord } from './schema.ts';

export const auditLog = collection({
  record: AuditLogRecord,
  filters: AuditLogFilters,
  filtersIn: 'query',
  shape: 'flat',
  from: sql`audit_log a`,
  columns: {
    auditId: sql`a.audit_id`,
    sequence: sql`a.sequence`,
    occurredAt: sql`a.occurred_at`,
    actorType: sql`a.actor_type::text`,
    actorId: sql`a.actor_id`,
    actorName: sql`a.actor_name`,
    action: sql`a.action`,
    subjectType: sql`a.subject_type`,
    subjectId: sql`a.subject_id`,
    changes: sql`a.changes::json`,
    ipAddress: sql`a.ip_address`,
    requestId: sql`a.request_id`,
    hash: sql`a.hash`,
  },
  // By an expression that has an index: by the bare column, the primary key would be walked past all other workspaces.
  sortable: { occurredAt: sql`a.occurred_at`, sequence: sql`(a.sequence + 0)` },
  defaultSort: { field: 'occurredAt', direction: 'desc' },
  tieBreak: [sql`a.occurred_at`, sql`a.sequence`],
  id: sql`a.sequence`,
  place: ownerOfWorkspace,
  within: [sql`a.workspace_id = place.workspace_biz_id`, sql`a.workspace_id is not null`],
  filterBy: {
    action: equal(sql`a.action`),
    actorId: equal(sql`a.actor_id`),
    subjectId: equal(sql`a.subject_id`),
    occurredFrom: { where: (given) => sql`a.occurred_at >= ${instant(given)}`, read: epochMsOf },
    occurredTo: { where: (given) => sql`a.occurred_at < ${instant(given)}`, read: epochMsOf },
  },
  tallies: [
    {
      name: 'audit_log',
      scope: { workspace_id: sql`place.workspace_biz_id` },
      dimensions: { action: 'action', actor_id: 'actorId', subject_id: 'subjectId' },
      time: 'occurredAt',
      from: 'occurredFrom',
      to: 'occurredTo',
    },
  ],
});
