import { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { startSiteverify } from './support/siteverify-server.ts';
import { createKey, openWorld, portalCall, signedCall, signIn, type World } from './world.ts';

const url = '/web/v1/files/query/list';
const body = { institutionBizId: 'INST_DEMO' };

let world: World;
afterEach(() => world.close());

/** How often the work asks the database. */
async function roundTrips(work: () => Promise<unknown>): Promise<number> {
  const { db } = world.services;
  const { query, execute, shareOf } = db;
  let count = 0;
  const counted =
    <Args extends unknown[], Result>(run: (...args: Args) => Result) =>
    (...args: Args): Result => {
      count += 1;
      return run(...args);
    };
  const shared = (household: string, member: string) => ({
    query: counted(shareOf(household, member).query),
  });
  Object.assign(db, { query: counted(query), execute: counted(execute), shareOf: shared });
  await work().finally(() => Object.assign(db, { query, execute, shareOf }));
  return count;
}

describe('a list request', () => {
  it('asks the database once, for account, membership, total and page', async () => {
    world = await openWorld();
    const token = await signIn(world);
    for (const query of ['', '?page=3', '?page=9999', '?sort=fileSize,asc', '?sort=fileSize,asc&page=4'])
      expect([
        query,
        await roundTrips(() => portalCall(world, token, { url: `${url}${query}`, body })),
      ]).toEqual([query, 1]);
  });

  it('asks once as well when its Turnstile token was verified before', async () => {
    const siteverify = await startSiteverify();
    world = await openWorld({
      env: { PORTICO_TURNSTILE_SECRET: 'a-real-secret', PORTICO_TURNSTILE_VERIFY_URL: siteverify.url },
    });
    const token = await signIn(world);
    const list = () => portalCall(world, token, { url, body });
    expect((await list()).statusCode).toBe(200);
    expect(await roundTrips(list)).toBe(1);
    await siteverify.close();
  });

  it('goes to the database together with those of the same turn', async () => {
    world = await openWorld();
    const one = world.db.prepare(sql`select 1 as one`);
    const ask = () =>
      Promise.all(
        Array.from({ length: 30 }, () => world.services.db.execute<{ one: number }>(one, {}, { id: 'one' })),
      );
    await ask(); // opens the connections
    const writes = vi.spyOn(Socket.prototype as Required<Socket>, '_writev');
    expect((await ask()).flat()).toEqual(Array(30).fill({ one: 1 }));
    const count = writes.mock.calls.length;
    writes.mockRestore();
    expect(count).toBeLessThanOrEqual(4);
  });

  it('that is signed asks twice: once for key and nonce, which must be durable before the page is read', async () => {
    world = await openWorld();
    const key = await createKey(world);
    const list = () => signedCall(world, key, { url: '/api/v1/transfers' });
    await list();
    expect(await roundTrips(list)).toBe(2);
  });

  it('of an account that is gone is refused as such, before anything else that is wrong with it', async () => {
    world = await openWorld();
    const token = await signIn(world, 'viewer@demo.test');
    expect((await portalCall(world, token, { url, body })).statusCode).toBe(200);
    await world.db.query(sql`delete from accounts where email = 'viewer@demo.test'`);
    const wrong = [
      { url, body },
      { url, body: '{' },
      { url, body: {} },
      { url: `${url}?page=x`, body },
      { url, body: { institutionBizId: 'INST_OTHER' } },
      { url, body, headers: { 'x-turnstile-token': '' } },
    ];
    for (const call of wrong) {
      const response = await portalCall(world, token, call);
      expect([call, response.statusCode, response.json().code]).toEqual([call, 401, '4010']);
    }
  });
});

/** How often the work sends something to the database, in one part or in several. */
async function flights(work: () => Promise<unknown>): Promise<number> {
  const writes = vi.spyOn(Socket.prototype as Socket & { _writeGeneric(): void }, '_writeGeneric'); // every socket has it
  try {
    await work();
    return writes.mock.calls.length;
  } finally {
    writes.mockRestore();
  }
}

describe('a write', () => {
  it('takes four flights to the database, whatever it checks, keeps and writes down', async () => {
    world = await openWorld();
    const token = await signIn(world);
    const create = (name: string) =>
      portalCall(world, token, {
        url: '/web/v1/workspaces/WS_DEMO/api-keys',
        body: { name },
        headers: { 'idempotency-key': name },
      });
    expect((await create('first')).statusCode).toBe(201);
    expect(
      await flights(async () => {
        expect((await create('second')).statusCode).toBe(201);
      }),
    ).toBe(4);
  });

  it('of one row takes three', async () => {
    world = await openWorld();
    const token = await signIn(world);
    const rename = async (name: string) => {
      const answer = await portalCall(world, token, {
        method: 'PATCH',
        url: '/web/v1/account',
        body: { name },
      });
      expect(answer.json().data.name).toBe(name);
    };
    await rename('First');
    expect(await flights(() => rename('Second'))).toBe(3);
  });
});

describe('a sign-in', () => {
  const call = async (path: string, body: object) => {
    const answer = await portalCall(world, undefined, { url: `/web/v1/auth/${path}`, body });
    expect(answer.statusCode).toBe(200);
    return answer.json().data as { refreshToken: string };
  };

  it('is opened in two flights, after one that finds the account', async () => {
    world = await openWorld();
    const credentials = { email: 'owner@demo.test', password: 'portico-demo' };
    await call('login', credentials);
    expect(await flights(() => call('login', credentials))).toBe(3);
  });

  it('is renewed in two flights, after one that finds it', async () => {
    world = await openWorld();
    const { refreshToken } = await call('login', { email: 'owner@demo.test', password: 'portico-demo' });
    expect(await flights(() => call('refresh', { refreshToken }))).toBe(3);
  });
});
