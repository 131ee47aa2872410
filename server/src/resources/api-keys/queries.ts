import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import type { StoredStatus } from '../../auth/signed/key-status.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { instant, named, type Sql, sql } from '../../db/sql.ts';
import { keysPerWorkspaceMax, revokedKeysMax } from './schema.ts';

const sweepBatch = 500;

/** So many days before its end it is told of a key that it expires. */
export const tellDays = [14, 3, 1] as const;

const firstTelling = (end: Sql) => sql`${end} - make_interval(days => ${tellDays[0]})`;

export type ApiKeyRow = {
  apiKeyId: string;
  workspaceId: number;
  name: string;
  mode: Mode;
  scopes: string[];
  ipWhitelist: string[];
  createdAt: string;
  expiresAt: string | null;
  sealedSecret: Buffer;
};

/**
 * Keys of one workspace are counted one after another, so that no two creations both take the last place. Not by a lock of the
 * workspace's row: whoever changes members has that, and waits for the membership that stands for the right to create.
 */
const turnOf = (workspaceId: number) =>
  named('key_turn', sql`select pg_advisory_xact_lock(hashtextextended(${`api-keys of ${workspaceId}`}, 0))`);

/** Counts with a snapshot of its own, which has all that was created before its turn. */
const insertWhereRoom = (key: ApiKeyRow) =>
  named(
    'insert_key',
    sql`
      with made as (
        insert into api_keys (id, workspace_id, name, mode, scopes, ip_whitelist, created_at, expires_at, expiry_tells_at)
        select ${key.apiKeyId}, ${key.workspaceId}, ${key.name}, ${key.mode}::key_mode, ${key.scopes}::text[],
          ${key.ipWhitelist}::text[], ${key.createdAt}::timestamptz, ${key.expiresAt}::timestamptz,
          ${firstTelling(sql`${key.expiresAt}::timestamptz`)}
        where (select count(*) from api_keys where workspace_id = ${key.workspaceId} and status <> 'REVOKED') < ${keysPerWorkspaceMax}
        returning id
      )
      insert into api_key_secrets (api_key_id, version, sealed) select id, 1, ${key.sealedSecret} from made`,
  );

/** Nothing is made when the workspace is full. */
export async function insertApiKey(tx: Transaction, key: ApiKeyRow): Promise<void> {
  await Promise.all([tx.query(turnOf(key.workspaceId)), tx.query(insertWhereRoom(key))]);
}

export async function insertSecret(
  tx: Transaction,
  apiKeyId: string,
  version: number,
  sealed: Buffer,
): Promise<void> {
  await tx.query(
    sql`insert into api_key_secrets (api_key_id, version, sealed) values (${apiKeyId}, ${version}, ${sealed})`,
  );
}

export type LockedKey = {
  apiKeyId: string;
  status: StoredStatus;
  mode: Mode;
  name: string;
  scopes: string[];
  ipWhitelist: string[];
  createdAt: string;
  expiresAt: string | null;
  secretVersion: number;
  /** Null: no previous secret works. */
  previousSecretExpiresAt: string | null;
};

/** The key as it is and stays until the transaction ends. */
export async function lockApiKey(
  tx: Transaction,
  workspaceId: number,
  apiKeyId: string,
  nowMs: number,
): Promise<LockedKey | undefined> {
  const locked = await tx.query(
    sql`select 1 from api_keys where id = ${apiKeyId} and workspace_id = ${workspaceId} for update`,
  );
  if (locked.length === 0) return undefined;
  const [row] = await tx.query<LockedKey>(sql`
    select k.id as "apiKeyId", k.status::text as status, k.mode::text as mode, k.name, k.scopes, k.ip_whitelist as "ipWhitelist",
      k.created_at as "createdAt", k.expires_at as "expiresAt", max(s.version) as "secretVersion",
      max(s.expires_at) filter (where s.expires_at > ${instant(nowMs)}) as "previousSecretExpiresAt"
    from api_keys k join api_key_secrets s on s.api_key_id = k.id where k.id = ${apiKeyId} group by k.id`);
  return row;
}

export async function updateStatus(
  tx: Transaction,
  apiKeyId: string,
  status: 'ACTIVE' | 'DISABLED',
): Promise<void> {
  await tx.query(sql`update api_keys set status = ${status}::key_status where id = ${apiKeyId}`);
}

/** Beyond the number that a workspace keeps, those revoked longest ago. */
const tooManyRevoked = (workspaceId: Sql | number) => sql`
  select k.id from api_keys k where k.workspace_id = ${workspaceId} and k.status = 'REVOKED'
  order by k.revoked_at desc nulls last, k.id desc offset ${revokedKeysMax} limit ${sweepBatch}`;

/** Locked before they are deleted, and passed over where someone else works on them, so that nobody waits in a circle. */
const deleteKeys = (ids: Sql) => sql`
  delete from api_keys where id in (select id from api_keys where id in (${ids}) for update skip locked) returning 1`;

/** The key's place in the list of revoked ones is that of the oldest, which is deleted once there are too many. */
export async function revokeApiKey(
  tx: Transaction,
  workspaceId: number,
  apiKeyId: string,
  nowMs: number,
): Promise<void> {
  await tx.query(
    sql`update api_keys set status = 'REVOKED', revoked_at = ${instant(nowMs)} where id = ${apiKeyId}`,
  );
  await tx.query(deleteKeys(tooManyRevoked(workspaceId)));
}

/** Deletes a batch of revoked keys of workspaces that have too many from before; true when there may be more. */
export async function sweepRevokedKeys(db: Queryable): Promise<boolean> {
  const ids = sql`
    select excess.id from workspaces w cross join lateral (${tooManyRevoked(sql`w.id`)}) excess limit ${sweepBatch}`;
  const rows = await db.query(deleteKeys(ids));
  return rows.length === sweepBatch;
}

/** All that may be changed of a key, as it is to be. */
type KeySettings = Pick<LockedKey, 'name' | 'scopes' | 'ipWhitelist' | 'expiresAt'>;

/** Of another end it is told anew. */
export async function updateApiKey(
  tx: Transaction,
  apiKeyId: string,
  { name, scopes, ipWhitelist, expiresAt }: KeySettings,
): Promise<void> {
  const end = sql`${expiresAt}::timestamptz`;
  await tx.query(sql`
    update api_keys set name = ${name}, scopes = ${scopes}::text[], ip_whitelist = ${ipWhitelist}::text[], expires_at = ${end},
      expiry_tells_at = case when expires_at is distinct from ${end} then ${firstTelling(end)} else expiry_tells_at end
    where id = ${apiKeyId}`);
}

/** The current secret becomes the previous one; what was previous is forgotten. */
export async function retireSecret(
  tx: Transaction,
  { apiKeyId, secretVersion }: LockedKey,
  endsAtMs: number,
): Promise<void> {
  await tx.query(
    sql`delete from api_key_secrets where api_key_id = ${apiKeyId} and version < ${secretVersion}`,
  );
  await tx.query(sql`
    update api_key_secrets set expires_at = ${instant(endsAtMs)} where api_key_id = ${apiKeyId} and version = ${secretVersion}`);
}

export async function endPreviousSecret(tx: Transaction, apiKeyId: string, nowMs: number): Promise<void> {
  const now = instant(nowMs);
  await tx.query(sql`
    update api_key_secrets set expires_at = ${now} where api_key_id = ${apiKeyId} and expires_at > ${now}`);
}
