import type { Static } from 'typebox';
import { collection } from '../../contract/collection.ts';
import { sql } from '../../db/sql.ts';
import { ChannelTypeFilters, ChannelTypeRecord } from './schema.ts';

const declared = {
  record: ChannelTypeRecord,
  filters: ChannelTypeFilters,
  from: sql`channel_types c`,
  columns: {
    bizId: sql`c.biz_id`,
    typeCode: sql`c.type_code`,
    typeValue: sql`c.type_value`,
    typeName: sql`c.type_name`,
    typeDescription: sql`c.type_description`,
    typeStatus: sql`c.status::text`,
    displayOrder: sql`c.display_order`,
    iconUrl: sql`c.icon_url`,
    extraConfig: sql`c.extra_config`,
    createdAt: sql`c.created_at`,
    updatedAt: sql`c.updated_at`,
  },
  sortable: {
    displayOrder: sql`c.display_order`,
    typeCode: sql`c.type_code`,
    typeValue: sql`c.type_value`,
    typeName: sql`c.type_name`,
    typeStatus: sql`c.status`,
    createdAt: sql`c.created_at`,
    updatedAt: sql`c.updated_at`,
  },
  defaultSort: { field: 'displayOrder', direction: 'asc' as const },
  tieBreak: sql`c.id`,
  where: (
    _everyone: unknown,
    { bizId, typeCode, typeStatus, enabledOnly }: Static<typeof ChannelTypeFilters>,
  ) => [
    ...(bizId === undefined ? [] : [sql`c.biz_id = ${bizId}`]),
    ...(typeCode === undefined ? [] : [sql`c.type_code = ${typeCode}`]),
    ...(typeStatus === undefined ? [] : [sql`c.status = ${typeStatus}::channel_type_status`]),
    ...(enabledOnly === true ? [sql`c.status = 'ENABLED'`] : []),
  ],
};

export const channelTypes = collection({ ...declared, filtersIn: 'body', shape: 'flat', lean: true });

export const signedChannelTypes = collection({ ...declared, filtersIn: 'query', shape: 'nested' });
