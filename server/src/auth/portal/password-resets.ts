import type { Queryable, Transaction } from '../../db/database.ts';
import { instant, sql } from '../../db/sql.ts';
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

/** Deletes a batch of links that have expired; true when there may be more. */
export async function sweepPasswordResets(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from password_resets where account_id in (
      select account_id from password_resets where expires_at <= ${instant(nowMs)}
      order by expires_at limit ${sweepBatch} for update skip locked)
    returning 1`);
  return rows.length === sweepBatch;
}
