import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../src/db/migrate.ts';
import { loadDemoWorld } from '../src/demo/demo-world.ts';
import { removeHome } from './homes.ts';
import { keepScratchInMemory } from './scratch.ts';

export type Connection = { host: string; port: number; user: string; password: string; database: string };

declare module 'vitest' {
  interface ProvidedContext {
    connection: Connection;
  }
}

/** A migrated database with the demo world, cloned for every test file. */
export const templateName = 'portico_template';

async function createTemplate(connection: Connection): Promise<void> {
  const admin = new pg.Client(connection);
  await admin.connect();
  // Kept anew, by the few iterations of the settings: thousands of connections are opened, and nobody guesses.
  await admin.query(`alter role current_user password ${admin.escapeLiteral(connection.password)}`);
  await admin.query(`create database ${templateName}`);
  await admin.end();
  const template = { ...connection, database: templateName };
  await migrate(template);
  const db = openDatabase(template, { isPatient: true });
  await loadDemoWorld(db, Date.now());
  await db.close();
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  keepScratchInMemory();
  const home = mkdtempSync(join(tmpdir(), 'portico-test-'));
  // Test databases need not outlive a crash of the machine; max_connections covers every file's pools.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_init_zero: 'off',
    max_connections: '200',
    shared_buffers: '128MB', // all of it is looked through for each database that is dropped
    max_wal_size: '256MB',
    scram_iterations: '1',
  };
  const postgres = await startEmbeddedPostgres({ home, settings });
  await createTemplate(postgres.connection);
  project.provide('connection', postgres.connection);
  return async () => {
    await postgres.stop();
    removeHome(home);
  };
}
