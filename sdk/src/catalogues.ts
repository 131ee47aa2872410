/** What forms and filters choose from, as the service has it. */

/** By code: what each scope allows. */
export const scopes = {
  'transfers:read': 'List and show the transfers of the workspace, those of the mode of the key',
  'transfers:write': 'Create transfers of the mode of the key, and cancel them',
  'files:read': 'List and download the files of the workspace, those of the mode of the key',
  'files:write': 'Upload and delete files of the workspace, those of the mode of the key',
  'channel-types:read': 'List the notification channel types',
} as const;

/** By the code that a filter takes: the name that a record has. */
export const fileCategories = {
  1: 'IDENTITY_DOCUMENT',
  2: 'BUSINESS_REGISTRATION',
  3: 'PROOF_OF_ADDRESS',
  4: 'BENEFICIAL_OWNERSHIP',
  5: 'BANK_STATEMENT',
  6: 'TAX_DOCUMENT',
  7: 'CONTRACT',
  8: 'INVOICE',
  9: 'PAYOUT_BATCH',
  10: 'SETTLEMENT_REPORT',
  11: 'TRANSACTION_REPORT',
  12: 'RECONCILIATION_REPORT',
  13: 'DISPUTE_EVIDENCE',
  14: 'COMPLIANCE_REPORT',
  15: 'BRANDING',
  16: 'AUDIT_EXPORT',
  99: 'OTHER',
} as const;

/** By the code that a filter takes: the name that a record has. */
export const fileStatuses = {
  1: 'ACTIVE',
  2: 'PENDING',
  3: 'PROCESSING',
  4: 'QUARANTINED',
  5: 'ARCHIVED',
  6: 'EXPIRED',
  7: 'REJECTED',
} as const;

/** By the code that creation takes: the name that a record has. */
export const keyModes = { 1: 'LIVE', 2: 'TEST' } as const;

export const keyStatuses = ['ACTIVE', 'DISABLED', 'REVOKED', 'EXPIRED'] as const;

export const transferStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

export const channelTypeStatuses = ['ENABLED', 'DISABLED'] as const;

/** What can be done, and is written down: what the audit log is filtered by. */
export const auditActions = [
  'account.bound',
  'account.changed',
  'account.created',
  'account.device-confirmed',
  'account.device-denied',
  'account.disabled',
  'account.enabled',
  'account.operator-granted',
  'account.operator-revoked',
  'account.password-changed',
  'account.password-removed',
  'account.password-reset',
  'account.password-reset-requested',
  'account.refresh-token-reused',
  'account.second-factor-added',
  'account.second-factor-refused',
  'account.second-factor-removed',
  'account.second-factor-started',
  'account.sign-in-failed',
  'account.signed-in',
  'account.signed-out',
  'account.unbound',
  'api-key.changed',
  'api-key.created',
  'api-key.disabled',
  'api-key.enabled',
  'api-key.previous-secret-ended',
  'api-key.revoked',
  'api-key.rotated',
  'file.activated',
  'file.archived',
  'file.created',
  'file.deleted',
  'file.quarantined',
  'file.restored',
  'institution.changed',
  'institution.created',
  'invitation.revoked',
  'mail.discarded',
  'member.added',
  'member.changed',
  'member.invited',
  'member.removed',
  'member.signed-out',
  'signing-key.rotated',
  'transfer.cancelled',
  'transfer.created',
  'transfer.status-changed',
  'workspace.changed',
  'workspace.created',
  'workspace.files-imported',
  'workspace.transfers-imported',
] as const;

/** OWNER: everything. MEMBER: reads, and works with files and transfers. VIEWER: reads. */
export const workspaceRoles = ['OWNER', 'MEMBER', 'VIEWER'] as const;

export const invitationStatuses = ['PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED'] as const;

/** Languages that mails are written in. */
export const mailLocales = ['en', 'zh-CN'] as const;

export type Scope = keyof typeof scopes;
export type FileCategoryCode = keyof typeof fileCategories;
export type FileCategory = (typeof fileCategories)[FileCategoryCode];
export type FileStatusCode = keyof typeof fileStatuses;
export type FileStatus = (typeof fileStatuses)[FileStatusCode];
export type ModeCode = keyof typeof keyModes;
export type Mode = (typeof keyModes)[ModeCode];
export type KeyStatus = (typeof keyStatuses)[number];
export type TransferStatus = (typeof transferStatuses)[number];
export type ChannelTypeStatus = (typeof channelTypeStatuses)[number];
export type AuditAction = (typeof auditActions)[number];
export type WorkspaceRole = (typeof workspaceRoles)[number];
export type InvitationStatus = (typeof invitationStatuses)[number];
export type MailLocale = (typeof mailLocales)[number];
