import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Subject } from './access-tokens.ts';

export type Account = { id: number; bizId: string };

/** What an outside issuer calls a person. */
export type Identity = { issuer: string; subject: string };

/** Capitals do not matter. Both sides in the column's collation: the database's own may fold more letters than the index did. */
export const isAddress = (column: Sql, email: Sql | string) =>
  sql`lower(${column}) = lower(${email}::text collate "C")`;

/**
 * Whether the account `a` may act: it is active, and the sign-in that the access token names is open and its own. A token of an
 * outside issuer names none.
 */
export const mayAct = (
  signIn: Sql | string | null,
) => sql`a.status = 'ACTIVE' and (${signIn}::uuid is null or exists (
  select 1 from sign_ins s where s.id = ${signIn}::uuid and s.account_id = a.id and s.revoked_at is null))`;

/** The sign-in `s` of the account `a`, as it is now and stays until the end of the transaction. */
const heldSignIn = (signIn: string | null) => sql`lateral (
      select s.id from sign_ins s where s.id = ${signIn}::uuid and s.account_id = a.id and s.revoked_at is null for share
    ) s on true`;

/**
 * The same for a write, as `a`: account and sign-in stay as they are until it is over, so that one who is signed out meanwhile
 * either has written or does not write. The account first, for everyone: two who wait for each other's would wait for ever.
 */
export const lockedAccount = (account: string, signIn: string | null, lock = sql`for share`) => sql`
  lateral (
    select a.* from (select a.* from accounts a where a.biz_id = ${account} and a.status = 'ACTIVE' ${lock}) a
    left join ${heldSignIn(signIn)}
    where ${signIn}::uuid is null or s.id is not null
  ) a`;

/** Looked up on every request: an account that is gone is refused by the next one. */
export async function findAccount(
  db: Queryable,
  { issuer, value, signIn }: Subject,
): Promise<Account | undefined> {
  const [row] = await db.query<Account>(
    issuer === 'portico'
      ? sql`select a.id, a.biz_id as "bizId" from accounts a where a.biz_id = ${value} and ${mayAct(signIn)}`
      : sql`
        select a.id, a.biz_id as "bizId" from accounts a join account_identities i on i.account_id = a.id
        where i.issuer = ${issuer.outside} and i.subject = ${value} and ${mayAct(null)}`,
  );
  return row;
}

/** Binds a person to an account; false for who is bound already. */
export async function insertIdentity(
  tx: Transaction,
  accountId: number,
  { issuer, subject }: Identity,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into account_identities (issuer, subject, account_id) values (${issuer}, ${subject}, ${accountId})
    on conflict (issuer, subject) do nothing returning 1`);
  return rows.length > 0;
}
