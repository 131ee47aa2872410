import type { Account, Identity } from '../../auth/portal/accounts.ts';
import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** The account that was bound to the person, whether or not it may sign in. Never found by e-mail. */
export async function findBoundAccount(
  db: Queryable,
  { issuer, subject }: Identity,
): Promise<(Account & { isActive: boolean }) | undefined> {
  const [row] = await db.query<Account & { isActive: boolean }>(sql`
    select a.id, a.biz_id as "bizId", a.status = 'ACTIVE' as "isActive"
    from account_identities i join accounts a on a.id = i.account_id
    where i.issuer = ${issuer} and i.subject = ${subject}`);
  return row;
}
