import type { Database, Queryable } from '../../db/database.ts';
import { instant, sql } from '../../db/sql.ts';
import type { KeyFacts } from './api-key-lookup.ts';

/** A nonce of a key, and what was judged of that key. */
type Asked = {
  key: KeyFacts;
  /** Of the secret that the request was signed with. */
  version: number;
  nonce: string;
  expiresAtMs: number;
  nowMs: number;
  /** Who shares the database's time as one. */
  from: string;
};

/** changed: the key or its secret is no longer what was judged, and nothing was done. */
type NonceState = 'fresh' | 'spent' | 'changed';

export type Nonces = {
  /** Fresh for the first claim of a nonce by a key, spent for every later one, in any process. */
  claim(asked: Asked): Promise<NonceState>;
  /** Tells the same and claims nothing. */
  look(asked: Asked): Promise<NonceState>;
};

const sweepBatch = 1000;
/** Kept beyond their end, as the clocks of instances differ: one must not forget what another still accepts. */
const clockMarginMs = 60_000;

/** The key, if all that was judged of it still holds. */
const asJudged = ({ key, version, nowMs }: Asked) => sql`
  select k.id from api_keys k join api_key_secrets s on s.api_key_id = k.id
  where k.id = ${key.apiKeyId} and k.status = ${key.status}::key_status and k.scopes = ${key.scopes}::text[]
    and k.ip_whitelist = ${key.ipWhitelist}::text[] and k.expires_at is not distinct from ${key.expiresAt}::timestamptz
    and s.version = ${version} and (s.expires_at is null or s.expires_at > ${instant(nowMs)})`;

const stateOf = ([row]: { isFresh: boolean }[]): NonceState =>
  row === undefined ? 'changed' : row.isFresh ? 'fresh' : 'spent';

/** A logged table: a claim that was answered is still there after a crash. */
export function createNonces(db: Pick<Database, 'shareOf'>): Nonces {
  const shareOf = ({ from, key }: Asked) => db.shareOf(from, key.apiKeyId);
  return {
    async claim(asked) {
      const rows = await shareOf(asked).query<{ isFresh: boolean }>(sql`
        with key as (${asJudged(asked)}), claimed as (
          insert into api_nonces (api_key_id, nonce, expires_at)
          select id, ${asked.nonce.toLowerCase()}::uuid, ${instant(asked.expiresAtMs)} from key
          on conflict do nothing returning 1
        )
        select exists (select 1 from claimed) as "isFresh" from key`);
      return stateOf(rows);
    },
    async look(asked) {
      const rows = await shareOf(asked).query<{ isFresh: boolean }>(sql`
        with key as (${asJudged(asked)})
        select not exists (
          select 1 from api_nonces n where n.api_key_id = key.id and n.nonce = ${asked.nonce.toLowerCase()}::uuid
        ) as "isFresh" from key`);
      return stateOf(rows);
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
