import { workspaceOfKey } from '../../auth/portal/roles.ts';
import { collection } from '../../contract/collection.ts';
import { epochMsOf } from '../../contract/date-time.ts';
import { equal } from '../../contract/page-statement.ts';
import { instant, sql } from '../../db/sql.ts';
import { transferRecords } from '../../transfers/record.ts';
import { TransferFilters } from './schema.ts';

export const transfers = collection({
  ...transferRecords,
  filters: TransferFilters,
  filtersIn: 'query',
  shape: 'nested',
  sortable: {
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    amount: sql`t.amount`,
    currency: sql`t.currency`,
    status: sql`t.status`,
  },
  defaultSort: { field: 'createdAt', direction: 'desc' },
  tieBreak: [sql`t.created_at`, sql`t.id`],
  id: sql`t.id`,
  place: workspaceOfKey,
  within: [sql`t.workspace_id = place.workspace_id`, sql`t.mode = place.mode`],
  filterBy: {
    status: equal(sql`t.status`, (given) => sql`${given}::transfer_status`),
    currency: equal(sql`t.currency`),
    createdFrom: { where: (given) => sql`t.created_at >= ${instant(given)}`, read: epochMsOf },
    createdTo: { where: (given) => sql`t.created_at < ${instant(given)}`, read: epochMsOf },
    reference: { where: (given) => sql`t.reference = ${given} and octet_length(t.reference) <= 560` },
    updatedFrom: { where: (given) => sql`t.updated_at >= ${instant(given)}`, read: epochMsOf },
    updatedTo: { where: (given) => sql`t.updated_at < ${instant(given)}`, read: epochMsOf },
  },
  tallies: [
    {
      name: 'transfers',
      scope: { workspace_id: sql`place.workspace_id`, mode: sql`place.mode` },
      dimensions: { status: 'status', currency: 'currency' },
      time: 'createdAt',
      from: 'createdFrom',
      to: 'createdTo',
    },
    {
      name: 'transfers_updated',
      scope: { workspace_id: sql`place.workspace_id` },
      dimensions: { mode: sql`place.mode` },
      time: 'updatedAt',
      from: 'updatedFrom',
      to: 'updatedTo',
    },
  ],
});
