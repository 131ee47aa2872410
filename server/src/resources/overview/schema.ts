import { Type } from 'typebox';

/** How a span of days is cut: into as many points as a chart can show and a person can read. */
export const spans = {
  1: { intervalSeconds: 3600 },
  7: { intervalSeconds: 6 * 3600 },
  30: { intervalSeconds: 86_400 },
} as const;
export type Days = keyof typeof spans;
export const daysDefault: Days = 7;

export const codesMax = 20;
export const keysMax = 100;
export const attentionMax = 100;

export const attentionKinds = [
  'CHANNEL_FAILING',
  'KEY_EXPIRES',
  'ROTATION_OPEN',
  'KEY_WITHOUT_SCOPE',
  'OWNER_WITHOUT_SECOND_FACTOR',
  'KEY_UNUSED',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

export const modeNames: Readonly<Record<string, 'LIVE' | 'TEST'>> = { 1: 'LIVE', 2: 'TEST' };

export const OverviewQuery = Type.Object({
  days: Type.Optional(
    Type.Integer({
      enum: Object.keys(spans).map(Number),
      default: daysDefault,
      description: 'How far back: points of an hour for 1 day, of 6 hours for 7, of a day for 30.',
    }),
  ),
  mode: Type.Optional(
    Type.String({
      enum: ['1', '2', 'LIVE', 'TEST'],
      names: modeNames,
      description: 'Only keys, calls and channels of this mode, by code or by name; both when it is absent.',
    }),
  ),
});

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const time = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description,
    examples: ['2026-01-01T00:00:00.000Z'],
  });
const at = (description: string) => Type.String({ format: 'date-time', description });
const milliseconds = (description: string, example: number) =>
  Type.Union([Type.Number(), Type.Null()], { description, examples: [example] });
const mode = { enum: Object.values(modeNames) };

const Point = Type.Object({
  at: at('When its interval begins.'),
  ok: count('Calls that were neither refused nor failed.', 120),
  refused: count('Calls answered with a status of 4xx.', 3),
  failed: count('Calls answered with a status of 5xx.', 0),
});

const KeyCalls = Type.Object({
  apiKeyId: Type.String({
    description: 'Identifier of the key.',
    examples: ['ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E'],
  }),
  name: Type.String({ description: 'Display name.', examples: ['Settlement job'] }),
  mode: Type.String({ ...mode, description: 'Mode of the key.' }),
  calls: count('Calls in all.', 123),
  refused: count('Of them answered with a status of 4xx.', 3),
  failed: count('Of them answered with a status of 5xx.', 0),
  lastUsedAt: time('When the key last signed a request, up to some seconds ago; null: never.'),
});

const Attention = Type.Object({
  kind: Type.String({
    enum: [...attentionKinds],
    description:
      'KEY_EXPIRES: an active key ends within 14 days; KEY_UNUSED: one that was not used for 90 days; KEY_WITHOUT_SCOPE: one that may do nothing; ROTATION_OPEN: the previous secret of one still works; CHANNEL_FAILING: nothing arrives through a channel, or the service disabled it for that; OWNER_WITHOUT_SECOND_FACTOR: told to owners alone.',
  }),
  subjectId: Type.String({
    description: 'Identifier of the key, the channel or the account.',
    examples: ['ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E'],
  }),
  name: Type.String({
    description: 'Name of the key or the channel, e-mail address of the account.',
    examples: ['Settlement job'],
  }),
  mode: Type.Union([Type.String(mode), Type.Null()], {
    description: 'Mode of the key or the channel; null: an account has none.',
    examples: ['LIVE'],
  }),
  at: time(
    'KEY_EXPIRES: when it ends; KEY_UNUSED: its last use, null: never; ROTATION_OPEN: when the previous secret ends; CHANNEL_FAILING: since when; else null.',
  ),
  message: Type.String({
    description: 'What it is about, for a person.',
    examples: ['The key Settlement job expires on 2026-01-01 at 00:00 UTC'],
  }),
});

export const Overview = Type.Object(
  {
    from: at('The first moment that is counted: where the first interval begins.'),
    to: at('Now: the last interval has not ended yet.'),
    intervalSeconds: count(
      'How long an interval of the series is. They begin with whole hours of UTC.',
      3600,
    ),
    totals: Type.Object({
      calls: count('Signed requests that named a key of the workspace, whatever became of them.', 1234),
      refused: count('Of them answered with a status of 4xx.', 12),
      failed: count('Of them answered with a status of 5xx.', 0),
    }),
    series: Type.Array(Point, {
      description: 'Every interval from the first to that of now, also without calls.',
    }),
    codes: Type.Array(
      Type.Object({
        code: Type.String({ description: 'Code of the error, as in the catalogue.', examples: ['4031'] }),
        count: count('Calls that were answered with it.', 9),
      }),
      { description: `Codes of refusals and failures, the ${codesMax} most frequent, those first.` },
    ),
    keys: Type.Array(KeyCalls, { description: `Keys that called, the ${keysMax} busiest, those first.` }),
    latency: Type.Object(
      {
        p50Ms: milliseconds('Half of the calls were answered within this time; null: there was none.', 4.2),
        p95Ms: milliseconds('95 of 100 calls were; null: there was none.', 18.5),
      },
      {
        description:
          'From the head of a request to the end of its answer, in milliseconds, estimated from classes of times.',
      },
    ),
    attention: Type.Array(Attention, {
      description: `What wants someone to look at it, the most urgent first; ${attentionMax} at most.`,
    }),
  },
  { title: 'Overview' },
);
