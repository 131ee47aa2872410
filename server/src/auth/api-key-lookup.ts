import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export type Mode = 'LIVE' | 'TEST';
export type SealedSecret = { version: number; sealed: Buffer };

export type StoredKey = {
  apiKeyId: string;
  workspaceId: number;
  mode: Mode;
  status: 'ACTIVE' | 'DISABLED' | 'REVOKED';
  scopes: string[];
  ipWhitelist: string[];
  expiresAt: string | null;
  secrets: SealedSecret[];
};

type Row = Omit<StoredKey, 'secrets'> & { versions: number[]; sealed: Buffer[] };

/** On every request, so that a key revoked now is refused by the next one. */
export async function findApiKey(db: Queryable, apiKeyId: string): Promise<StoredKey | undefined> {
  const [row] = await db.query<Row>(sql`
    select k.id as "apiKeyId", k.workspace_id as "workspaceId", k.mode::text as mode, k.status::text as status,
      k.scopes, k.ip_whitelist as "ipWhitelist", k.expires_at as "expiresAt",
      array_agg(s.version order by s.version desc) as versions, array_agg(s.sealed order by s.version desc) as sealed
    from api_keys k join api_key_secrets s on s.api_key_id = k.id
    where k.id = ${apiKeyId} group by k.id`);
  if (row === undefined) return undefined;
  const { versions, sealed, ...key } = row;
  return {
    ...key,
    secrets: versions.map((version, index) => ({ version, sealed: sealed[index] as Buffer })),
  }; // two aggregates over the same rows
}

/** The text a secret is bound to when it is sealed. */
export function secretOwner(apiKeyId: string, version: number): string {
  return `api-key:${apiKeyId}:${version}`;
}
