import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/src/db/embedded/embedded-postgres.ts';
import { removeHome } from '../server/test/homes.ts';
import { call, callUntilGood, dataOf, type HttpRequest } from './call.ts';
import { atEnd } from './closing.ts';
import { type ServerProcess, startProcess, startSiteverify } from './processes.ts';

export type BenchDatabase = {
  url: string;
  connection: EmbeddedPostgres['connection'];
  /** For what is not measured. */
  admin: pg.Pool;
  version(): Promise<string>;
  stop(): Promise<void>;
};

/** A PostgreSQL of its own with the durability of production. */
export async function startDatabase(): Promise<BenchDatabase> {
  const home = mkdtempSync(join(tmpdir(), 'portico-bench-'));
  atEnd(() => removeHome(home));
  const postgres = await startEmbeddedPostgres({ home });
  const { host, port, user, password, database } = postgres.connection;
  const url = `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  const admin = new pg.Pool({ ...postgres.connection, max: 4, application_name: 'bench' });
  admin.on('error', () => {});
  let stopped: Promise<void> | undefined;
  const stop = () => {
    // The database first: a pool waits for its statements, and one may run for minutes.
    stopped ??= postgres.stop().then(async () => {
      await admin.end();
      removeHome(home);
    });
    return stopped;
  };
  atEnd(stop);
  const version = async () => {
    const { rows } = await admin.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version.split('.')[0] ?? '';
  };
  return { url, connection: postgres.connection, admin, version, stop };
}

const limitsOff = Object.fromEntries(
  ['LIVE', 'TEST', 'PORTAL', 'SIGN_IN', 'BAD_SIGNATURE'].map((name) => [`PORTICO_LIMIT_${name}`, 'off']),
);

/** One for all of a run, so that two services can share a database. */
const masterKey = randomBytes(32).toString('base64');

/** The built service with the demo world and the limits of production. */
export function startLimitedPortico(
  databaseUrl: string,
  env: Record<string, string> = {},
  output?: number,
): Promise<ServerProcess> {
  const settings = {
    DATABASE_URL: databaseUrl,
    PORTICO_DEMO: '1',
    PORTICO_MASTER_KEY: masterKey,
    PORTICO_LOG_LEVEL: 'warn',
    ...env,
  };
  return startProcess(['server/dist/main.js'], settings, output);
}

/** The same with no limits in the way. */
export function startPortico(
  databaseUrl: string,
  env: Record<string, string> = {},
  output?: number,
): Promise<ServerProcess> {
  return startLimitedPortico(databaseUrl, { ...limitsOff, ...env }, output);
}

/** With a Turnstile secret that is no dummy, so that the memory of solved challenges is used. */
export async function startPorticoWithTurnstile(databaseUrl: string): Promise<ServerProcess> {
  const siteverify = await startSiteverify('127.0.0.1');
  atEnd(() => siteverify.close());
  return startPortico(databaseUrl, {
    PORTICO_TURNSTILE_SECRET: 'bench-secret',
    PORTICO_TURNSTILE_VERIFY_URL: `http://127.0.0.1:${(siteverify.address() as AddressInfo).port}/`, // it listens on TCP
  });
}

/** The Turnstile secret of the demo passes any token. */
export const portalHeaders = { 'content-type': 'application/json', 'x-turnstile-token': 'bench' };

export function signInRequest(email: string, password = 'portico-demo'): HttpRequest {
  return {
    method: 'POST',
    path: '/web/v1/auth/login',
    headers: portalHeaders,
    body: JSON.stringify({ email, password }),
  };
}

export async function signIn(port: number, email = 'owner@demo.test'): Promise<Record<string, string>> {
  const answer = await callUntilGood(port, () => signInRequest(email));
  return { ...portalHeaders, authorization: `Bearer ${dataOf<{ accessToken: string }>(answer).accessToken}` };
}

export type Key = { apiKeyId: string; secret: string };

export async function createKey(
  port: number,
  mode: 1 | 2,
  workspaceBizId = 'WS_DEMO',
  scopes = ['transfers:read'],
): Promise<Key> {
  const answer = await call(port, {
    method: 'POST',
    path: `/web/v1/workspaces/${workspaceBizId}/api-keys`,
    headers: await signIn(port),
    body: JSON.stringify({ name: 'bench', scopes, mode }),
  });
  return dataOf<Key>(answer);
}

export const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
