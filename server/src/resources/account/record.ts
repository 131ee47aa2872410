import type { Static } from 'typebox';
import { hasSecondFactor } from '../../auth/portal/second-factors.ts';
import { selectOne } from '../../contract/collection.ts';
import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AccountRecord } from './schema.ts';

const accounts = {
  record: AccountRecord,
  from: sql`accounts a`,
  columns: {
    accountId: sql`a.biz_id`,
    email: sql`a.email`,
    name: sql`a.name`,
    locale: sql`a.locale`,
    hasSecondFactor,
    createdAt: sql`a.created_at`,
  },
};

/** An account as its owner sees it. */
export async function selectAccount(
  db: Queryable,
  accountId: number,
  nowMs: number,
): Promise<Static<typeof AccountRecord>> {
  const record = await selectOne(db, accounts, [sql`a.id = ${accountId}`], nowMs, 'account_record');
  if (record === undefined) throw new Error('an account that was just found cannot be gone');
  return record;
}
