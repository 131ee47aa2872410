import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

export class MigrationError extends Error {}

type Migration = { id: number; name: string; text: string; checksum: string };

const directory = new URL('./migrations/', import.meta.url);
/** Any constant: it only has to be the same in every instance that starts. */
const lockId = 7_023_640_001;

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, directory), 'utf8');
      return {
        id: Number(name.slice(0, 4)),
        name,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      };
    }),
  );
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  );
  const server = rows[0];
  if (server === undefined || server.version < 150000) {
    throw new MigrationError('DATABASE_URL: PostgreSQL 15 or newer is needed');
  }
  if (server.encoding !== 'UTF8') {
    throw new MigrationError(
      `DATABASE_URL: the database must be encoded in UTF8, it is in ${server.encoding}`,
    );
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.text);
    await client.query('insert into schema_migrations (id, name, checksum) values ($1, $2, $3)', [
      migration.id,
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function applyMissing(client: pg.Client, migrations: Migration[]): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    id int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`);
  const { rows } = await client.query<{ id: number; name: string; checksum: string }>(
    'select id, name, checksum from schema_migrations order by id',
  );
  for (const row of rows) {
    const known = migrations.find((migration) => migration.id === row.id);
    if (known === undefined)
      throw new MigrationError(`the database is newer than this server: it has migration ${row.name}`);
    if (known.checksum !== row.checksum)
      throw new MigrationError(`migration ${row.name} was changed after it was applied`);
  }
  const applied = new Set(rows.map((row) => row.id));
  for (const migration of migrations) if (!applied.has(migration.id)) await apply(client, migration);
}

/** Safe to run from any number of instances at once: one works, the others wait and find nothing to do. */
export async function migrate(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: 10_000,
    application_name: 'portico migrate',
  });
  await client.connect().catch((error: Error & { code?: string }) => {
    throw new MigrationError(`DATABASE_URL: cannot connect to the database: ${error.message || error.code}`);
  });
  try {
    await checkServer(client);
    await client.query('select pg_advisory_lock($1)', [lockId]);
    await applyMissing(client, await readMigrations());
  } finally {
    await client.end(); // ends the session, and with it the lock
  }
}
