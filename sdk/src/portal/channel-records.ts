import type { ChannelStatus, DeliveryStatus, EventType, Mode } from '../catalogues.ts';

/** What a channel of each type is configured with is said by `extraConfig.configSchema` of the type. */
export type ChannelConfig = { [name: string]: unknown };

export type ChannelRecord = {
  channelId: string;
  typeCode: string;
  name: string;
  mode: Mode;
  eventTypes: EventType[];
  /** Without what is only written. */
  config: ChannelConfig;
  status: ChannelStatus;
  /** GONE: its receiver said so; FAILED: nothing arrived for too long; OWNER: an owner did. */
  disabledReason: 'GONE' | 'FAILED' | 'OWNER' | null;
  lastSuccessAt: string | null;
  failingSince: string | null;
  createdAt: string;
  updatedAt: string;
};

/** The secret of a WEBHOOK is in this answer and in no other: null where the answer was lost, and of other types. */
export type CreatedChannel = ChannelRecord & { secret: string | null };

export type ChannelFilters = { status?: string; mode?: string };

export type NewChannel = {
  typeCode: string;
  name: string;
  /** 1 LIVE, the default; 2 TEST. */
  mode?: number;
  eventTypes: string[];
  config: ChannelConfig;
};

export type ChannelChange = { name?: string; eventTypes?: string[]; config?: ChannelConfig };

export type DeliveryRecord = {
  deliveryId: string;
  eventId: string;
  eventType: EventType;
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: string | null;
  responseStatus: number | null;
  durationMs: number | null;
  /** The first 1 KiB. */
  responseBody: string | null;
  createdAt: string;
  updatedAt: string;
};

export type DeliveryFilters = { status?: string };

/** Those that were created since. */
export type FailedSince = { from: string };
export type Redelivered = { count: number; hasMore: boolean };

export type NotificationRecord = {
  eventId: string;
  eventType: EventType;
  mode: Mode | null;
  occurredAt: string;
  /** The record as it was then. */
  data: { [name: string]: unknown };
  isRead: boolean;
};

/** Counted up to 100. */
export type UnreadNotifications = { count: number };

/** The newest that was seen. */
export type ReadMark = { eventId: string };
