import type { Mode } from '../../auth/api-key-lookup.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { keysPerWorkspaceMax } from './schema.ts';

export type ApiKeyRow = {
  apiKeyId: string;
  workspaceId: number;
  name: string;
  mode: Mode;
  scopes: string[];
  ipWhitelist: string[];
  createdAt: string;
  sealedSecret: Buffer;
};

/** Keys of one workspace are counted under its lock, so that no two creations both take the last place. */
async function hasRoom(tx: Queryable, workspaceId: number): Promise<boolean> {
  await tx.query(sql`select 1 from workspaces where id = ${workspaceId} for no key update`);
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from api_keys where workspace_id = ${workspaceId} and status <> 'REVOKED'`);
  return (row?.count ?? 0) < keysPerWorkspaceMax;
}

/** False when the workspace is full. */
export async function insertApiKey(db: Database, key: ApiKeyRow): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await hasRoom(tx, key.workspaceId))) return false;
    await tx.query(sql`
      insert into api_keys (id, workspace_id, name, mode, scopes, ip_whitelist, created_at)
      values (${key.apiKeyId}, ${key.workspaceId}, ${key.name}, ${key.mode}::key_mode, ${key.scopes}::text[],
        ${key.ipWhitelist}::text[], ${key.createdAt}::timestamptz)`);
    await tx.query(
      sql`insert into api_key_secrets (api_key_id, version, sealed) values (${key.apiKeyId}, 1, ${key.sealedSecret})`,
    );
    return true;
  });
}
