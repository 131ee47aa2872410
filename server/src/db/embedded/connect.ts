import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { codeOf, unless } from './errors.ts';

export type Connection = { host: string; port: number; user: string; password: string; database: string };

export type Answer =
  | { kind: 'connected'; client: pg.Client }
  | { kind: 'ended' | 'rejected' | 'silent'; reason: string };

const CONNECT_MS = 5_000;
const RECOVERY_MS = 300_000;
export const PATIENCE_MS = 60_000;

const CANNOT_CONNECT_NOW = '57P03';
const REJECTIONS = ['28000', '28P01'];

/** Waits for it to accept connections, longer while it says that it recovers; makes the database. */
export async function connectWhenReady(
  connection: Connection,
  hasEnded: () => boolean | Promise<boolean>,
  patience = PATIENCE_MS,
): Promise<Answer> {
  const begun = Date.now();
  for (;;) {
    try {
      await ensureDatabase(connection);
      return { kind: 'connected', client: await connectOnce(connection) };
    } catch (error) {
      const [code, reason] = [codeOf(error), error instanceof Error ? error.message : String(error)];
      const waited = Date.now() - begun;
      if (await hasEnded()) return { kind: 'ended', reason };
      if (REJECTIONS.includes(code)) return { kind: 'rejected', reason };
      if (waited > (code === CANNOT_CONNECT_NOW ? RECOVERY_MS : patience)) return { kind: 'silent', reason };
      // each refusal is a line in its log
      await sleep(waited < 5_000 ? 50 : 500);
    }
  }
}

export async function connectOnce(connection: Connection): Promise<pg.Client> {
  // ssl: the environment of the server (PGSSLMODE) is not about this database
  const client = new pg.Client({ ...connection, ssl: false, connectionTimeoutMillis: CONNECT_MS });
  // without a listener the loss of an idle connection would end the process
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

// a crash between initdb and this leaves a cluster without it
async function ensureDatabase(connection: Connection): Promise<void> {
  const client = await connectOnce({ ...connection, database: 'postgres' });
  try {
    const { database } = connection;
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 1) return;
    // both codes: another server made it at the same time
    const sql = `CREATE DATABASE ${client.escapeIdentifier(database)}`;
    await client.query(sql).catch(unless('42P04', '23505'));
  } finally {
    await client.end();
  }
}
