import { randomBytes } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql, trusted } from '../src/db/sql.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { createKey, type Key, openWorld, portalCall, signedCall, signIn, type World } from './world.ts';

/** A wire to the database that a test can cut, or leave hanging with nothing coming through. */
class Wire {
  readonly sockets = new Set<Socket>();
  isHung = false;
  /** A statement that never arrives: the connection is reset when it is sent. */
  resetsAt: string | undefined;
  server: Server | undefined;
  port = 0;
  readonly target: string;

  constructor(target: string) {
    this.target = target;
  }

  async open(): Promise<void> {
    this.server = createServer((client) => {
      const database = connect(this.target);
      for (const socket of [client, database]) {
        this.sockets.add(socket);
        socket.on('error', () => {}).on('close', () => this.sockets.delete(socket));
      }
      client
        .on('data', (data) => {
          if (this.resetsAt !== undefined && data.includes(this.resetsAt)) client.resetAndDestroy();
          else if (!this.isHung) database.write(data);
        })
        .on('close', () => database.destroy());
      database.on('data', (data) => this.isHung || client.write(data)).on('close', () => client.destroy());
    });
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    const address = this.server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

const masterKey = randomBytes(32).toString('base64');
let real: TestDatabase;
let wire: Wire;
let world: World;
let token: string;
let key: Key;

beforeAll(async () => {
  real = await createDatabase();
  wire = new Wire(join(real.connection.host, `.s.PGSQL.${real.connection.port}`));
  await wire.open();
  world = await openWorld({
    env: { PORTICO_MASTER_KEY: masterKey },
    database: { ...real, connection: { ...real.connection, host: '127.0.0.1', port: wire.port } },
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
  const start = performance.now();
  for (const answer of await Promise.all(calls())) {
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { success: false, code: '5030', message: expect.any(String) },
    ]);
    expect(answer.headers['retry-after']).toBe('1');
  }
  expect(performance.now() - start).toBeLessThan(2500);
  expect((await world.app.inject('/healthz')).statusCode).toBe(200);
}

async function expectRecovery(): Promise<void> {
  await expect.poll(async () => (await world.app.inject('/readyz')).statusCode, { timeout: 5000 }).toBe(200);
  for (const answer of await Promise.all(calls())) expect(answer.statusCode).toBeLessThan(300);
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
    for (const answer of await Promise.all(calls())) expect(answer.statusCode).toBeLessThan(300);
    await wire.cut();
    await expectAllAway();
    await wire.open();
    await expectRecovery();
  });

  it('every endpoint answers 503 5030 within about 2 s when the database hangs, and recovers by itself', async () => {
    wire.isHung = true;
    await expectAllAway();
    wire.isHung = false;
    await expectRecovery();
  });

  it.each(['begin', 'commit'])('a connection that is reset at %s is 503 5030 too', async (statement) => {
    wire.resetsAt = statement;
    const answer = await portalCall(world, token, {
      url: '/web/v1/workspaces/WS_DEMO/api-keys',
      body: { name: 'x' },
    });
    wire.resetsAt = undefined;
    expect([answer.statusCode, answer.json().code]).toEqual([503, '5030']);
    await expectRecovery();
  });

  it('a statement that hangs inside a transaction is 503 5030 within about 2 s', async () => {
    const start = performance.now();
    await world.db.transaction(async (tx) => {
      await tx.query(sql`select 1 from workspaces where biz_id = 'WS_DEMO' for update`);
      const answer = await portalCall(world, token, {
        url: '/web/v1/workspaces/WS_DEMO/api-keys',
        body: { name: 'x' },
      });
      expect([answer.statusCode, answer.json().code]).toEqual([503, '5030']);
    });
    expect(performance.now() - start).toBeLessThan(2500);
    await expectRecovery();
  });

  it('says nothing of the database in the answer', async () => {
    await wire.cut();
    const [answer] = await Promise.all(calls());
    expect(answer?.body).not.toMatch(/ECONN|127\.0\.0\.1|sql|postgres|timeout/i);
    await wire.open();
    await expectRecovery();
  });
});
