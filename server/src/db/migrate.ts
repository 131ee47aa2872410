import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { cancelStatement, known } from './connection.ts';
import { applyFunctions, type FunctionFile, findStale, readFunctions } from './functions.ts';
import type { Queryable } from './pool.ts';
import { trusted } from './sql.ts';

export class MigrationError extends Error {}

type Migration = { id: number; name: string; text: string; checksum: string };

const directory = new URL('./migrations/', import.meta.url);
/** Any constant: it only has to be the same in every instance that starts. */
const lockId = 7_023_640_001;
const lockNotAvailable = '55P03';

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

const hasTable = `select to_regclass('schema_migrations') is not null as found`;

type Applied = { id: number; name: string; checksum: string };

/** The migrations that the database lacks; refuses a database that is not of this server's history. */
function missingFrom(applied: readonly Applied[], migrations: Migration[]): Migration[] {
  for (const row of applied) {
    const known = migrations.find((migration) => migration.id === row.id);
    if (known === undefined)
      throw new MigrationError(`the database is newer than this server: it has migration ${row.name}`);
    if (known.checksum !== row.checksum)
      throw new MigrationError(`migration ${row.name} was changed after it was applied`);
  }
  const ids = new Set(applied.map(({ id }) => id));
  return migrations.filter(({ id }) => !ids.has(id));
}

const selectApplied = 'select id, name, checksum from schema_migrations order by id';

async function findMissing(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const [table] = (await client.query<{ found: boolean }>(hasTable)).rows;
  if (!table?.found) return migrations;
  return missingFrom((await client.query<Applied>(selectApplied)).rows, migrations);
}

/** The processes of PostgreSQL that hold it; asked once the wait has ended the transaction. */
async function findHolders(client: pg.Client): Promise<string> {
  await client.query('rollback');
  const { rows } = await client.query<{ pids: string | null }>(
    `select string_agg(pid::text, ', ') as pids from pg_locks
     where locktype = 'advisory' and granted and (classid::bigint << 32 | objid::bigint) = $1
       and database = (select oid from pg_database where datname = current_database())`,
    [lockId],
  );
  return rows[0]?.pids ?? 'unknown';
}

/** Until the transaction ends: a lock of the session would stay behind in the connection of a pooler. */
async function lock(client: pg.Client, waitMs: number): Promise<void> {
  await client.query(`set local lock_timeout to ${waitMs}`);
  await client.query('select pg_advisory_xact_lock($1)', [lockId]).catch(async (error: { code?: string }) => {
    if (error.code !== lockNotAvailable) throw error;
    throw new MigrationError(
      `another session has held the lock of the migrations for ${waitMs / 1000} s: wait for the instance that migrates, or end that session, process ${await findHolders(client)} of PostgreSQL (docs/operating.md)`,
    );
  });
  await client.query('set local lock_timeout to default');
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(migration.text);
  await client.query('insert into schema_migrations (id, name, checksum) values ($1, $2, $3)', [
    migration.id,
    migration.name,
    migration.checksum,
  ]);
}

type Wanted = { migrations: Migration[]; functions: FunctionFile[] };

/**
 * Each in a transaction of its own, in which it is asked again what is missing: another instance may have been faster. The last
 * one brings the functions.
 */
async function applyNext(
  client: pg.Client,
  { migrations, functions }: Wanted,
  waitMs: number,
): Promise<void> {
  await client.query('begin');
  try {
    await lock(client, waitMs);
    // Also lets this session see a table that another made meanwhile: waiting for an advisory lock alone does not.
    await client.query(`create table if not exists schema_migrations (
      id int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`);
    const [next, ...later] = await findMissing(client, migrations);
    if (next !== undefined) await apply(client, next);
    if (later.length === 0) await applyFunctions(client, functions);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {}); // what went wrong before is what the operator must read
    throw error;
  }
}

async function isBehind(client: pg.Client, { migrations, functions }: Wanted): Promise<boolean> {
  return (
    (await findMissing(client, migrations)).length > 0 || (await findStale(client, functions)).length > 0
  );
}

/** Whether the database has all that this release needs, for who must not bring it there. */
export async function isMigrated(db: Queryable): Promise<boolean> {
  const [table] = await db.query<{ found: boolean }>(trusted(hasTable));
  if (!table?.found) return false;
  const applied = await db.query<Applied>(trusted(selectApplied));
  return missingFrom(applied, await readMigrations()).length === 0;
}

const cancelEveryMs = 100;
/** A server that has not ended a statement by then does not hear. */
const cancelForMs = 1000;

const dropConnection = (client: pg.Client) => known(client).connection.stream.destroy();

async function connect(client: pg.Client, signal: AbortSignal): Promise<void> {
  const drop = () => dropConnection(client);
  signal.addEventListener('abort', drop);
  try {
    await client.connect();
  } catch (error) {
    const { message, code } = error as Error & { code?: string }; // of the driver or the system
    throw new MigrationError(`DATABASE_URL: cannot connect to the database: ${message || code}`);
  } finally {
    signal.removeEventListener('abort', drop);
  }
}

/**
 * When the start is given up, what the connection does is ended, again and again: a cancellation that comes between two
 * statements ends neither. The transaction is rolled back, and the lock is free for others.
 */
function endOnAbort(client: pg.Client, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    const endsMs = performance.now() + cancelForMs;
    const cancel = () => (performance.now() < endsMs ? cancelStatement(client) : dropConnection(client));
    cancel();
    timer = setInterval(cancel, cancelEveryMs);
  };
  signal.addEventListener('abort', begin);
  return () => {
    signal.removeEventListener('abort', begin);
    clearInterval(timer);
  };
}

type Options = { lockWaitMs?: number; functions?: FunctionFile[]; signal?: AbortSignal };

/**
 * Safe to run from any number of instances at once: one works, the others wait and find nothing to do. A database that
 * lacks nothing is not locked, so no instance waits for another that only starts.
 */
export async function migrate(connection: pg.ClientConfig, options: Options = {}): Promise<void> {
  const { signal = new AbortController().signal } = options;
  signal.throwIfAborted();
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: 10_000,
    application_name: 'portico migrate',
  });
  // A connection that breaks fails its statement; without a listener it would end the process as well.
  client.on('error', () => {});
  await connect(client, signal);
  const settle = endOnAbort(client, signal);
  try {
    signal.throwIfAborted();
    await checkServer(client);
    const wanted = {
      migrations: await readMigrations(),
      functions: options.functions ?? (await readFunctions()),
    };
    while (await isBehind(client, wanted)) {
      signal.throwIfAborted();
      await applyNext(client, wanted, options.lockWaitMs ?? 60_000);
    }
  } finally {
    settle();
    await client.end();
  }
}
