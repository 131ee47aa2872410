import { type Static, Type } from 'typebox';
import { selectOne } from '../contract/collection.ts';
import type { Queryable } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import { channelModes, channelStatuses, disabledReasons } from './types.ts';

const time = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description,
    examples: ['2026-01-01T00:00:00.000Z'],
  });

export const ChannelRecord = Type.Object(
  {
    channelId: Type.String({
      description: 'Identifier of the channel.',
      examples: ['NCH_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E'],
    }),
    typeCode: Type.String({ description: 'Code of its type.', examples: ['WEBHOOK'] }),
    name: Type.String({ description: 'Display name.', examples: ['Settlement hooks'] }),
    mode: Type.String({ enum: Object.values(channelModes), description: 'Whose events it tells.' }),
    eventTypes: Type.Array(Type.String(), {
      description: 'What it tells of.',
      examples: [['transfer.created', 'transfer.completed']],
    }),
    config: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'What it is configured with, without fields that are writeOnly.',
      examples: [{ url: 'https://partner.example/hooks', timeoutSeconds: 10 }],
    }),
    status: Type.String({
      enum: [...channelStatuses],
      description: 'FAILING while its newest attempt failed; DISABLED: nothing is sent.',
    }),
    createdAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC: when it was last changed.' }),
    lastSuccessAt: time('When a delivery last succeeded; null: never.'),
    failingSince: time('Since when every attempt failed; null: the newest did not.'),
    disabledReason: Type.Union([Type.String({ enum: [...disabledReasons] }), Type.Null()], {
      description:
        'GONE: its receiver answered 410; FAILED: nothing arrived for five days; OWNER: an owner did; null: it is not DISABLED.',
      examples: [null],
    }),
  },
  { title: 'ChannelRecord' },
);

/** What is shown of a channel, of a row `c`. */
export const shownChannel = {
  record: ChannelRecord,
  from: sql`channels c`,
  columns: {
    channelId: sql`c.biz_id`,
    typeCode: sql`c.type_code`,
    name: sql`c.name`,
    mode: sql`c.mode::text`,
    eventTypes: sql`c.event_types`,
    config: sql`c.config`,
    status: sql`c.status::text`,
    createdAt: sql`c.created_at`,
    updatedAt: sql`c.updated_at`,
    lastSuccessAt: sql`c.last_success_at`,
    failingSince: sql`c.failing_since`,
    disabledReason: sql`c.disabled_reason`,
  },
};

/** Of a channel that the caller has locked. */
export async function channelRecordOf(
  tx: Queryable,
  where: Sql,
  nowMs: number,
): Promise<Static<typeof ChannelRecord>> {
  const record = await selectOne(tx, shownChannel, [where], nowMs);
  if (record === undefined) throw new Error('a locked channel cannot be gone');
  return record;
}
