import { Type } from 'typebox';
import { deliveryStatuses } from '../../channels/types.ts';
import { isDateTime } from '../../contract/date-time.ts';
import { required } from '../../contract/validate.ts';
import { eventTypeCodes } from '../../log/event-types.ts';
import { ChannelPath } from './schema.ts';

/** In one call. */
export const redeliveriesMax = 10_000;

export const DeliveryPath = Type.Object({
  ...ChannelPath.properties,
  deliveryId: Type.String({
    ...required,
    description: 'Identifier of the delivery.',
    examples: ['DLV_120345'],
  }),
});

export const DeliveryRecord = Type.Object(
  {
    deliveryId: Type.String({ description: 'Identifier of the delivery.', examples: ['DLV_120345'] }),
    eventId: Type.String({
      description: 'Identifier of the event, which every attempt sends.',
      examples: ['EVT_90210'],
    }),
    eventType: Type.String({
      enum: eventTypeCodes,
      description: 'Type of the event.',
      examples: ['transfer.created'],
    }),
    status: Type.String({
      enum: [...deliveryStatuses],
      description: 'PENDING until it arrived, was given up, or its channel was disabled.',
    }),
    attempts: Type.Integer({ description: 'Attempts since it was last asked for.', examples: [1] }),
    nextAttemptAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When it is tried next; null: it is not.',
      examples: ['2026-01-01T00:05:00.000Z'],
    }),
    responseStatus: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status of the last answer; null: there was none.',
      examples: [503],
    }),
    durationMs: Type.Union([Type.Integer(), Type.Null()], {
      description: 'How long the last attempt took; null: there was none.',
      examples: [120],
    }),
    responseBody: Type.Union([Type.String(), Type.Null()], {
      description: 'The first 1 KiB of the last answer, or why there was none.',
      examples: ['Service Unavailable'],
    }),
    createdAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
  },
  { title: 'DeliveryRecord' },
);

export const DeliveryFilters = Type.Object({
  status: Type.Optional(
    Type.String({ enum: [...deliveryStatuses], description: 'Only deliveries of this status.' }),
  ),
});

export const Redelivery = Type.Object(
  {
    from: Type.String({
      ...isDateTime,
      description: 'ISO 8601: deliveries created then or later.',
      examples: ['2026-01-01T00:00:00Z'],
    }),
  },
  { title: 'Redelivery' },
);

export const Redelivered = Type.Object(
  {
    count: Type.Integer({
      description: `How many are PENDING again, at most ${redeliveriesMax}.`,
      examples: [12],
    }),
    hasMore: Type.Boolean({ description: 'Whether there are more: then ask again.', examples: [false] }),
  },
  { title: 'Redelivered' },
);
