import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/src/db/embedded/embedded-postgres.ts';
import { removeHome } from '../server/test/homes.ts';
import { freePort, startProcess } from './processes.ts';

export type BenchDatabase = {
  url: string;
  connection: EmbeddedPostgres['connection'];
  stop(): Promise<void>;
};

/** A PostgreSQL of its own with the durability of production. */
export async function startDatabase(): Promise<BenchDatabase> {
  const home = mkdtempSync(join(tmpdir(), 'portico-bench-'));
  const postgres = await startEmbeddedPostgres({ home });
  const { host, port, user, password, database } = postgres.connection;
  const url = `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  const stop = async () => {
    await postgres.stop();
    removeHome(home);
  };
  return { url, connection: postgres.connection, stop };
}

export type Server = { port: number; process: ChildProcess };

/** The built service with the demo world and no limits in the way. */
export async function startPortico(databaseUrl: string, env: Record<string, string> = {}): Promise<Server> {
  const port = await freePort();
  const limits = ['LIVE', 'TEST', 'PORTAL', 'SIGN_IN', 'BAD_SIGNATURE'].map((name) => [
    `PORTICO_LIMIT_${name}`,
    'off',
  ]);
  const process = await startProcess(['server/dist/main.js'], {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    PORTICO_DEMO: '1',
    PORTICO_MASTER_KEY: randomBytes(32).toString('base64'),
    PORTICO_LOG_LEVEL: 'warn',
    ...Object.fromEntries(limits),
    ...env,
  });
  return { port, process };
}

export async function signIn(port: number, turnstileToken: string): Promise<Record<string, string>> {
  const base = { 'content-type': 'application/json', 'x-turnstile-token': turnstileToken };
  const body = JSON.stringify({ email: 'owner@demo.test', password: 'portico-demo' });
  const response = await fetch(`http://127.0.0.1:${port}/web/v1/auth/login`, {
    method: 'POST',
    headers: base,
    body,
  });
  const { data } = (await response.json()) as { data: { accessToken: string } };
  return { ...base, authorization: `Bearer ${data.accessToken}` };
}

export type Key = { apiKeyId: string; secret: string };

export async function createKey(port: number, mode: 1 | 2): Promise<Key> {
  const response = await fetch(`http://127.0.0.1:${port}/web/v1/workspaces/WS_DEMO/api-keys`, {
    method: 'POST',
    headers: await signIn(port, 'bench'),
    body: JSON.stringify({ name: 'bench', scopes: ['transfers:read'], mode }),
  });
  return ((await response.json()) as { data: Key }).data;
}

export const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
