import { randomUUID } from 'node:crypto';
import type { Database, Queryable, Transaction, Transactor } from '../../db/database.ts';
import { instant, named, type Sql, sql } from '../../db/sql.ts';
import { appendRecords } from '../../log/append.ts';
import { codeRequired } from './code-check.ts';
import { addToken, newFamily, type SignIn, signInOf } from './refresh-tokens.ts';
import { hasConfirmedFactor } from './second-factors.ts';
import { rememberAddress } from './sign-in-addresses.ts';
import { type Holder, type Origin, signInRecord } from './sign-in-records.ts';

const signInsPerAccountMax = 100;
/** Deleted with one sign-in: more than it adds, so that what was there before the bound goes too. */
const trimmedMax = 10;
const sweepBatch = 1000;

/** A sign-in that is open, and the token that goes on with it. */
export type OpenSignIn = {
  signInId: string;
  accountBizId: string;
  refreshToken: string;
  /** It ends then, however often it is renewed. */
  endsAtMs: number;
};

/** The account of the sign-in `s`. */
export const holder = sql`(select biz_id from accounts where id = s.account_id) as "accountBizId",
  (select name from accounts where id = s.account_id) as "accountName"`;

/** Passes over a sign-in that is just being renewed or swept, so that nobody waits for another in a circle. */
function trimSignIns(tx: Transaction, accountId: number, newest: string): void {
  const statement = sql`
    delete from sign_ins where id in (select id from sign_ins where id in (
        select id from sign_ins where account_id = ${accountId} and id <> ${newest}
        order by revoked_at is null desc, renewed_at desc, id desc offset ${signInsPerAccountMax - 1} limit ${trimmedMax})
      for update skip locked)`;
  tx.last(named('trim_sign_ins', statement));
}

/** What the account had when it proved who it is. It may have other ways in meanwhile. */
type Proven = { passwordHash: string; hasSecondFactor: boolean };

/** Of an account that may sign in; undefined of one that was disabled meanwhile, or has another password. Locks the account. */
async function lockHolder(
  tx: Transaction,
  accountId: number,
  passwordHash: string | undefined,
): Promise<Holder | undefined> {
  const proven = passwordHash ?? null;
  const statement = sql`
    select biz_id as "accountBizId", name as "accountName" from accounts
    where id = ${accountId} and status = 'ACTIVE' and (${proven}::text is null or password_hash = ${proven})
    for no key update`;
  const [row] = await tx.look<Holder>(named('lock_holder', statement));
  return row;
}

/** Kept with the transaction. */
function addSignIn(
  tx: Transaction,
  accountId: number,
  { address, userAgent }: Origin,
  { nowMs, endsAtMs }: { nowMs: number; endsAtMs: number },
): SignIn {
  const [now, id, family] = [instant(nowMs), randomUUID(), newFamily()];
  const statement = sql`
    with account as (
      update accounts set last_sign_in_at = ${now} where id = ${accountId} returning id
    ), ${rememberAddress(address, nowMs)}
    insert into sign_ins (id, family, account_id, created_at, renewed_at, seen_at, expires_at, ip_address, user_agent)
    select ${id}::uuid, ${family}, id, ${now}, ${now}, ${now}, ${instant(endsAtMs)}, ${address}, ${userAgent} from account`;
  tx.last(named('add_sign_in', statement));
  return { id, family };
}

type SignInServices = { db: Database; config: { signInSeconds: number }; now(): number };

/** With what was proven, unless something else than a password said who it is. */
export function startSignIn(
  services: SignInServices,
  accountId: number,
  origin: Origin,
  proven?: Proven,
): Promise<OpenSignIn | undefined> {
  return services.db.transaction((tx) => startSignInWithin(tx, services, accountId, origin, proven));
}

/** The same in a transaction that spends what it is started with. Its last statement is the record. */
export async function startSignInWithin(
  tx: Transaction,
  { config, now }: Pick<SignInServices, 'config' | 'now'>,
  accountId: number,
  origin: Origin,
  proven?: Proven,
): Promise<OpenSignIn | undefined> {
  const nowMs = now();
  const endsAtMs = nowMs + config.signInSeconds * 1000;
  const [account, hasNewFactor] = await Promise.all([
    lockHolder(tx, accountId, proven?.passwordHash),
    // A statement of its own: the one before may have waited for whoever added it, and not see it.
    proven?.hasSecondFactor === false && hasConfirmedFactor(tx, accountId),
  ]);
  if (account === undefined) return undefined;
  if (hasNewFactor) throw codeRequired();
  const signIn = addSignIn(tx, accountId, origin, { nowMs, endsAtMs });
  trimSignIns(tx, accountId, signIn.id);
  const refreshToken = addToken(tx, signIn, null, endsAtMs);
  await appendRecords(tx, [signInRecord('account.signed-in', account, origin, nowMs)]);
  return { signInId: signIn.id, accountBizId: account.accountBizId, refreshToken, endsAtMs };
}

/** In the order of their ids, so that two who do it at once cannot wait for each other in a circle. */
export async function revokeSignIns(tx: Transaction, ids: Sql, nowMs: number): Promise<Holder[]> {
  return tx.query<Holder>(sql`
    update sign_ins s set revoked_at = ${instant(nowMs)} where s.id in (
      select o.id from sign_ins o where o.id in (${ids}) and o.revoked_at is null order by o.id for update)
    returning ${holder}`);
}

/** Every one of an account; gives how many were open. */
export async function revokeAllSignIns(tx: Transaction, accountId: number, nowMs: number): Promise<number> {
  const all = sql`select s.id from sign_ins s where s.account_id = ${accountId}`;
  return (await revokeSignIns(tx, all, nowMs)).length;
}

/** Ends the sign-in a token belongs to. A token of another account ends nothing. */
export async function endSignIn(
  db: Transactor,
  token: string,
  accountId: number,
  origin: Origin,
  nowMs: number,
): Promise<void> {
  const ids = sql`select s.id from sign_ins s where s.id = ${signInOf(token)} and s.account_id = ${accountId}`;
  await endOpen(db, ids, origin, nowMs);
}

export async function endSignIns(
  db: Transactor,
  accountId: number,
  origin: Origin,
  nowMs: number,
): Promise<void> {
  await endOpen(db, sql`select s.id from sign_ins s where s.account_id = ${accountId}`, origin, nowMs);
}

async function endOpen(db: Transactor, ids: Sql, origin: Origin, nowMs: number): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await revokeSignIns(tx, ids, nowMs);
    const [account] = ended;
    if (account === undefined) return;
    const changes = { signIns: { from: ended.length, to: 0 } };
    await appendRecords(tx, [signInRecord('account.signed-out', account, origin, nowMs, changes)]);
  });
}

/** Deletes a batch of sign-ins that have ended, with their tokens; true when there may be more. */
export async function sweepSignIns(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from sign_ins where id in (
      select id from sign_ins where expires_at < ${instant(nowMs)} order by expires_at limit ${sweepBatch} for update skip locked)
    returning 1`);
  return rows.length === sweepBatch;
}
