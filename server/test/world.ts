import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { openServices } from '../src/auth/open-services.ts';
import { createHashThreads } from '../src/auth/portal/hash-threads.ts';
import { createPasswords } from '../src/auth/portal/passwords.ts';
import type { Services } from '../src/auth/services.ts';
import { sign, stringToSign } from '../src/auth/signed/signature.ts';
import { type Environment, loadConfig } from '../src/config.ts';
import type { HttpTimeouts } from '../src/contract/http.ts';
import { type Database, databaseDefaults, openDatabase } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { noDeliveries } from '../src/delivery/deliverer.ts';
import { countWaitingDeliveries } from '../src/delivery/sweep.ts';
import { noMails } from '../src/mail/delivery.ts';
import { countWaitingMails } from '../src/mail/queries.ts';
import type { TaskState } from '../src/resources/probes/readiness.ts';
import { createDatabase, type TestDatabase } from './database.ts';

export type Clock = { now(): number; advance(seconds: number): void };

/** Real time that a test can move forward. */
export function createClock(): Clock {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    advance: (seconds) => {
      aheadMs += seconds * 1000;
    },
  };
}

/** Stands still but when a test moves it, so that no limit frees a place by itself. */
export function createStillClock(): Clock {
  let nowMs = Date.now();
  return {
    now: () => nowMs,
    advance: (seconds) => {
      nowMs += seconds * 1000;
    },
  };
}

export type World = {
  app: FastifyInstance;
  services: Services;
  db: Database;
  database: TestDatabase;
  clock: Clock;
  /** Everything that was logged, as one text. */
  logs(): string;
  close(): Promise<void>;
};

export type WorldOptions = {
  env?: Environment;
  clock?: Clock;
  database?: TestDatabase;
  masterKey?: Buffer;
  timeouts?: HttpTimeouts;
  /** What the probe and the metrics tell of work in the background. */
  tasks?: () => TaskState[];
};

/** How long the database is waited for as shipped; for tests of that alone, as a slow machine would fail all others. */
export const shippedTimes: Environment = {
  PORTICO_DB_CONNECT_MS: String(databaseDefaults.connectMs),
  PORTICO_DB_QUERY_MS: String(databaseDefaults.queryMs),
};

/** How long it is waited for everywhere else. */
export const patientTimes = { PORTICO_DB_CONNECT_MS: '20000', PORTICO_DB_QUERY_MS: '20000' };

/** The real app on a real database. By default the demo world, with no limits in the way of many requests. */
const defaults: Environment = {
  PORTICO_DEMO: '1',
  PORTICO_MASTER_KEY: randomBytes(32).toString('base64'),
  PORTICO_LIMIT_LIVE: 'off',
  PORTICO_LIMIT_TEST: 'off',
  PORTICO_LIMIT_PORTAL: 'off',
  PORTICO_LIMIT_SIGN_IN: 'off',
  PORTICO_LIMIT_BAD_SIGNATURE: 'off',
  ...patientTimes,
};

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const database = options.database ?? (await createDatabase());
  const clock = options.clock ?? createClock();
  const home = mkdtempSync(join(tmpdir(), 'portico-world-'));
  const env = { ...defaults, DATABASE_URL: database.url, PORTICO_HOME: home, ...options.env };
  const config = loadConfig(env);
  const db = openDatabase(database.connection, { ...config.database, poolMax: 8 });
  await db.warm();
  const masterKey = options.masterKey ?? (config.masterKey as Buffer); // the defaults set it
  // They give way to nobody: tests that run at once would have them wait longer than who signs in does.
  const threads = createHashThreads({});
  const passwords = createPasswords({ alone: threads, awaited: threads });
  const { services, stores } = await openServices({ config, db, masterKey, passwords, now: clock.now });
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const readiness = {
    isDraining: () => false,
    stores,
    tasks: options.tasks ?? (() => []),
    deltasWaiting: async () => 0,
    unsealedSeconds: async () => 0,
    mailsWaiting: () => countWaitingMails(db, clock.now()),
    mailOutcomes: noMails,
    deliveriesWaiting: () => countWaitingDeliveries(db, clock.now()),
    deliveryOutcomes: noDeliveries,
    requestsWaiting: services.requestLog.waiting,
    requestOutcomes: services.requestLog.outcomes,
    databases: [db],
  };
  const { timeouts } = options;
  const app = await buildApp({
    services,
    logger,
    readiness,
    ...(timeouts === undefined ? {} : { timeouts }),
  });
  const close = async () => {
    // A client may have opened a connection that it then had no use for, which is waited for as long as for a request.
    const timer = setTimeout(() => app.server.closeAllConnections(), 1000);
    await app.close().finally(() => clearTimeout(timer));
    await stores.close();
    await services.passwords.close();
    await db.close();
    await services.files.storage.close();
    rmSync(home, { recursive: true, force: true });
    if (options.database === undefined) await database.drop();
  };
  return { app, services, db, database, clock, logs: () => lines.join(''), close };
}

