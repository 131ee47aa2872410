import type { EventType, Mode } from './catalogues.ts';
import type { ChannelRecord } from './portal/channel-records.ts';
import type { ApiKeyRecord, InvitationRecord, MemberRecord } from './portal/records.ts';
import type { FileRecord, Transfer } from './records.ts';

/** Of each event: the record as it was then. */
export type EventData = {
  'transfer.created': Transfer;
  'transfer.processing': Transfer;
  'transfer.completed': Transfer;
  'transfer.failed': Transfer;
  'transfer.cancelled': Transfer;
  'file.created': FileRecord;
  'file.archived': FileRecord;
  'file.restored': FileRecord;
  'file.deleted': FileRecord;
  'file.quarantined': FileRecord;
  'api-key.created': ApiKeyRecord;
  'api-key.rotated': ApiKeyRecord;
  'api-key.disabled': ApiKeyRecord;
  'api-key.enabled': ApiKeyRecord;
  'api-key.revoked': ApiKeyRecord;
  'api-key.expiring': ApiKeyRecord;
  'member.invited': InvitationRecord;
  'member.added': MemberRecord;
  'member.changed': MemberRecord;
  'member.removed': MemberRecord;
  'channel.disabled': ChannelRecord;
  ping: ChannelRecord;
};

type EventOf<Type extends EventType> = {
  eventId: string;
  type: Type;
  occurredAt: string;
  /** Null: of no mode, and told to keys and channels of both. */
  mode: Mode | null;
  workspaceId: string;
  data: EventData[Type];
};

/** What happened. Where its `type` is looked at, its `data` has that type's; a service may know types that this SDK does not. */
export type PorticoEvent<Type extends EventType = EventType> = { [Each in Type]: EventOf<Each> }[Type];

/** A ping goes to the channel that is tested, and is pulled by nobody. */
export type PulledType = Exclude<EventType, 'ping'>;

export type EventQuery<Type extends PulledType = PulledType> = {
  /** The `nextAfter` of before, or the id of any event. Left out: from the oldest that is kept, which is 30 days. */
  after?: string | undefined;
  /** Left out: all. */
  types?: readonly Type[] | undefined;
  /** Up to 100; default 20. */
  limit?: number | undefined;
};

export type EventPage<Type extends PulledType = PulledType> = {
  /** The oldest first. */
  events: PorticoEvent<Type>[];
  /** What to ask for next; null while there is none at all. */
  nextAfter: string | null;
  hasMore: boolean;
};
