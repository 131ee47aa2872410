import type { Database, Queryable } from '../../db/database.ts';
import { orUnavailable } from '../../db/faults.ts';
import { filled, instant, named, parameter, sql } from '../../db/sql.ts';
import { createBatches } from '../../queue/batches.ts';
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

/** A commit each is what they would cost most: those that arrive together have one. */
const batch = { sizeMax: 64, atOnceMax: 2, waiting: { waitingMax: 4000, waitingEach: 2000, waitMs: 1200 } };

/** The nonces whose keys are still what was judged of them, numbered as they were asked. */
const asJudged = sql`
  select a.n::int, k.id, a.nonce, a.expires_at
  from unnest(${parameter('keys')}::text[], ${parameter('nonces')}::uuid[], ${parameter('ends')}::float8[], ${parameter('times')}::float8[],
    ${parameter('statuses')}::key_status[], ${parameter('scopes')}::jsonb[], ${parameter('whitelists')}::jsonb[],
    ${parameter('keyEnds')}::timestamptz[], ${parameter('versions')}::int[]
  ) with ordinality a(id, nonce, expires_at, now_at, status, scopes, ip_whitelist, key_expires_at, version, n)
  join api_keys k on k.id = a.id and k.status = a.status and to_jsonb(k.scopes) = a.scopes and to_jsonb(k.ip_whitelist) = a.ip_whitelist
    and k.expires_at is not distinct from a.key_expires_at
  join api_key_secrets s on s.api_key_id = k.id and s.version = a.version
    and (s.expires_at is null or s.expires_at > ${instant(sql`a.now_at`)})`;

const columnsOf = (asked: readonly Asked[]) => ({
  keys: asked.map(({ key }) => key.apiKeyId),
  nonces: asked.map(({ nonce }) => nonce.toLowerCase()),
  ends: asked.map(({ expiresAtMs }) => expiresAtMs),
  times: asked.map(({ nowMs }) => nowMs),
  statuses: asked.map(({ key }) => key.status),
  scopes: asked.map(({ key }) => JSON.stringify(key.scopes)),
  whitelists: asked.map(({ key }) => JSON.stringify(key.ipWhitelist)),
  keyEnds: asked.map(({ key }) => key.expiresAt),
  versions: asked.map(({ version }) => version),
});

/** In the order of their names, so that two batches that wait for one another's nonces do it in one direction. */
const claimAll = named(
  'claim_nonces',
  sql`
  with key as materialized (${asJudged}), claimed as (
    insert into api_nonces (api_key_id, nonce, expires_at)
    select id, nonce, ${instant(sql`expires_at`)} from key order by id, nonce
    on conflict do nothing returning api_key_id, nonce
  )
  select key.n, c.nonce is not null as "isFresh" from key left join claimed c on c.api_key_id = key.id and c.nonce = key.nonce`,
);

const claiming = (asked: readonly Asked[]) => filled(claimAll, columnsOf(asked));

/** Prepares the statement on a connection. */
export async function claimNothing(db: Queryable): Promise<void> {
  await db.query(claiming([]));
}

const look = sql`
  with key as (${asJudged})
  select key.n, not exists (
    select 1 from api_nonces c where c.api_key_id = key.id and c.nonce = key.nonce
  ) as "isFresh" from key`;

type Found = { n: number; isFresh: boolean };

function statesOf(asked: readonly Asked[], rows: readonly Found[]): NonceState[] {
  const states = asked.map((): NonceState => 'changed');
  for (const { n, isFresh } of rows) states[n - 1] = isFresh ? 'fresh' : 'spent';
  return states;
}

/** A logged table: a claim that was answered is still there after a crash. */
export function createNonces(db: Pick<Database, 'query' | 'shareOf'>): Nonces {
  const claims = createBatches<Asked, NonceState>({
    ...batch,
    nameOf: ({ key, nonce }) => `${key.apiKeyId}:${nonce.toLowerCase()}`,
    work: async (asked) => statesOf(asked, await db.query<Found>(claiming(asked))),
  });
  return {
    claim: (asked) => orUnavailable(claims.run(asked.from, asked.key.apiKeyId, asked)),
    async look(asked) {
      const rows = await db
        .shareOf(asked.from, asked.key.apiKeyId)
        .query<Found>(filled(look, columnsOf([asked])));
      return rows.length === 0 ? 'changed' : rows[0]?.isFresh ? 'fresh' : 'spent';
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
