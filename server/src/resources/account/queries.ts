import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export async function updateAccount(
  tx: Transaction,
  accountId: number,
  { name, locale }: { name: string; locale: string },
): Promise<void> {
  await tx.query(sql`update accounts set name = ${name}, locale = ${locale} where id = ${accountId}`);
}
