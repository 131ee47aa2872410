import { createHash } from 'node:crypto';
import { randomBase62 } from '../../auth/secrets/key-material.ts';
import type { Database, Queryable, Transaction } from '../../db/database.ts';
import { instant, type Sql, sql } from '../../db/sql.ts';
import { appendRecords } from '../../log/append.ts';
import { type Holder, type Origin, signInRecord } from './sign-in-records.ts';

export const refreshTokenSeconds = 30 * 86_400;
/** For two tabs that renew at once, or an answer that was lost on its way. */
const graceSeconds = 10;
/** More than the limit of renewals lets one token be replaced by within its grace. */
const tokensPerSignInMax = 100;
const signInsPerAccountMax = 100;
/** Deleted with one sign-in: more than it adds, so that what was there before the bound goes too. */
const trimmedMax = 10;
const sweepBatch = 1000;

const prefix = 'rt_';
const familyLength = 22;
const secretLength = 21;

export type Renewed = { accountBizId: string; refreshToken: string };

type SignIn = { id: string; family: string };
type TokenState = { isExpired: boolean; replacedSecondsAgo: number | null; hasUsedChild: boolean };

/** The account of the sign-in `s`. */
const holder = sql`(select biz_id from accounts where id = s.account_id) as "accountBizId",
  (select name from accounts where id = s.account_id) as "accountName"`;

const hashOf = (token: string) => createHash('sha256').update(token).digest();

const hasUsedChild = sql`exists (
  select 1 from refresh_tokens c where c.parent_hash = t.token_hash and c.replaced_at is not null)`;

/** The sign-in of a token, also of one that was replaced and deleted since. */
function signInOf(token: string): Sql {
  const family = token.slice(prefix.length, prefix.length + familyLength);
  return sql`coalesce(
    (select sign_in_id from refresh_tokens where token_hash = ${hashOf(token)}),
    (select id from sign_ins where family = ${family}))`;
}

async function insertToken(
  tx: Transaction,
  { id, family }: SignIn,
  parent: Buffer | null,
  nowMs: number,
): Promise<string> {
  const token = `${prefix}${family}${randomBase62().slice(-secretLength)}`;
  await tx.query(sql`
    insert into refresh_tokens (token_hash, sign_in_id, parent_hash, expires_at, has_family)
    values (${hashOf(token)}, ${id}, ${parent}, ${instant(nowMs + refreshTokenSeconds * 1000)}, true)`);
  return token;
}

/** Passes over a sign-in that is just being renewed or swept, so that nobody waits for another in a circle. */
async function trimSignIns(tx: Transaction, accountId: number): Promise<void> {
  await tx.query(sql`
    delete from sign_ins where id in (select id from sign_ins where id in (
        select id from sign_ins where account_id = ${accountId}
        order by revoked_at is null desc, renewed_at desc, id desc offset ${signInsPerAccountMax - 1} limit ${trimmedMax})
      for update skip locked)`);
}

export async function startSignIn(
  db: Database,
  accountId: number,
  origin: Origin,
  nowMs: number,
): Promise<string> {
  return db.transaction(async (tx) => {
    await trimSignIns(tx, accountId);
    const [row] = await tx.query<SignIn & Holder>(sql`
      insert into sign_ins as s (account_id, renewed_at) values (${accountId}, ${instant(nowMs)}) returning id, family, ${holder}`);
    if (row === undefined) throw new Error('an insert gives its row');
    const token = await insertToken(tx, row, null, nowMs);
    await appendRecords(tx, [signInRecord('account.signed-in', row, origin, nowMs)]);
    return token;
  });
}

/** For whom the renewals of a token count; undefined for a token that is not known. */
export async function findSignIn(db: Queryable, token: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string | null }>(sql`select ${signInOf(token)} as id`);
  return row?.id ?? undefined;
}

/** Locks the sign-in, so that its tokens are judged and replaced one at a time. */
async function lockSignIn(tx: Transaction, token: string): Promise<(SignIn & Holder) | undefined> {
  const [row] = await tx.query<SignIn & Holder>(sql`
    select s.id, s.family, ${holder} from sign_ins s
    where s.id = ${signInOf(token)} and s.revoked_at is null
    for update of s`);
  return row;
}

async function selectState(tx: Transaction, hash: Buffer, nowMs: number): Promise<TokenState | undefined> {
  const now = instant(nowMs);
  const [row] = await tx.query<TokenState>(sql`
    select t.expires_at <= ${now} as "isExpired",
      extract(epoch from ${now} - t.replaced_at)::float8 as "replacedSecondsAgo", ${hasUsedChild} as "hasUsedChild"
    from refresh_tokens t where t.token_hash = ${hash}`);
  return row;
}

async function revoke(tx: Transaction, signInId: string, nowMs: number): Promise<void> {
  await tx.query(
    sql`update sign_ins set revoked_at = ${instant(nowMs)} where id = ${signInId} and revoked_at is null`,
  );
}

