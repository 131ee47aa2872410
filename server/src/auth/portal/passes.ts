import type { Database, Queryable } from '../../db/database.ts';
import { instant, named, sql } from '../../db/sql.ts';
import type { PassStore } from './turnstile.ts';

const sweepBatch = 1000;

export function databasePasses(db: Database): PassStore {
  return {
    async find(accountId, tokenHash, nowMs) {
      const [row] = await db.query<{ endsAtMs: number }>(sql`
        select (extract(epoch from expires_at) * 1000)::float8 as "endsAtMs" from turnstile_passes
        where account_id = ${accountId} and token_hash = ${tokenHash} and expires_at > ${instant(nowMs)}`);
      return row?.endsAtMs;
    },
    async remember(accountId, tokenHash, expiresAtMs) {
      const statement = sql`
        insert into turnstile_passes (account_id, token_hash, expires_at)
        values (${accountId}, ${tokenHash}, ${instant(expiresAtMs)})
        on conflict (account_id, token_hash) do update set expires_at = excluded.expires_at`;
      await db.query(named('remember_pass', statement));
    },
  };
}

/** Deletes a batch of what has expired, passing over rows another instance is deleting; true when there may be more. */
export async function sweepPasses(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from turnstile_passes where (account_id, token_hash) in (
      select account_id, token_hash from turnstile_passes where expires_at < ${instant(nowMs)}
      order by expires_at limit ${sweepBatch} for update skip locked)
    returning 1`);
  return rows.length === sweepBatch;
}
