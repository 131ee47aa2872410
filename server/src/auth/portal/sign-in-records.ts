import type { AuditAction } from '../../log/actions.ts';
import type { AuditRecord } from '../../log/append.ts';

/** Where a request comes from. */
export type Origin = { address: string | null; requestId: string; userAgent: string | null };

/** Whose sign-in it is. */
export type Holder = { accountBizId: string; accountName: string };

/** What someone did with their own sign-in; it concerns no workspace. */
export function signInRecord(
  action: AuditAction,
  { accountBizId: id, accountName: name }: Holder,
  { address, requestId }: Origin,
  nowMs: number,
  changes: AuditRecord['changes'] = {},
): AuditRecord {
  return {
    action,
    actor: { type: 'ACCOUNT', id, name, address, requestId },
    institutionId: null,
    workspaceId: null,
    subjectId: id,
    changes,
    occurredAtMs: nowMs,
  };
}