/** Deletes tokens whose use would end the sign-in: without a row it does so too. The one just used stays for its grace. */
async function trimTokens(tx: Transaction, signInId: string, used: Buffer, nowMs: number): Promise<void> {
  await tx.query(sql`
    delete from refresh_tokens t where t.sign_in_id = ${signInId} and t.has_family and (
      t.replaced_at < ${instant(nowMs - graceSeconds * 1000)} or (t.replaced_at is not null and ${hasUsedChild})
      or t.token_hash in (
        select token_hash from refresh_tokens where sign_in_id = ${signInId} and has_family
        order by token_hash = ${used} desc, expires_at desc offset ${tokensPerSignInMax - 1}))`);
}

/** A token that was replaced earlier than the grace allows was copied. So was one that has no row any more. */
function isCopied(state: TokenState | undefined): boolean {
  if (state === undefined) return true;
  const { replacedSecondsAgo, hasUsedChild } = state;
  return replacedSecondsAgo !== null && (replacedSecondsAgo > graceSeconds || hasUsedChild);
}

/** Replaces a token. With one that was copied its whole sign-in ends. */
export async function renew(
  db: Database,
  token: string,
  origin: Origin,
  nowMs: number,
): Promise<Renewed | undefined> {
  const hash = hashOf(token);
  return db.transaction(async (tx) => {
    const signIn = await lockSignIn(tx, token);
    if (signIn === undefined) return undefined;
    const state = await selectState(tx, hash, nowMs);
    if (state?.isExpired) return undefined;
    if (isCopied(state)) {
      await revoke(tx, signIn.id, nowMs);
      await appendRecords(tx, [signInRecord('account.refresh-token-reused', signIn, origin, nowMs)]);
      return undefined;
    }
    await tx.query(sql`
      update refresh_tokens set replaced_at = ${instant(nowMs)} where token_hash = ${hash} and replaced_at is null`);
    await tx.query(sql`update sign_ins set renewed_at = ${instant(nowMs)} where id = ${signIn.id}`);
    await trimTokens(tx, signIn.id, hash, nowMs);
    return { accountBizId: signIn.accountBizId, refreshToken: await insertToken(tx, signIn, hash, nowMs) };
  });
}

/** Ends the sign-in a token belongs to. A token of another account ends nothing. */
export async function endSignIn(
  db: Database,
  token: string,
  accountId: number,
  origin: Origin,
  nowMs: number,
): Promise<void> {
  const ids = sql`select s.id from sign_ins s where s.id = ${signInOf(token)} and s.account_id = ${accountId}`;
  await endOpen(db, ids, origin, nowMs);
}

export async function endSignIns(
  db: Database,
  accountId: number,
  origin: Origin,
  nowMs: number,
): Promise<void> {
  await endOpen(db, sql`select s.id from sign_ins s where s.account_id = ${accountId}`, origin, nowMs);
}

/** In the order of their ids, so that two who do it at once cannot wait for each other in a circle. */
async function endOpen(db: Database, ids: Sql, origin: Origin, nowMs: number): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await tx.query<Holder>(sql`
      update sign_ins s set revoked_at = ${instant(nowMs)} where s.id in (
        select o.id from sign_ins o where o.id in (${ids}) and o.revoked_at is null order by o.id for update)
      returning ${holder}`);
    const [account] = ended;
    if (account === undefined) return;
    const changes = { signIns: { from: ended.length, to: 0 } };
    await appendRecords(tx, [signInRecord('account.signed-out', account, origin, nowMs, changes)]);
  });
}

/** Deletes a batch of expired tokens, and the sign-ins they were the last of; true when there may be more. */
export async function sweepSignIns(db: Queryable, nowMs: number): Promise<boolean> {
  const now = instant(nowMs);
  const [row] = await db.query<{ count: number }>(sql`
    with expired as (
      delete from refresh_tokens where token_hash in (
        select token_hash from refresh_tokens where expires_at < ${now}
        order by expires_at limit ${sweepBatch} for update skip locked)
      returning sign_in_id
    ), ended as (
      delete from sign_ins where id in (
        select s.id from sign_ins s where s.id in (select sign_in_id from expired)
          and not exists (select 1 from refresh_tokens t where t.sign_in_id = s.id and t.expires_at >= ${now})
        for update skip locked)
    )
    select count(*) as count from expired`);
  return row?.count === sweepBatch;
}

/** Deletes a batch of tokens whose use would end their sign-in: without a row it does so too. True when there may be more. */
export async function sweepReplacedTokens(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from refresh_tokens where token_hash in (
      select token_hash from refresh_tokens where has_family and replaced_at < ${instant(nowMs - graceSeconds * 1000)}
      order by replaced_at limit ${sweepBatch} for update skip locked)
    returning 1`);
  return rows.length === sweepBatch;
}
