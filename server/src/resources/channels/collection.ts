import { memberOfWorkspace } from '../../auth/portal/roles.ts';
import { shownChannel } from '../../channels/record.ts';
import { channelModes } from '../../channels/types.ts';
import { collection } from '../../contract/collection.ts';
import { equal } from '../../contract/page-statement.ts';
import { sql } from '../../db/sql.ts';
import { ChannelFilters } from './schema.ts';

const modeNames: Readonly<Record<string, string>> = channelModes;

export const channels = collection({
  record: shownChannel.record,
  filters: ChannelFilters,
  filtersIn: 'query',
  shape: 'flat',
  from: shownChannel.from,
  columns: shownChannel.columns,
  sortable: {
    createdAt: sql`c.created_at`,
    updatedAt: sql`c.updated_at`,
    name: sql`c.name`,
    typeCode: sql`c.type_code`,
    mode: sql`c.mode`,
    status: sql`c.status::text collate "C"`,
  },
  defaultSort: { field: 'createdAt', direction: 'desc' },
  tieBreak: [sql`c.created_at`, sql`c.id`],
  id: sql`c.id`,
  isSmall: true,
  place: memberOfWorkspace,
  within: [sql`c.workspace_id = place.workspace_id`, sql`c.deleted_at is null`],
  filterBy: {
    status: equal(sql`c.status`, (given) => sql`${given}::channel_status`),
    mode: equal(
      sql`c.mode`,
      (given) => sql`${given}::key_mode`,
      (mode: string) => modeNames[mode] ?? mode,
    ),
  },
});
