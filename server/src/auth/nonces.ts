import type { Database } from '../db/database.ts';
import { instant, sql } from '../db/sql.ts';

export type NonceStore = {
  /** True for the first claim of a nonce by a key, false for every later one, in any process. */
  claim(apiKeyId: string, nonce: string, expiresAtMs: number): Promise<boolean>;
};

const sweepBatch = 1000;

/** A logged table: a claim that was answered is still there after a crash. */
export function databaseNonces(db: Database): NonceStore {
  return {
    async claim(apiKeyId, nonce, expiresAtMs) {
      const rows = await db.query(sql`
        insert into api_nonces (api_key_id, nonce, expires_at)
        values (${apiKeyId}, ${nonce.toLowerCase()}::uuid, ${instant(expiresAtMs)})
        on conflict do nothing returning 1`);
      return rows.length === 1;
    },
  };
}

/** Deletes a batch of what has expired, passing over rows another instance is deleting; true when there may be more. */
export async function sweepNonces(db: Database, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from api_nonces where (api_key_id, nonce) in (
      select api_key_id, nonce from api_nonces where expires_at < ${instant(nowMs)}
      order by expires_at limit ${sweepBatch} for update skip locked)
    returning 1`);
  return rows.length === sweepBatch;
}
