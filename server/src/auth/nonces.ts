import type { Database, Queryable } from '../db/database.ts';
import { instant, sql } from '../db/sql.ts';
import { type KeyFacts, keyColumns } from './api-key-lookup.ts';

type KeyClaim = {
  apiKeyId: string;
  version: number;
  nonce: string;
  expiresAtMs: number;
  nowMs: number;
};

export type NonceStore = {
  /** True for the first claim of a nonce by a key, false for every later one, in any process. */
  claim(apiKeyId: string, nonce: string, expiresAtMs: number): Promise<boolean>;
  /** The same, together with the key as it is now; undefined when that version of its secret does not work. */
  claimWithKey(claim: KeyClaim): Promise<{ isFirst: boolean; key: KeyFacts } | undefined>;
};

const sweepBatch = 1000;
/** Kept beyond their end, as the clocks of instances differ: one must not forget what another still accepts. */
export const clockMarginMs = 60_000;

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
    async claimWithKey({ apiKeyId, version, nonce, expiresAtMs, nowMs }) {
      const [row] = await db.query<KeyFacts & { isFirst: boolean }>(sql`
        with key as (
          select ${keyColumns} from api_keys k join workspaces w on w.id = k.workspace_id
            join api_key_secrets s on s.api_key_id = k.id
          where k.id = ${apiKeyId} and s.version = ${version} and (s.expires_at is null or s.expires_at > ${instant(nowMs)})
        ), claimed as (
          insert into api_nonces (api_key_id, nonce, expires_at)
          select "apiKeyId", ${nonce.toLowerCase()}::uuid, ${instant(expiresAtMs)} from key
          on conflict do nothing returning 1
        )
        select key.*, exists (select 1 from claimed) as "isFirst" from key`);
      if (row === undefined) return undefined;
      const { isFirst, ...key } = row;
      return { isFirst, key };
    },
  };
}

/** Deletes a batch of what has expired, passing over rows another instance is deleting; true when there may be more. */
export async function sweepNonces(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from api_nonces where (api_key_id, nonce) in (
      select api_key_id, nonce from api_nonces where expires_at < ${instant(nowMs - clockMarginMs)}
      order by expires_at limit ${sweepBatch} for update skip locked)
    returning 1`);
  return rows.length === sweepBatch;
}
