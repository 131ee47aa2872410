import type { Caller } from '../../auth/open-chain.ts';
import { collection } from '../../contract/collection.ts';
import { epochMsOf } from '../../contract/date-time.ts';
import { instant, sql } from '../../db/sql.ts';
import { TransferFilters, TransferRecord } from './schema.ts';

export const transfers = collection({
  record: TransferRecord,
  filters: TransferFilters,
  filtersIn: 'query',
  shape: 'nested',
  from: sql`transfers t`,
  columns: {
    transferId: sql`t.biz_id`,
    amount: sql`t.amount::text`,
    currency: sql`t.currency`,
    status: sql`t.status::text`,
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    reference: sql`t.reference`,
  },
  sortable: {
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    amount: sql`t.amount`,
    currency: sql`t.currency`,
    status: sql`t.status`,
  },
  defaultSort: { field: 'createdAt', direction: 'desc' },
  tieBreak: sql`t.id`,
  where: (
    { workspaceId, mode }: Pick<Caller, 'mode' | 'workspaceId'>,
    { status, currency, createdFrom, createdTo },
  ) => [
    sql`t.workspace_id = ${workspaceId}`,
    sql`t.mode = ${mode}::key_mode`,
    ...(status === undefined ? [] : [sql`t.status = ${status}::transfer_status`]),
    ...(currency === undefined ? [] : [sql`t.currency = ${currency}`]),
    ...(createdFrom === undefined ? [] : [sql`t.created_at >= ${instant(epochMsOf(createdFrom))}`]),
    ...(createdTo === undefined ? [] : [sql`t.created_at < ${instant(epochMsOf(createdTo))}`]),
  ],
});
