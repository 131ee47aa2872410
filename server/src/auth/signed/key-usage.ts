import type { Transactor } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

type Use = { apiKeyId: string; version: number; atMs: number; ip: string };

/** When and from where keys were last used: collected in memory and written together, not once a request. */
export type KeyUsage = {
  note(apiKeyId: string, version: number, ip: string, atMs: number): void;
  flush(db: Transactor): Promise<void>;
};

export function createKeyUsage(): KeyUsage {
  let pending = new Map<string, Use>();
  return {
    note(apiKeyId, version, ip, atMs) {
      pending.set(`${apiKeyId}:${version}`, { apiKeyId, version, atMs, ip });
    },
    async flush(db) {
      const uses = [...pending.values()];
      if (uses.length === 0) return;
      pending = new Map();
      try {
        await writeUses(db, uses);
      } catch (error) {
        for (const use of uses) {
          const key = `${use.apiKeyId}:${use.version}`;
          if (!pending.has(key)) pending.set(key, use);
        }
        throw error;
      }
    },
  };
}

/** Rows are taken in the order of their keys, so that two instances cannot wait for each other in a circle. */
async function writeUses(db: Transactor, uses: Use[]): Promise<void> {
  uses.sort((a, b) => (a.apiKeyId < b.apiKeyId ? -1 : a.apiKeyId > b.apiKeyId ? 1 : a.version - b.version));
  const used = sql`unnest(${uses.map((use) => use.apiKeyId)}::text[], ${uses.map((use) => use.version)}::int[],
    ${uses.map((use) => use.atMs / 1000)}::float8[], ${uses.map((use) => use.ip)}::text[]) as u (id, version, at, ip)`;
  await db.transaction(async (tx) => {
    await tx.query(sql`
      select 1 from api_keys k where k.id in (select u.id from ${used}) order by k.id for no key update`);
    await tx.query(sql`
      update api_keys k set last_used_at = to_timestamp(u.at), last_used_ip = u.ip
      from (select distinct on (id) * from ${used} order by id, at desc) u
      where k.id = u.id and (k.last_used_at is null or k.last_used_at < to_timestamp(u.at))`);
    await tx.query(sql`
      update api_key_secrets s set last_used_at = to_timestamp(u.at) from ${used}
      where s.api_key_id = u.id and s.version = u.version and (s.last_used_at is null or s.last_used_at < to_timestamp(u.at))`);
  });
}
