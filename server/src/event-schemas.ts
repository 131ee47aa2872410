import type { TObject } from 'typebox';
import { InvitationRecord } from './auth/portal/invitation-record.ts';
import { MemberRecord } from './auth/portal/member-record.ts';
import { ChannelRecord } from './channels/record.ts';
import type { EventType } from './log/event-types.ts';
import { ApiKeyRecord } from './resources/api-keys/schema.ts';
import { FileRecord } from './resources/files/schema.ts';
import { TransferRecord } from './transfers/record.ts';

/** What an event of each type carries: the record that the API shows of what it happened to. */
export const eventSchemas = {
  'transfer.created': TransferRecord,
  'transfer.processing': TransferRecord,
  'transfer.completed': TransferRecord,
  'transfer.failed': TransferRecord,
  'transfer.cancelled': TransferRecord,
  'file.created': FileRecord,
  'file.archived': FileRecord,
  'file.restored': FileRecord,
  'file.deleted': FileRecord,
  'file.quarantined': FileRecord,
  'api-key.created': ApiKeyRecord,
  'api-key.rotated': ApiKeyRecord,
  'api-key.disabled': ApiKeyRecord,
  'api-key.enabled': ApiKeyRecord,
  'api-key.revoked': ApiKeyRecord,
  'api-key.expiring': ApiKeyRecord,
  'member.invited': InvitationRecord,
  'member.added': MemberRecord,
  'member.changed': MemberRecord,
  'member.removed': MemberRecord,
  'channel.disabled': ChannelRecord,
  ping: ChannelRecord,
} as const satisfies Record<EventType, TObject>;
