import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trusted } from '../src/db/sql.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';
import { givesUpWithin } from './support/giving-up.ts';
import { Wire } from './support/wire.ts';
import {
  createKey,
  type Key,
  openWorld,
  portalCall,
  shippedTimes,
  signedCall,
  signIn,
  type World,
} from './world.ts';

const masterKey = randomBytes(32).toString('base64');
let real: TestDatabase;
let wire: Wire;
let world: World;
let token: string;
let key: Key;

beforeAll(async () => {
  real = await createDatabase();
  wire = new Wire(real);
  await wire.open();
  world = await openWorld({
    env: { ...shippedTimes, PORTICO_MASTER_KEY: masterKey },
    database: wire.through(real),
  });
  token = await signIn(world);
  key = await createKey(world);
});
afterAll(async () => {
  await world.close();
  await wire.cut();
  await real.drop();
});

const calls = () => [
  portalCall(world, token, { url: '/web/v1/files/query/list', body: { institutionBizId: 'INST_DEMO' } }),
  portalCall(world, token, { url: '/web/v1/workspaces/WS_DEMO/api-keys', body: { name: 'x' } }),
  portalCall(world, undefined, {
    url: '/web/v1/auth/login',
    body: { email: 'owner@demo.test', password: 'portico-demo' },
  }),
  signedCall(world, key, { url: '/api/v1/transfers' }),
  world.app.inject('/readyz'),
];

async function expectAllAway(): Promise<void> {
  for (const answer of await givesUpWithin(2, () => Promise.all(calls()))) {
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { success: false, code: '5030', message: expect.any(String) },
    ]);
    expect(answer.headers['retry-after']).toBe('1');
  }
  expect((await world.app.inject('/healthz')).statusCode).toBe(200);
}

/** At once, or when a machine that is busy with others has come to it: as shipped, the database is waited for a second. */
async function expectWell(): Promise<void> {
  const worst = async () => Math.max(...(await Promise.all(calls())).map(({ statusCode }) => statusCode));
  await expect.poll(worst).toBeLessThan(300);
}

describe('with settings of the database that write times in another way', () => {
  const url = '/web/v1/workspaces/WS_DEMO/api-keys';

  it.each([
    ['Asia/Shanghai', 'ISO, MDY'],
    ['America/New_York', 'ISO, MDY'],
    ['UTC', 'SQL, DMY'],
  ])('%s and %s: every time is read and shown in UTC', async (zone, style) => {
    const name = real.connection.database;
    await world.db.query(trusted(`alter database ${name} set timezone = '${zone}'`));
    await world.db.query(trusted(`alter database ${name} set datestyle = '${style}'`));
    const other = await openWorld({ database: real, env: { PORTICO_MASTER_KEY: masterKey } });
    const expiresAt = '0001-01-01T00:00:00.000Z';
    const answer = await portalCall(other, token, {
      method: 'PATCH',
      url: `${url}/${key.apiKeyId}`,
      body: { expiresAt },
    });
    expect(answer.json().data).toMatchObject({ expiresAt, status: 'EXPIRED' });
    await portalCall(other, token, {
      method: 'PATCH',
      url: `${url}/${key.apiKeyId}`,
      body: { expiresAt: null },
    });
    await other.close();
  });
});

describe('with the database away', () => {
  it('every endpoint answers 503 5030 at once when connections are refused, and recovers by itself', async () => {
    await expectWell();
    await wire.cut();
    await expectAllAway();
    await wire.open();
    await expectWell();
  });

  it('every endpoint answers 503 5030 within about 2 s when the database hangs, and recovers by itself', async () => {
    wire.isHung = true;
    await expectAllAway();
    wire.isHung = false;
    await expectWell();
  });

  it.each(['begin', 'commit'])('a connection that is reset at %s is 503 5030 too', async (statement) => {
    wire.resetsAt = statement;
    const answer = await portalCall(world, token, {
      url: '/web/v1/workspaces/WS_DEMO/api-keys',
      body: { name: 'x' },
    });
    wire.resetsAt = undefined;
    expect([answer.statusCode, answer.json().code]).toEqual([503, '5030']);
    await expectWell();
  });

  it('a statement that hangs inside a transaction is 503 5030 within about 2 s', async () => {
    const holder = await openSession(real);
    try {
      await holder.query(`begin; select 1 from workspaces where biz_id = 'WS_DEMO' for update`);
      const url = '/web/v1/workspaces/WS_DEMO/api-keys';
      const answer = await givesUpWithin(2, () => portalCall(world, token, { url, body: { name: 'x' } }));
      expect([answer.statusCode, answer.json().code]).toEqual([503, '5030']);
    } finally {
      await holder.end();
    }
    await expectWell();
  });

  it('says nothing of the database in the answer', async () => {
    await wire.cut();
    const [answer] = await Promise.all(calls());
    expect(answer?.body).not.toMatch(/ECONN|127\.0\.0\.1|sql|postgres|timeout/i);
    await wire.open();
    await expectWell();
  });
});
