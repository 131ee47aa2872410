import { addressGroup } from '../../contract/address.ts';
import type { Queryable } from '../../db/database.ts';
import { instant, named, type Sql, sql } from '../../db/sql.ts';
import { isAddress } from './accounts.ts';

const keptMs = 30 * 86_400_000;
/** Those an account signed in from last. */
const addressesPerAccountMax = 100;
const sweepBatch = 1000;

/** Parts of the statement that signs in the `account` whose row it has locked, so that nobody else changes its addresses meanwhile. */
export function rememberAddress(address: string | null, nowMs: number): Sql {
  const group = address === null ? null : addressGroup(address);
  return sql`remembered as (
      insert into sign_in_addresses (account_id, address, signed_in_at)
      select id, ${group}::text, ${instant(nowMs)} from account where ${group}::text is not null
      on conflict (account_id, address) do update set signed_in_at = excluded.signed_in_at
    ), forgotten as (
      delete from sign_in_addresses where (account_id, address) in (
        select k.account_id, k.address from sign_in_addresses k join account on account.id = k.account_id
        where k.address is distinct from ${group}::text
        order by k.signed_in_at desc, k.address offset ${addressesPerAccountMax - 1})
    )`;
}

/** Looks in both tables whether or not there is such an account, so that the time it takes tells nothing. */
export async function hasSignedInFrom(
  db: Queryable,
  email: string,
  address: string,
  nowMs: number,
): Promise<boolean> {
  const statement = sql`
    select exists (
      select 1 from sign_in_addresses
      where account_id = coalesce((select a.id from accounts a where ${isAddress(sql`a.email`, email)}), 0)
        and address = ${address} and signed_in_at > ${instant(nowMs - keptMs)}) as "isKnown"`;
  const [row] = await db.query<{ isKnown: boolean }>(named('has_signed_in_from', statement));
  return row?.isKnown === true;
}

/** Deletes a batch of those that are known no longer; true when there may be more. */
export async function sweepSignInAddresses(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from sign_in_addresses where (account_id, address) in (
      select account_id, address from sign_in_addresses where signed_in_at <= ${instant(nowMs - keptMs)}
      order by signed_in_at limit ${sweepBatch} for update skip locked)
    returning 1`);
  return rows.length === sweepBatch;
}
