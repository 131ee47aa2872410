import { ApiError } from '../../contract/api-error.ts';
import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import { type LockedTransfer, lockTransfer } from '../../transfers/queries.ts';

export const noTransfer = 'the workspace has no such transfer';

/** Every change is made on the locked transfer. */
export async function lockedTransfer(tx: Transaction, where: Sql): Promise<LockedTransfer> {
  const transfer = await lockTransfer(tx, where);
  if (transfer === undefined) throw new ApiError('4040', noTransfer);
  return transfer;
}
