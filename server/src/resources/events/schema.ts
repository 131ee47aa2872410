import { type TSchema, Type } from 'typebox';
import { unknownNames } from '../../contract/unknown-names.ts';
import { defineRule } from '../../contract/validate.ts';
import { keptDays } from '../../events/sweep.ts';
import { eventTypeCodes } from '../../log/event-types.ts';

const limitMax = 100;
export const limitDefault = 20;

/** A test of a channel is for that channel alone. */
const pulledTypes = eventTypeCodes.filter((type) => type !== 'ping');

export const typesOf = (text: string): string[] => [...new Set(text.split(','))];

const areTypes = defineRule('eventTypes', (text) => {
  const given = typesOf(text);
  if (given.includes('')) return 'must be types of events, separated by commas';
  const [wrong] = unknownNames(given, pulledTypes, { noun: 'type of event', whole: 'types' });
  if (wrong === undefined) return undefined;
  return wrong.field === 'types' ? wrong.message : `has ${wrong.field}, which ${wrong.message}`;
});

const eventId = {
  pattern: '^EVT_(0|[1-9][0-9]{0,17})$',
  examples: ['EVT_120345'],
};

export const EventQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      ...eventId,
      description: `Only events after this one: nextAfter of the page before. Without it, from the oldest that is kept; events are kept for ${keptDays} days.`,
    }),
  ),
  types: Type.Optional(
    Type.String({
      ...areTypes,
      description: `Only events of these types, separated by commas. The types: ${pulledTypes.join(', ')}.`,
      examples: ['transfer.completed,transfer.failed'],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limitMax,
      default: limitDefault,
      description: 'At most so many.',
      examples: [limitDefault],
    }),
  ),
});

const dataOfAny = Type.Record(Type.String(), Type.Unknown(), {
  description: 'What it tells of, as the API showed it when it happened; which record, its type says.',
  examples: [{ transferId: 'TRF_0000000001', amount: '1250.00', currency: 'USD', status: 'COMPLETED' }],
});

/** An event of some types, and what it carries. */
export const eventOf = (types: readonly string[], data: TSchema) => ({
  eventId: Type.String({
    ...eventId,
    description: 'Names the event for good. Numbers rise in the order of commits, and have gaps.',
  }),
  type: Type.String({ enum: [...types], description: 'What happened.' }),
  occurredAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
  mode: Type.Union([Type.String({ enum: ['LIVE', 'TEST'] }), Type.Null()], {
    description: 'Of what it happened to; null: it has none, and is told in both.',
    examples: ['LIVE'],
  }),
  workspaceId: Type.String({ description: 'Workspace in which it happened.', examples: ['WS_DEMO'] }),
  data,
});

const EventRecord = Type.Object(eventOf(pulledTypes, dataOfAny), { title: 'EventRecord' });

export const EventPage = Type.Object(
  {
    events: Type.Array(EventRecord, { description: 'The oldest first.' }),
    nextAfter: Type.Union([Type.String(), Type.Null()], {
      description:
        'What to send as after next time: the last of these events, or what was sent. Null: nothing was sent, and there is none.',
      examples: ['EVT_120345'],
    }),
    hasMore: Type.Boolean({
      description: 'Whether there are more already: then ask again at once.',
      examples: [false],
    }),
  },
  { title: 'EventPage' },
);
