import { Type } from 'typebox';
import { defineRule } from '../../contract/validate.ts';
import { eventTypeCodes } from '../../log/event-types.ts';

/** Of a workspace; older ones are deleted. */
export const notificationsMax = 1000;
/** What is counted at most. */
export const unreadMax = 100;

const shape = /^EVT_([1-9][0-9]{0,17})$/;

const isEventId = defineRule('eventId', (text) =>
  shape.test(text) ? undefined : 'must be the id of an event: EVT_ and a number',
);

/** As text: a number could lose digits. */
export const sequenceOf = (eventId: string) => shape.exec(eventId)?.[1] ?? '0';

export const NotificationRecord = Type.Object(
  {
    eventId: Type.String({ description: 'Identifier of the event.', examples: ['EVT_90210'] }),
    eventType: Type.String({
      enum: eventTypeCodes,
      description: 'Type of the event.',
      examples: ['transfer.created'],
    }),
    mode: Type.Union([Type.String({ enum: ['LIVE', 'TEST'] }), Type.Null()], {
      description: 'Mode of what it happened to; null: it has none.',
      examples: ['LIVE'],
    }),
    occurredAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
    data: Type.Unknown({
      description: 'What it happened to, as the API showed it then.',
      examples: [{ transferId: 'TRF_0000000001', status: 'COMPLETED' }],
    }),
    isRead: Type.Boolean({ description: 'Whether the caller has read it.', examples: [false] }),
  },
  { title: 'NotificationRecord' },
);

export const Unread = Type.Object(
  {
    count: Type.Integer({
      description: `Notifications that the caller has not read, counted to ${unreadMax} at most.`,
      examples: [3],
    }),
  },
  { title: 'Unread' },
);

export const ReadMark = Type.Object(
  {
    eventId: Type.String({
      ...isEventId,
      description: 'The newest that was read: it and all before it are.',
      examples: ['EVT_90210'],
    }),
  },
  { title: 'ReadMark' },
);
