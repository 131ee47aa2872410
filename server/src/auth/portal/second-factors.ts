import type { Queryable, Transaction } from '../../db/database.ts';
import { instant, named, sql } from '../../db/sql.ts';
import type { Vault } from '../secrets/vault.ts';

/** Codes that may be tried one after another; each further one has to wait twice as long as the one before it. */
const freeAttempts = 5;
const waitSecondsMax = 900;

export const secondFactorOwner = (accountId: number) => `second-factor:${accountId}`;

/** Whether the account `a` has one. */
export const hasSecondFactor = sql`exists (
  select 1 from second_factors f where f.account_id = a.id and f.confirmed_at is not null)`;

export async function hasConfirmedFactor(tx: Transaction, accountId: number): Promise<boolean> {
  const statement = sql`select 1 from second_factors where account_id = ${accountId} and confirmed_at is not null`;
  const rows = await tx.look(named('has_second_factor', statement));
  return rows.length > 0;
}

type Sealed = { sealed: Buffer };

/** In the place of one that was never confirmed; false when there is one that was. */
export async function insertSecondFactor(
  tx: Transaction,
  vault: Vault,
  accountId: number,
  secret: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into second_factors as f (account_id, sealed) values (${accountId}, ${vault.seal(secret, secondFactorOwner(accountId))})
    on conflict (account_id) do update set sealed = excluded.sealed where f.confirmed_at is null returning 1`);
  return rows.length > 0;
}

/** What waits to be confirmed. */
export async function selectPending(tx: Transaction, accountId: number): Promise<Sealed | undefined> {
  const [row] = await tx.query<Sealed>(
    sql`select sealed from second_factors where account_id = ${accountId} and confirmed_at is null for update`,
  );
  return row;
}

/** The code that confirms it is used by that. */
export async function confirmSecondFactor(
  tx: Transaction,
  accountId: number,
  step: number,
  nowMs: number,
): Promise<void> {
  await tx.query(
    sql`update second_factors set confirmed_at = ${instant(nowMs)}, used_step = ${step} where account_id = ${accountId}`,
  );
}

/** With its recovery codes. False when there was none. */
export async function deleteSecondFactor(tx: Transaction, accountId: number): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from second_factors where account_id = ${accountId} and confirmed_at is not null returning 1`);
  return rows.length > 0;
}

/**
 * Takes one attempt, before the code is looked at: attempts made at once, on whatever instances, cannot slip by. Undefined when
 * it is not time for one.
 */
export async function takeAttempt(
  db: Queryable,
  accountId: number,
  nowMs: number,
): Promise<Sealed | undefined> {
  const now = instant(nowMs);
  const [row] = await db.query<Sealed>(sql`
    update second_factors set attempts = attempts + 1, next_attempt_at = case when attempts + 1 < ${freeAttempts} then ${now}
      else ${now} + least(${waitSecondsMax}, 2 ^ least(attempts + 2 - ${freeAttempts}, 20)) * interval '1 second' end
    where account_id = ${accountId} and confirmed_at is not null and next_attempt_at <= ${now} returning sealed`);
  return row;
}

/** How long until the next attempt; undefined when there is no second factor. */
export async function selectWaitMs(
  db: Queryable,
  accountId: number,
  nowMs: number,
): Promise<number | undefined> {
  const [row] = await db.query<{ waitMs: number }>(sql`
    select greatest(0, extract(epoch from next_attempt_at - ${instant(nowMs)}) * 1000)::float8 as "waitMs"
    from second_factors where account_id = ${accountId} and confirmed_at is not null`);
  return row?.waitMs;
}

/** Marks the code of a step as used, once over all instances. */
export async function useStep(
  db: Queryable,
  accountId: number,
  { sealed }: Sealed,
  step: number,
): Promise<boolean> {
  const rows = await db.query(sql`
    update second_factors set used_step = ${step}, attempts = 0, next_attempt_at = '-infinity'
    where account_id = ${accountId} and sealed = ${sealed} and used_step < ${step} returning 1`);
  return rows.length > 0;
}
