import { createHash } from 'node:crypto';
import { randomBase62 } from '../../auth/key-material.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { instant, sql } from '../../db/sql.ts';

export const refreshTokenSeconds = 30 * 86_400;
/** For two tabs that renew at once, or an answer that was lost on its way. */
const graceSeconds = 10;
const sweepBatch = 1000;

export type Renewed = { accountBizId: string; refreshToken: string };

type TokenState = { isExpired: boolean; replacedSecondsAgo: number | null; hasUsedChild: boolean };

const hashOf = (token: string) => createHash('sha256').update(token).digest();

async function insertToken(
  tx: Queryable,
  signInId: string,
  parent: Buffer | null,
  nowMs: number,
): Promise<string> {
  const token = `rt_${randomBase62()}`;
  await tx.query(sql`
    insert into refresh_tokens (token_hash, sign_in_id, parent_hash, expires_at)
    values (${hashOf(token)}, ${signInId}, ${parent}, ${instant(nowMs + refreshTokenSeconds * 1000)})`);
  return token;
}

export async function startSignIn(db: Database, accountId: number, nowMs: number): Promise<string> {
  return db.transaction(async (tx) => {
    const [row] = await tx.query<{ id: string }>(
      sql`insert into sign_ins (account_id) values (${accountId}) returning id`,
    );
    return insertToken(tx, row?.id ?? '', null, nowMs);
  });
}

/** Locks the sign-in, so that its tokens are judged and replaced one at a time. */
async function lockSignIn(
  tx: Queryable,
  hash: Buffer,
): Promise<{ id: string; accountBizId: string } | undefined> {
  const [row] = await tx.query<{ id: string; accountBizId: string }>(sql`
    select s.id, a.biz_id as "accountBizId" from sign_ins s join accounts a on a.id = s.account_id
    where s.id = (select sign_in_id from refresh_tokens where token_hash = ${hash}) and s.revoked_at is null
    for update of s`);
  return row;
}

async function selectState(tx: Queryable, hash: Buffer, nowMs: number): Promise<TokenState | undefined> {
  const now = instant(nowMs);
  const [row] = await tx.query<TokenState>(sql`
    select t.expires_at <= ${now} as "isExpired",
      extract(epoch from ${now} - t.replaced_at)::float8 as "replacedSecondsAgo",
      exists (select 1 from refresh_tokens c where c.parent_hash = t.token_hash and c.replaced_at is not null) as "hasUsedChild"
    from refresh_tokens t where t.token_hash = ${hash}`);
  return row;
}

async function revoke(tx: Queryable, signInId: string, nowMs: number): Promise<void> {
  await tx.query(
    sql`update sign_ins set revoked_at = ${instant(nowMs)} where id = ${signInId} and revoked_at is null`,
  );
}

/** Replaces a token. One that was replaced earlier than the grace allows was copied: its whole sign-in ends. */
export async function renew(db: Database, token: string, nowMs: number): Promise<Renewed | undefined> {
  const hash = hashOf(token);
  return db.transaction(async (tx) => {
    const signIn = await lockSignIn(tx, hash);
    const state = await selectState(tx, hash, nowMs);
    if (signIn === undefined || state === undefined || state.isExpired) return undefined;
    const { replacedSecondsAgo, hasUsedChild } = state;
    if (replacedSecondsAgo !== null && (replacedSecondsAgo > graceSeconds || hasUsedChild)) {
      await revoke(tx, signIn.id, nowMs);
      return undefined;
    }
    await tx.query(sql`
      update refresh_tokens set replaced_at = ${instant(nowMs)} where token_hash = ${hash} and replaced_at is null`);
    return { accountBizId: signIn.accountBizId, refreshToken: await insertToken(tx, signIn.id, hash, nowMs) };
  });
}

/** Ends the sign-in a token belongs to. A token of another account ends nothing. */
export async function endSignIn(
  db: Database,
  token: string,
  accountId: number,
  nowMs: number,
): Promise<void> {
  await db.query(sql`
    update sign_ins set revoked_at = ${instant(nowMs)}
    where id = (select sign_in_id from refresh_tokens where token_hash = ${hashOf(token)})
      and account_id = ${accountId} and revoked_at is null`);
}

/** In the order of their ids, so that two who do it at once cannot wait for each other in a circle. */
export async function endSignIns(db: Database, accountId: number, nowMs: number): Promise<void> {
  await db.query(sql`
    update sign_ins set revoked_at = ${instant(nowMs)} where id in (
      select id from sign_ins where account_id = ${accountId} and revoked_at is null order by id for update)`);
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
      delete from sign_ins s where s.id in (select sign_in_id from expired)
        and not exists (select 1 from refresh_tokens t where t.sign_in_id = s.id and t.expires_at >= ${now})
    )
    select count(*) as count from expired`);
  return row?.count === sweepBatch;
}
