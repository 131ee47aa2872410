import type { Transaction } from '../../db/database.ts';
import { named, sql } from '../../db/sql.ts';

export async function updateAccount(
  tx: Transaction,
  accountId: number,
  { name, locale }: { name: string; locale: string },
): Promise<void> {
  const statement = sql`update accounts set name = ${name}, locale = ${locale} where id = ${accountId}`;
  await tx.query(named('change_account', statement));
}
