import type { Queryable } from '../../db/database.ts';
import { named, sql } from '../../db/sql.ts';
import type { StoredStatus } from './key-status.ts';

export type Mode = 'LIVE' | 'TEST';

type StoredSecret = { version: number; sealed: Buffer; expiresAt: string | null };

/** What is judged of a key once its signature holds. */
export type KeyFacts = {
  apiKeyId: string;
  workspaceId: number;
  workspaceBizId: string;
  mode: Mode;
  status: StoredStatus;
  scopes: string[];
  ipWhitelist: string[];
  expiresAt: string | null;
};

export type StoredKey = KeyFacts & {
  /** The current one first; a former one may follow, which works until it expires. */
  secrets: StoredSecret[];
};

const keyColumns = sql`k.id as "apiKeyId", k.workspace_id as "workspaceId", w.biz_id as "workspaceBizId",
  k.mode::text as mode, k.status::text as status, k.scopes, k.ip_whitelist as "ipWhitelist", k.expires_at as "expiresAt"`;

type Row = KeyFacts & Omit<StoredSecret, 'expiresAt'> & { secretExpiresAt: string | null };

/**
 * The key of this id, or, so that its absence costs the same, any other one in its place.
 * Read on every request, so that a key revoked now is refused by the next one.
 */
export async function findKeyOrDecoy(
  db: Queryable,
  apiKeyId: string,
): Promise<{ key: StoredKey; isFound: boolean } | undefined> {
  const statement = sql`
    with wanted as (
      select coalesce(
        (select id from api_keys where id = ${apiKeyId}),
        (select min(id) from api_keys)) as id
    )
    select ${keyColumns}, s.version, s.sealed, s.expires_at as "secretExpiresAt"
    from wanted join api_keys k on k.id = wanted.id
      join workspaces w on w.id = k.workspace_id join api_key_secrets s on s.api_key_id = k.id
    order by s.version desc`;
  const rows = await db.query<Row>(named('find_key', statement));
  const [first] = rows;
  if (first === undefined) return undefined;
  const { version: _version, sealed: _sealed, secretExpiresAt: _expiresAt, ...facts } = first;
  const secrets = rows.map(({ version, sealed, secretExpiresAt }) => ({
    version,
    sealed,
    expiresAt: secretExpiresAt,
  }));
  return { key: { ...facts, secrets }, isFound: facts.apiKeyId === apiKeyId };
}

export async function findApiKey(db: Queryable, apiKeyId: string): Promise<StoredKey | undefined> {
  const found = await findKeyOrDecoy(db, apiKeyId);
  return found?.isFound ? found.key : undefined;
}

/** For a caller who may have signed with the secret of another key of the workspace. */
export async function findLiveSecrets(
  db: Queryable,
  workspaceId: number,
): Promise<{ apiKeyId: string; version: number; sealed: Buffer }[]> {
  return db.query(sql`
    select s.api_key_id as "apiKeyId", s.version, s.sealed from api_keys k join api_key_secrets s on s.api_key_id = k.id
    where k.workspace_id = ${workspaceId} and k.mode = 'LIVE' and k.status <> 'REVOKED' and s.expires_at is null
    order by k.id desc limit ${liveSecretsMax}`);
}

/** As many LIVE keys as a workspace can have. */
export const liveSecretsMax = 50;

/** The text a secret is bound to when it is sealed. */
export function secretOwner(apiKeyId: string, version: number): string {
  return `api-key:${apiKeyId}:${version}`;
}

/** A former secret works until its grace ends. */
export function isWorking({ expiresAt }: { expiresAt: string | null }, nowMs: number): boolean {
  return expiresAt === null || Date.parse(expiresAt) > nowMs;
}
