import { type Static, Type } from 'typebox';
import { selectOne } from '../contract/collection.ts';
import type { Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { transferStatuses } from './status.ts';

export const TransferRecord = Type.Object(
  {
    transferId: Type.String({ description: 'Identifier of the transfer.', examples: ['TRF_0000000001'] }),
    amount: Type.String({ description: 'Decimal, with the digits of its currency.', examples: ['1250.00'] }),
    currency: Type.String({ description: 'ISO 4217 code.', examples: ['USD'] }),
    status: Type.String({
      enum: [...transferStatuses],
      description: 'Where the transfer stands.',
      examples: ['COMPLETED'],
    }),
    createdAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
    reference: Type.Union([Type.String(), Type.Null()], {
      description: 'What the sender wrote to it, or null.',
      examples: ['Invoice 2025-118'],
    }),
  },
  { title: 'TransferRecord' },
);
export type TransferRecord = Static<typeof TransferRecord>;

/** What names a transfer. */
export const idColumn = sql`t.biz_id`;

/** What the record of `transfers t` is made of, for whoever shows it or tells of it. */
export const transferRecords = {
  record: TransferRecord,
  from: sql`transfers t`,
  columns: {
    transferId: idColumn,
    amount: sql`t.amount::text`,
    currency: sql`t.currency`,
    status: sql`t.status::text`,
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    reference: sql`t.reference`,
  },
};

/** Of a transfer that the transaction has locked or made. */
export async function selectTransferRecord(
  tx: Transaction,
  id: number,
  nowMs: number,
): Promise<TransferRecord> {
  const record = await selectOne(tx, transferRecords, [sql`t.id = ${id}`], nowMs);
  if (record === undefined) throw new Error('a locked transfer cannot be gone');
  return record;
}
