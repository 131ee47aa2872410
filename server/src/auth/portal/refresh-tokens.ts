import { createHash, randomBytes } from 'node:crypto';
import type { Queryable, Transaction } from '../../db/database.ts';
import { instant, named, type Sql, sql } from '../../db/sql.ts';
import { randomBase62 } from '../secrets/key-material.ts';

/** For two tabs that renew at once, or an answer that was lost on its way. */
export const graceSeconds = 10;
const sweepBatch = 1000;

const prefix = 'rt_';
const familyLength = 22;
const secretLength = 21;

export type SignIn = { id: string; family: string };

/** What every token of a new sign-in begins with. */
export const newFamily = () => randomBytes(familyLength / 2).toString('hex');

export const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** The sign-in of a token, also of one that was replaced and deleted since. */
export function signInOf(token: string): Sql {
  const family = token.slice(prefix.length, prefix.length + familyLength);
  return sql`coalesce(
    (select sign_in_id from refresh_tokens where token_hash = ${hashOf(token)}),
    (select id from sign_ins where family = ${family}))`;
}

/** A new token of a sign-in, kept with the transaction. */
export function addToken(
  tx: Transaction,
  { id, family }: SignIn,
  parent: Buffer | null,
  endsAtMs: number,
): string {
  const token = `${prefix}${family}${randomBase62().slice(-secretLength)}`;
  const statement = sql`
    insert into refresh_tokens (token_hash, sign_in_id, parent_hash, expires_at, has_family)
    values (${hashOf(token)}, ${id}, ${parent}, ${instant(endsAtMs)}, true)`;
  tx.last(named('add_refresh_token', statement));
  return token;
}

/** For whom the renewals of a token count; undefined for a token that is not known. */
export async function findSignIn(db: Queryable, token: string): Promise<string | undefined> {
  const statement = sql`select ${signInOf(token)} as id`;
  const [row] = await db.query<{ id: string | null }>(named('find_sign_in', statement));
  return row?.id ?? undefined;
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
