import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Environment, loadConfig } from '../src/config.ts';
import { once } from '../src/contract/once.ts';
import { openDatabase } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { type RunningServer, startServer } from '../src/server.ts';
import {
  createKey,
  dummyTurnstile,
  openWorld,
  patientTimes,
  signatureHeaders,
  tokenOf,
  type World,
} from './world.ts';

/** As pg has it and does not declare it. */
type Connection = { parse(query: { name?: string; text: string }): void };

const home = mkdtempSync(join(tmpdir(), 'portico-cold-'));
const env: Environment = {
  PORTICO_PUBLIC_URL: 'http://127.0.0.1:1',
  PORTICO_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
};

let world: World;
beforeAll(async () => {
  world = await openWorld({ env });
});
afterAll(async () => {
  await world.close();
  rmSync(home, { recursive: true, force: true });
});

const start = (): Promise<RunningServer> =>
  startServer(
    loadConfig({
      ...env,
      PORT: '0',
      PORTICO_DEMO: '1',
      PORTICO_HOME: home,
      DATABASE_URL: world.database.url,
      ...patientTimes,
    }),
    pino({ level: 'silent' }),
  );

/** What requests leave behind. */
const traces = () =>
  world.db.query(sql`
    select (select count(*) from api_nonces) as nonces, (select count(*) from requests) as requests,
      (select max(seen_at) from sign_ins) as seen, (select max(last_used_at) from api_key_secrets) as used`);

const url = '/api/v1/transfers';
const lists = [
  ['/web/v1/files/query/list', { institutionBizId: 'INST_DEMO' }],
  ['/web/v1/files/query/list?page=2', { institutionBizId: 'INST_DEMO' }],
  ['/web/v1/workspaces/WS_DEMO/transfers', undefined],
  ['/web/v1/workspaces/WS_DEMO/api-keys', undefined],
  ['/web/v1/workspaces/WS_DEMO/requests', undefined],
  ['/web/v1/workspaces/WS_DEMO/members', undefined],
] as const;

describe('an instance that says it is ready', () => {
  it('has prepared what its lists and its admission ask, on every connection that they take', async () => {
    const token = await tokenOf(world, 'ACC_DEMO_OWNER');
    const key = await createKey(world);
    const { origin, stop } = await start();
    const person = {
      authorization: `Bearer ${token}`,
      'x-turnstile-token': dummyTurnstile,
      'content-type': 'application/json',
    };
    const list = ([path, body]: (typeof lists)[number]) =>
      fetch(`${origin}${path}`, {
        headers: person,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
    const signed = () => fetch(`${origin}${url}`, { headers: signatureHeaders(world, key, { url }) });
    const parse = vi.spyOn(pg.Connection.prototype as unknown as Connection, 'parse');
    const asked = [
      ...Array.from({ length: 5 }, () => lists.map(list)).flat(),
      ...Array.from({ length: 30 }, signed),
    ];
    const answers = await Promise.all(asked);
    const prepared = parse.mock.calls.map(([{ name, text }]) => name && text).filter(Boolean);
    parse.mockRestore();
    await stop();
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(prepared).toEqual([]);
  });

  it('has compiled what is compiled at first use', async () => {
    const schema = { isCompiled: false };
    const compiled = once(() => Object.assign(schema, { isCompiled: true }));
    const { stop } = await start();
    await stop();
    expect(schema).toEqual({ isCompiled: true });
    expect(compiled()).toBe(schema);
  });

  it('has left nothing behind', async () => {
    const before = await traces();
    const { stop } = await start();
    await stop(); // which writes what waits
    expect(await traces()).toEqual(before);
  });

  it('is ready though something could not be asked before', async () => {
    const db = openDatabase(world.database.connection);
    const failing = db.prepare(sql`select 1 / ${0}::int as none`);
    const working = db.prepare(sql`select 1 as one`);
    await db.warm(() => Promise.reject(new Error('not now')));
    await expect(db.execute(failing, {}, { id: 'someone' })).rejects.toThrow('division by zero');
    expect(await db.execute(working, {}, { id: 'someone' })).toEqual([{ one: 1 }]);
    await db.close();
  });
});
