import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Subject } from './access-tokens.ts';

export type Account = { id: number; bizId: string };

/** Looked up on every request: an account that is gone is refused by the next one. */
export async function findAccount(db: Queryable, { issuer, value }: Subject): Promise<Account | undefined> {
  const [row] = await db.query<Account>(
    issuer === 'portico'
      ? sql`select id, biz_id as "bizId" from accounts where biz_id = ${value}`
      : sql`
        select a.id, a.biz_id as "bizId" from accounts a join account_identities i on i.account_id = a.id
        where i.issuer = ${issuer.outside} and i.subject = ${value}`,
  );
  return row;
}
