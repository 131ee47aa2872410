/** What forms and filters choose from, as the service has it. */

/** By code: what each scope allows. */
export const scopes = {
  'transfers:read': 'List and show the transfers of the workspace, those of the mode of the key',
  'transfers:write': 'Create transfers of the mode of the key, and cancel them',
  'files:read': 'List and download the files of the workspace, those of the mode of the key',
  'files:write': 'Upload and delete files of the workspace, those of the mode of the key',
  'channel-types:read': 'List the notification channel types',
  'events:read':
    'Pull the events of the workspace, also those of its keys and members: of the mode of the key, and of both',
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

/** What can be done, and is written down: what the audit log is filtered by. The last stands in records from before alone. */
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
  'api-key.expiring',
  'api-key.previous-secret-ended',
  'api-key.revoked',
  'api-key.rotated',
  'channel-type.changed',
  'channel-type.disabled',
  'channel-type.enabled',
  'channel.changed',
  'channel.created',
  'channel.deleted',
  'channel.disabled',
  'channel.enabled',
  'channel.redelivered',
  'channel.secret-rotated',
  'channel.tested',
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
  'transfer.completed',
  'transfer.created',
  'transfer.failed',
  'transfer.processing',
  'workspace.changed',
  'workspace.created',
  'workspace.files-imported',
  'workspace.transfers-imported',
  'transfer.status-changed',
] as const;

/** By type: what partners are told of. */
export const eventTypes = {
  'transfer.created': 'A transfer was created.',
  'transfer.processing': 'A transfer is on its way.',
  'transfer.completed': 'A transfer arrived.',
  'transfer.failed': 'A transfer failed.',
  'transfer.cancelled': 'A transfer was cancelled before it began.',
  'file.created': 'A file was uploaded.',
  'file.archived': 'A file was archived.',
  'file.restored': 'A file was brought back from the archive.',
  'file.deleted': 'A file was deleted.',
  'file.quarantined': 'A scanner found something in a file.',
  'api-key.created': 'An API key was created.',
  'api-key.rotated': 'An API key got a new secret.',
  'api-key.disabled': 'An API key was disabled.',
  'api-key.enabled': 'An API key was enabled.',
  'api-key.revoked': 'An API key was revoked for good.',
  'api-key.expiring': 'An API key expires in 14, 3 or 1 days.',
  'member.invited': 'Someone was invited to the workspace.',
  'member.added': 'Someone became a member of the workspace.',
  'member.changed': 'A member got another role.',
  'member.removed': 'A member left or was removed.',
  'channel.disabled': 'A notification channel was disabled.',
  ping: 'A test of a channel, for that channel alone.',
} as const;

/** OWNER: everything. MEMBER: reads, and works with files and transfers. VIEWER: reads. */
export const workspaceRoles = ['OWNER', 'MEMBER', 'VIEWER'] as const;

export const invitationStatuses = ['PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED'] as const;

/** Languages that mails are written in. */
export const mailLocales = ['en', 'zh-CN'] as const;

export const channelStatuses = ['ACTIVE', 'FAILING', 'DISABLED'] as const;

export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;

/** What the overview asks someone to look at, the most urgent first. */
export const attentionKinds = [
  'CHANNEL_FAILING',
  'KEY_EXPIRES',
  'ROTATION_OPEN',
  'KEY_WITHOUT_SCOPE',
  'OWNER_WITHOUT_SECOND_FACTOR',
  'KEY_UNUSED',
] as const;

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
export type EventType = keyof typeof eventTypes;
export type WorkspaceRole = (typeof workspaceRoles)[number];
export type InvitationStatus = (typeof invitationStatuses)[number];
export type MailLocale = (typeof mailLocales)[number];
export type ChannelStatus = (typeof channelStatuses)[number];
export type DeliveryStatus = (typeof deliveryStatuses)[number];
export type AttentionKind = (typeof attentionKinds)[number];
