import { anyAccount, workspaceOfKey } from '../../auth/portal/roles.ts';
import { collection } from '../../contract/collection.ts';
import { equal } from '../../contract/page-statement.ts';
import { type Sql, sql } from '../../db/sql.ts';
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
  tieBreak: [sql`c.id`],
  id: sql`c.id`,
  isSmall: true as const,
  within: [],
  filterBy: {
    bizId: equal(sql`c.biz_id`),
    typeCode: equal(sql`c.type_code`),
    typeStatus: equal(sql`c.status`, (given) => sql`${given}::channel_type_status`),
    enabledOnly: { where: (given: Sql) => sql`(c.status = 'ENABLED' or not ${given}::boolean)` },
  },
};

export const channelTypes = collection({
  ...declared,
  place: anyAccount,
  filtersIn: 'body',
  shape: 'flat',
  lean: true,
});

export const signedChannelTypes = collection({
  ...declared,
  place: workspaceOfKey,
  filtersIn: 'query',
  shape: 'nested',
});
