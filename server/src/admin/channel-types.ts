import { Type } from 'typebox';
import {
  type ConfigSchema,
  refuseSchema,
  refuseTargetless,
  secretFieldsOf,
} from '../channels/config-schema.ts';
import { deliveringTypes, isDelivering } from '../channels/types.ts';
import { ApiError, invalidFields } from '../contract/api-error.ts';
import { changesOf } from '../contract/changes.ts';
import type { Transaction } from '../db/database.ts';
import { instant, isoTime, sql } from '../db/sql.ts';
import { Named } from './fields.ts';
import { operatorTask } from './operator.ts';
import { theChannelType } from './places.ts';

const schemaMax = 65_536;

const ChannelTypeRow = Type.Object({
  typeCode: Type.String(),
  typeName: Type.String(),
  typeStatus: Type.String(),
  updatedAt: Type.String({ format: 'date-time' }),
});

type Row = { typeCode: string; typeName: string; typeStatus: string; updatedAt: string };

/** Of a type that the transaction has locked. */
async function selectType(tx: Transaction, id: number): Promise<Row> {
  const [row] = await tx.query<Row>(sql`
    select type_code as "typeCode", type_name as "typeName", status::text as "typeStatus", ${isoTime(sql`updated_at`)} as "updatedAt"
    from channel_types where id = ${id}`);
  if (row === undefined) throw new Error('a locked channel type cannot be gone');
  return row;
}

const notDelivered = (type: string) =>
  new ApiError(
    '4091',
    `channels of type ${type} are not delivered by Portico, so it cannot be enabled; those that are: ${deliveringTypes.join(', ')}`,
  );

const setStatus = (to: 'ENABLED' | 'DISABLED') =>
  operatorTask({
    input: Type.Object({ type: Named }),
    answer: ChannelTypeRow,
    place: theChannelType,
    action: to === 'ENABLED' ? 'channel-type.enabled' : 'channel-type.disabled',
    async run({ tx, nowMs, place: { id, status, schema }, input: { type } }) {
      if (status === to) throw new ApiError('4091', `the channel type is ${to} already`);
      if (to === 'ENABLED' && (!isDelivering(type) || schema === null)) throw notDelivered(type);
      await tx.query(sql`
        update channel_types set status = ${to}::channel_type_status, updated_at = ${instant(nowMs)} where id = ${id}`);
      const changes = changesOf({ typeStatus: status }, { typeStatus: to });
      return { answer: await selectType(tx, id), subject: type, changes };
    },
  });

export const enableChannelType = setStatus('ENABLED');
/** Takes no new channels; those that are there go on. */
export const disableChannelType = setStatus('DISABLED');

const refusal = (message: string) => invalidFields('4000', [{ field: 'schema', message }]);

function readSchema(text: string, type: string): ConfigSchema {
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch {
    throw refusal('must be JSON');
  }
  const wrong =
    refuseSchema(schema) ?? (isDelivering(type) ? refuseTargetless(schema as ConfigSchema, type) : undefined); // an object by then
  if (wrong !== undefined) throw refusal(wrong);
  return schema as ConfigSchema; // as above
}

/** What was kept to be shown cannot be hidden afterwards. */
async function refuseShown(tx: Transaction, type: string, schema: ConfigSchema): Promise<void> {
  const [shown] = await tx.query<{ field: string }>(sql`
    select field from unnest(${secretFieldsOf(schema)}::text[]) field
    where exists (select 1 from channels c where c.type_code = ${type} and c.config ? field) limit 1`);
  if (shown !== undefined)
    throw refusal(`cannot make ${shown.field} writeOnly: there are channels that show it`);
}

async function updateSchema(tx: Transaction, id: number, schema: ConfigSchema, nowMs: number): Promise<void> {
  const others = { schemaVersion: 1, address: null, providers: [], capabilities: {} };
  await tx.query(sql`
    update channel_types set updated_at = ${instant(nowMs)},
      extra_config = coalesce(extra_config, ${JSON.stringify(others)}::jsonb) || jsonb_build_object('configSchema', ${JSON.stringify(schema)}::jsonb)
    where id = ${id}`);
}

/** What channels of the type are configured with from now on. Those that are there stay as they are until they are changed. */
export const configureChannelType = operatorTask({
  input: Type.Object({ type: Named, schema: Type.String({ maxLength: schemaMax }) }),
  answer: ChannelTypeRow,
  place: theChannelType,
  action: 'channel-type.changed',
  async run({ tx, nowMs, place, input: { type, schema: text } }) {
    const schema = readSchema(text, type);
    await refuseShown(tx, type, schema);
    await updateSchema(tx, place.id, schema, nowMs);
    const changes = changesOf({ configSchema: place.schema }, { configSchema: schema });
    return { answer: await selectType(tx, place.id), subject: type, changes };
  },
});
