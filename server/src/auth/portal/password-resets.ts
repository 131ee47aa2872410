import type { Queryable, Transaction } from '../../db/database.ts';
import { instant, sql } from '../../db/sql.ts';
import type { Locale } from '../../mail/kinds.ts';
import { hashOfOneTimeToken, newOneTimeToken } from '../secrets/one-time-token.ts';

/** How long a link holds: one that was mailed, and one that an operator hands over. */
export const resetLifeMs = { mailed: 3_600_000, handedOver: 24 * 3_600_000 };
const sweepBatch = 1000;

/** The token of a new link. The one before it works no more. */
export async function insertPasswordReset(
  tx: Transaction,
  accountId: number,
  lifeMs: number,
  nowMs: number,
): Promise<string> {
  const token = newOneTimeToken();
  await tx.query(sql`
    insert into password_resets (account_id, token_hash, expires_at)
    values (${accountId}, ${hashOfOneTimeToken(token)}, ${instant(nowMs + lifeMs)})
    on conflict (account_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`);
  return token;
}

const isOpen = (token: string, nowMs: number) =>
  sql`r.token_hash = ${hashOfOneTimeToken(token)} and r.expires_at > ${instant(nowMs)}`;

/** Whether a link works, before anything is spent on it. */
export async function hasPasswordReset(db: Queryable, token: string, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`select 1 from password_resets r where ${isOpen(token, nowMs)}`);
  return rows.length > 0;
}

export type ResetHolder = { id: number; bizId: string; name: string; email: string; locale: Locale };

/** The account of a link that works, locked. Whoever comes second finds that it was used. */
export async function usePasswordReset(
  tx: Transaction,
  token: string,
  nowMs: number,
): Promise<ResetHolder | undefined> {
  const [account] = await tx.query<ResetHolder>(sql`
    select a.id, a.biz_id as "bizId", a.name, a.email, a.locale from accounts a
    where a.status = 'ACTIVE' and a.id = (select r.account_id from password_resets r where ${isOpen(token, nowMs)})
    for no key update`);
  if (account === undefined) return undefined;
  const used = await tx.query(sql`delete from password_resets r where ${isOpen(token, nowMs)} returning 1`);
  return used.length > 0 ? account : undefined;
}

/** Whoever has set a password has no use for a link that sets one. */
export async function deletePasswordReset(tx: Transaction, accountId: number): Promise<void> {
  await tx.query(sql`delete from password_resets where account_id = ${accountId}`);
}

/** Deletes a batch of links that have expired; true when there may be more. */
export async function sweepPasswordResets(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from password_resets where account_id in (
      select account_id from password_resets where expires_at <= ${instant(nowMs)}
      order by expires_at limit ${sweepBatch} for update skip locked)
    returning 1`);
  return rows.length === sweepBatch;
}
