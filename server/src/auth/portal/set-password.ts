import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** With the password that it takes the place of, where that was proven: false when another one did so meanwhile. */
export async function updatePassword(
  tx: Transaction,
  accountId: number,
  { becomes, was }: { becomes: string; was?: string },
): Promise<boolean> {
  const proven = was === undefined ? sql`` : sql`and password_hash = ${was}`;
  const rows = await tx.query(
    sql`update accounts set password_hash = ${becomes} where id = ${accountId} ${proven} returning 1`,
  );
  return rows.length > 0;
}
