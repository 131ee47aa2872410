import { type AuditLogFilters, type AuditLogRecord, auditActions } from '@portico/sdk/portal';
import { endOfDay, isDay, startOfDay } from '../../list/days.ts';
import { defineList, type ListState } from '../../list/url-state.ts';

export type SortField = 'occurredAt' | 'sequence';
export type Filter = 'action' | 'actorId' | 'subjectId' | 'from' | 'to';

const isId = (text: string): boolean => /^[\x21-\x7e]{1,128}$/.test(text);

/** Sign-ins belong to no workspace. */
export const workspaceActions: readonly string[] = auditActions.filter(
  (action) => !action.startsWith('account.'),
);

/** Of a line of the file that the log is saved as; with the hashes, which prove that none is missing. */
export const savedFields: readonly (keyof AuditLogRecord)[] = [
  'sequence',
  'auditId',
  'occurredAt',
  'action',
  'actorType',
  'actorId',
  'actorName',
  'subjectType',
  'subjectId',
  'changes',
  'ipAddress',
  'requestId',
  'hash',
];

export const auditList = defineList<SortField, Filter>({
  sortable: ['occurredAt', 'sequence'],
  defaultSort: { field: 'occurredAt', direction: 'desc' },
  filters: { action: workspaceActions, actorId: isId, subjectId: isId, from: isDay, to: isDay },
});

export function serviceFilters(filters: ListState<SortField, Filter>['filters']): AuditLogFilters {
  const { from, to, ...others } = filters;
  return {
    ...others,
    ...(from === undefined ? {} : { occurredFrom: startOfDay(from) }),
    ...(to === undefined ? {} : { occurredTo: endOfDay(to) }),
  };
}
