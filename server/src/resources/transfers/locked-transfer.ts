import type { Static } from 'typebox';
import { ApiError } from '../../contract/api-error.ts';
import { selectOne } from '../../contract/collection.ts';
import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type LockedTransfer, lockTransfer } from '../../transfers/queries.ts';
import { transfers } from './collection.ts';
import type { TransferRecord } from './schema.ts';

export const noTransfer = 'the workspace has no such transfer';

/** Every change is made on the locked transfer. */
export async function lockedTransfer(tx: Transaction, where: Sql): Promise<LockedTransfer> {
  const transfer = await lockTransfer(tx, where);
  if (transfer === undefined) throw new ApiError('4040', noTransfer);
  return transfer;
}

/** And answered with what the transfer then is. */
export async function recordOf(
  tx: Transaction,
  id: number,
  nowMs: number,
): Promise<Static<typeof TransferRecord>> {
  const record = await selectOne(tx, transfers, [sql`t.id = ${id}`], nowMs);
  if (record === undefined) throw new Error('a locked transfer cannot be gone');
  return record;
}
