import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { migrate, readMigrations } from '../src/db/migrate.ts';
import { type RunningServer, startServer } from '../src/server.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';
import { type PgBouncer, startPgBouncer } from './support/pgbouncer-server.ts';
import { type Key, signatureHeaders } from './world.ts';

/** Fewer than the instances, so that they must share. */
const poolSize = 3;
const instances = 8;

let database: TestDatabase;
let pooler: PgBouncer;

beforeAll(async () => {
  database = await createDatabase();
  pooler = await startPgBouncer(database.connection, poolSize);
});
afterAll(async () => {
  await pooler?.stop();
  await database?.drop();
});

const start = () =>
  startServer(
    loadConfig({
      DATABASE_URL: pooler.url,
      PORT: '0',
      PORTICO_DEMO: '1',
      PORTICO_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
      PORTICO_LIMIT_SIGN_IN: 'off',
    }),
    pino({ level: 'silent' }),
  );

type Answer = { data: { accessToken: string; content: unknown[]; totalElements: number } & Key };

/** A busy machine may refuse with 503 for a while; nothing else is taken for an answer. */
async function send(
  server: RunningServer,
  path: string,
  init: () => RequestInit = () => ({}),
): Promise<Answer> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { headers, ...rest } = init();
    const common = { 'content-type': 'application/json', 'x-turnstile-token': 'x', ...headers };
    const response = await fetch(`${server.origin}${path}`, { ...rest, headers: common });
    if (response.status === 503 && Date.now() < deadline) continue;
    expect([path, response.ok]).toEqual([path, true]);
    return (await response.json()) as Answer; // the contract's own tests hold its shape
  }
}

/** A sign-in, lists at once, a new key and a call that is signed with it. */
async function use(server: RunningServer): Promise<void> {
  const post = (path: string, body: object, authorization?: string) =>
    send(server, path, () => ({
      method: 'POST',
      body: JSON.stringify(body),
      headers: authorization === undefined ? {} : { authorization },
    }));
  const account = { email: 'owner@demo.test', password: 'portico-demo' };
  const bearer = `Bearer ${(await post('/web/v1/auth/login', account)).data.accessToken}`;
  const list = () => post('/web/v1/files/query/list?size=20', { institutionBizId: 'INST_DEMO' }, bearer);
  const lists = await Promise.all(Array.from({ length: 8 }, list));
  for (const { data } of lists) expect([data.content.length, data.totalElements]).toEqual([20, 250]);
  const wanted = { name: 'pooled', scopes: ['transfers:read'] };
  const { data: key } = await post('/web/v1/workspaces/WS_DEMO/api-keys', wanted, bearer);
  const call = { url: '/api/v1/ping' };
  await send(server, call.url, () => ({ headers: signatureHeaders({ clock: Date }, key, call) }));
}

async function advisoryLocks(on: TestDatabase): Promise<number | null> {
  const session = await openSession(on);
  const { rowCount } = await session.query(
    `select from pg_locks where locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
  );
  await session.end();
  return rowCount;
}

describe('behind PgBouncer, pooling by transaction', () => {
  it('migrations of eight instances at once are applied once, and no lock stays behind', async () => {
    const empty = await createDatabase('template0');
    const own = await startPgBouncer(empty.connection, poolSize);
    await Promise.all(Array.from({ length: instances }, () => migrate(own.connection)));
    const session = await openSession(empty);
    const { rows } = await session.query<{ name: string }>('select name from schema_migrations order by id');
    await session.end();
    expect(rows.map(({ name }) => name)).toEqual((await readMigrations()).map(({ name }) => name));
    expect(await advisoryLocks(empty)).toBe(0);
    await own.stop();
    await empty.drop();
  });

  it('eight instances one after the other, and eight at once, become ready and serve', async () => {
    const running: RunningServer[] = [];
    const stop = () => Promise.all(running.splice(0).map((server) => server.stop()));
    try {
      for (let started = 0; started < instances; started += 1) running.push(await start());
      for (const server of running) await send(server, '/readyz');
      await stop();
      const starting = Array.from({ length: instances }, async () => void running.push(await start()));
      for (const { status } of await Promise.allSettled(starting)) expect(status).toBe('fulfilled');
      for (const server of running) await use(server);
    } finally {
      await stop();
    }
  });

  it('nothing that the service sets is seen by another client of the pooler', async () => {
    const direct = await openSession(database);
    const settings = `select name, setting from pg_settings
      where (source = 'session' and name not in ('application_name', 'client_encoding', 'standard_conforming_strings'))
        or name in ('TimeZone', 'DateStyle', 'plan_cache_mode') order by name`;
    const { rows: expected } = await direct.query(settings);
    await direct.end();
    const server = await start();
    await use(server);
    const neighbours = await Promise.all(Array.from({ length: poolSize }, () => pooler.openNeighbour()));
    // Each in a transaction, so that each has another of the pool's connections.
    const seen: unknown[] = [];
    for (const neighbour of neighbours) {
      await neighbour.query('begin');
      seen.push((await neighbour.query(settings)).rows);
    }
    await Promise.all(neighbours.map((neighbour) => neighbour.end()));
    await server.stop();
    expect(seen).toEqual(neighbours.map(() => expected));
  });
});