export const dummyTurnstile = 'XXXX.DUMMY.TOKEN.XXXX';

export type Call = {
  method?: 'GET' | 'POST' | 'HEAD' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  url: string;
  body?: unknown;
  headers?: InjectOptions['headers'];
};

/** A portal request by curl's habits: JSON when there is a body, the dummy Turnstile token unless told otherwise. */
export function portalCall(
  world: World,
  token: string | undefined,
  call: Call,
): Promise<LightMyRequestResponse> {
  const headers = {
    'x-turnstile-token': dummyTurnstile,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...call.headers,
  };
  const payload =
    typeof call.body === 'string' || Buffer.isBuffer(call.body) ? call.body : JSON.stringify(call.body);
  return world.app.inject({
    method: call.method ?? 'POST',
    url: call.url,
    headers,
    ...(call.body === undefined ? {} : { payload: payload as string }), // inject takes Buffers too
  });
}

export async function signIn(
  world: World,
  email = 'owner@demo.test',
  password = 'portico-demo',
): Promise<string> {
  const response = await portalCall(world, undefined, {
    url: '/web/v1/auth/login',
    body: { email, password },
  });
  if (response.statusCode !== 200)
    throw new Error(`no sign-in: ${response.statusCode} ${response.body}\n${world.logs()}`);
  return response.json().data.accessToken;
}

/** An access token as a sign-in gives it, without the password that one asks for. */
export async function tokenOf(world: World, accountBizId: string): Promise<string> {
  const [signIn] = await world.db.query<{ id: string }>(sql`
    insert into sign_ins (account_id)
    select id from accounts where biz_id = ${accountBizId} returning id`);
  const endsAtMs = world.clock.now() + 86_400_000;
  const signInId = signIn?.id ?? randomUUID();
  return world.services.tokens.issue({ accountBizId, signInId, endsAtMs }).token;
}

/** A device that waits to be confirmed. */
export async function startDevice(world: World): Promise<{ deviceCode: string; userCode: string }> {
  const { basePath } = world.services.config;
  const response = await portalCall(world, undefined, { url: `${basePath}/web/v1/auth/device`, body: {} });
  return response.json().data;
}

export type Key = { apiKeyId: string; secret: string };

export async function createKey(
  world: World,
  body: object = {},
  workspace = 'WS_DEMO',
  email = 'owner@demo.test',
): Promise<Key> {
  const [account] = await world.db.query<{ id: string }>(
    sql`select biz_id as id from accounts where email = ${email}`,
  );
  const token = await tokenOf(world, account?.id ?? '');
  const wanted = { name: 'test', scopes: ['transfers:read'], ...body };
  const response = await portalCall(world, token, {
    url: `/web/v1/workspaces/${workspace}/api-keys`,
    body: wanted,
  });
  return response.json().data;
}

export type SignedCall = {
  method?: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  url: string;
  body?: string;
  bytes?: Buffer;
  /** What X-Content-Sha256 says. */
  statedHash?: string | undefined;
  nonce?: string;
  timestamp?: number | string;
};

/** The four headers of a signed request. */
export function signatureHeaders(
  world: { clock: Pick<Clock, 'now'> },
  key: Key,
  call: SignedCall,
): Record<string, string> {
  const [path = '', query = ''] = call.url.split(/\?(.*)/s);
  const timestamp = String(call.timestamp ?? Math.floor(world.clock.now() / 1000));
  const nonce = call.nonce ?? randomUUID();
  const parts = {
    method: call.method ?? 'GET',
    path,
    query,
    timestamp,
    nonce,
    apiKeyId: key.apiKeyId,
    body: call.bytes ?? Buffer.from(call.body ?? ''),
    statedHash: call.statedHash,
  };
  const signature = sign(key.secret, stringToSign(parts));
  return { 'x-api-key': key.apiKeyId, 'x-signature': signature, 'x-timestamp': timestamp, 'x-nonce': nonce };
}

const jsonHeaders = ({ method, body }: SignedCall) =>
  method === 'POST' && body !== undefined ? { 'content-type': 'application/json' } : {};

export function signedCall(
  world: World,
  key: Key,
  call: SignedCall,
  headers: Record<string, string | string[]> = {},
) {
  return world.app.inject({
    method: call.method ?? 'GET',
    url: call.url,
    headers: { ...signatureHeaders(world, key, call), ...jsonHeaders(call), ...headers },
    ...(call.body === undefined ? {} : { payload: call.body }),
  });
}
