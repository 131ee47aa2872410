import { Type } from 'typebox';
import type { Webhook } from './contract/webhooks.ts';
import { eventSchemas } from './event-schemas.ts';
import { type EventType, eventTypeCodes, eventTypes } from './log/event-types.ts';
import { eventOf } from './resources/events/schema.ts';

const newKey = {
  secretVersion: 1,
  lastUsedAt: null,
  lastUsedIp: null,
  previousSecretExpiresAt: null,
  secrets: [{ version: 1, lastUsedAt: null }],
};
const lasting = { expiresAt: null, previousSecretExpiresAt: null };

/** Where the record of an example has to say what has just happened. */
const shown: Partial<Record<EventType, object>> = {
  'transfer.created': { status: 'PENDING' },
  'transfer.processing': { status: 'PROCESSING' },
  'transfer.failed': { status: 'FAILED' },
  'transfer.cancelled': { status: 'CANCELLED' },
  'file.archived': { fileStatus: 'ARCHIVED' },
  'file.quarantined': { fileStatus: 'QUARANTINED' },
  'api-key.created': { ...newKey, expiresAt: null },
  'api-key.rotated': { expiresAt: null, previousSecretExpiresAt: '2026-01-02T00:00:00.000Z' },
  'api-key.disabled': { ...lasting, status: 'DISABLED' },
  'api-key.enabled': lasting,
  'api-key.revoked': { ...lasting, status: 'REVOKED' },
  'api-key.expiring': { expiresAt: '2026-01-15T00:00:00.000Z', previousSecretExpiresAt: null },
  'member.invited': { expiresAt: '2026-01-08T00:00:00.000Z' },
  'member.added': { role: 'MEMBER', lastSignInAt: null },
  'member.changed': { role: 'VIEWER' },
  'channel.disabled': { status: 'DISABLED', disabledReason: 'GONE' },
};

/** transfer.created is TransferCreated. */
const titleOf = (type: string) =>
  type.replace(/(^|[.-])([a-z])/g, (_match, _between, letter: string) => letter.toUpperCase());

/** Every event, as a channel of the type WEBHOOK sends it. */
export const eventWebhooks: Webhook[] = eventTypeCodes.map((type) => ({
  name: type,
  operationId: `on${titleOf(type)}`,
  summary: eventTypes[type],
  body: Type.Object(eventOf([type], eventSchemas[type]), { title: `${titleOf(type)}Event` }),
  shown: { ...(type.startsWith('member.') ? { mode: null } : {}), data: shown[type] ?? {} },
}));
