import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'iovalkey';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountName, takeGuess } from '../src/auth/portal/guessing.ts';
import { openRedisStores } from '../src/auth/redis-stores.ts';
import type { ApiError } from '../src/contract/api-error.ts';
import { sql } from '../src/db/sql.ts';
import { StoreUnavailable } from '../src/db/unavailable.ts';
import { createLimits } from '../src/limits/limits.ts';
import { givesUpWithin } from './support/giving-up.ts';
import { startProxy } from './support/proxy.ts';
import { type RedisServer, startRedis } from './support/redis-server.ts';
import { type SiteverifyServer, solved, startSiteverify } from './support/siteverify-server.ts';
import {
  createKey,
  type Key,
  openWorld,
  portalCall,
  signatureHeaders,
  signedCall,
  tokenOf,
  type World,
} from './world.ts';

const url = '/api/v1/transfers';
let redis: RedisServer;
let siteverify: SiteverifyServer;
let reader: Redis;
let world: World;
let other: World;
let key: Key;
let owner: string;

const env = () => ({
  REDIS_URL: redis.url,
  PORTICO_TURNSTILE_SECRET: 'not-a-dummy-secret',
  PORTICO_TURNSTILE_VERIFY_URL: siteverify.url,
  PORTICO_LIMIT_SIGN_IN: '5/5',
  PORTICO_LIMIT_PORTAL: '200/400',
  PORTICO_LIMIT_LIVE: '1000/2000',
});

beforeAll(async () => {
  redis = await startRedis();
  siteverify = await startSiteverify();
  reader = new Redis(redis.url);
  reader.on('error', () => {}); // the tests kill its server
  world = await openWorld({ env: env() });
  other = await openWorld({ env: env(), database: world.database });
  const local = await openWorld({ database: world.database });
  key = await createKey(local);
  await local.close();
  owner = await tokenOf(world, 'ACC_DEMO_OWNER');
});

afterAll(async () => {
  await other?.close();
  await world?.close();
  reader?.disconnect();
  await siteverify?.close();
  await redis?.stop();
});

beforeEach(() => {
  siteverify.answerNext();
  siteverify.forms.length = 0;
});

const list = (turnstile: string, on = world) =>
  portalCall(on, owner, {
    url: '/web/v1/files/query/list',
    body: { institutionBizId: 'INST_DEMO' },
    headers: { 'x-turnstile-token': turnstile },
  });

const readyz = async (on = world) => (await on.app.inject('/readyz')).statusCode;

const timed = <Value>(work: () => Promise<Value>) => givesUpWithin(2, work);

const untilReady = (on = world) => expect.poll(() => readyz(on)).toBe(200);

describe('what lives in Redis', () => {
  test('passes: one verification serves both instances, and nothing is in PostgreSQL', async () => {
    const token = randomUUID();
    expect((await list(token)).statusCode).toBe(200);
    expect((await list(token, other)).statusCode).toBe(200);
    expect(siteverify.forms.length).toBe(1);
    expect(await world.db.query(sql`select 1 from turnstile_passes`)).toEqual([]);
    expect((await reader.keys('*')).join()).not.toContain(token);
  });

  test('a pass ends 300 s after the challenge was solved', async () => {
    const token = randomUUID();
    const passes = async () => (await reader.keys('portico:pass:*')).length;
    const before = await passes();
    siteverify.answerNext(solved(Date.now() - 296_000));
    expect((await list(token)).statusCode).toBe(200);
    expect((await list(token)).statusCode).toBe(200);
    expect(siteverify.forms.length).toBe(1);
    expect(await passes()).toBe(before + 1);
    await expect.poll(passes).toBe(before);
    siteverify.answerNext(solved(Date.now()));
    expect((await list(token)).statusCode).toBe(200);
    expect(siteverify.forms.length).toBe(2);
  });

  test('limits: failed sign-ins count over both instances', async () => {
    const codes = [];
    for (let tries = 0; tries < 7; tries += 1) {
      const response = await portalCall(tries % 2 === 0 ? world : other, undefined, {
        url: '/web/v1/auth/login',
        body: { email: 'viewer@demo.test', password: 'wrong' },
        headers: { 'x-turnstile-token': randomUUID() },
      });
      codes.push(response.json().code);
    }
    expect(codes).toEqual(['4017', '4017', '4017', '4017', '4017', '4290', '4290']);
  });

  test('limits: of 50 wrong passwords sent at once to two instances five are tried', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_item, index) =>
        portalCall(index % 2 === 0 ? world : other, undefined, {
          url: '/web/v1/auth/login',
          body: { email: 'outsider@demo.test', password: `wrong-${index}` },
          headers: { 'x-turnstile-token': randomUUID() },
        }),
      ),
    );
    expect(answers.filter((answer) => answer.json().code === '4017').length).toBe(5);
  });

  test('limits: 20 guesses at an account are taken over both instances, then those from where it signed in', async () => {
    await world.db.query(sql`
      insert into sign_in_addresses (account_id, address, signed_in_at)
      select id, '203.0.113.7', now() from accounts where email = 'viewer@demo.test'`);
    const guess = (on: World, address: string) =>
      takeGuess(on.services, { email: 'VIEWER@demo.test', address }).then(
        () => 'taken',
        (error: ApiError) => error.code,
      );
    await reader.del(`portico:limit:account:${accountName('viewer@demo.test')}`);
    const taken = await Promise.all(
      Array.from({ length: 60 }, (_none, index) => guess(index % 2 === 0 ? world : other, `10.0.0.${index}`)),
    );
    expect(taken.filter((outcome) => outcome === 'taken').length).toBeGreaterThanOrEqual(20);
    expect(taken.filter((outcome) => outcome === 'taken').length).toBeLessThanOrEqual(22);
    for (const on of [world, other]) expect(await guess(on, '203.0.113.7')).toBe('taken');
  });

  test('limits: exactly the burst passes whatever the rate, and buckets leave by themselves', async () => {
    const { limits, config } = world.services;
    const { buckets, close } = await openRedisStores(redis.url, Date.now);
    for (const burst of [1, 2, 3, 4, 5, 6, 7]) {
      const signIn = { rate: burst + 6, burst };
      const shared = createLimits({ ...config.limits, signIn }, buckets);
      let passed = 0;
      for (let taken = 0; taken < burst + 2; taken += 1)
        if ((await shared.take('signIn', `burst-${burst}`)).allowed) passed += 1;
      expect({ burst, passed }).toEqual({ burst, passed: burst });
    }
    await close();
    await limits.take('portal', 'leaves');
    expect(await reader.pttl('portico:limit:portal:leaves')).toBeLessThanOrEqual(5);
    await expect.poll(() => reader.exists('portico:limit:portal:leaves')).toBe(0);
  });
});

describe('nonces', () => {
  const nonces = (nonce: string) =>
    world.db.query(sql`select 1 from api_nonces where nonce = ${nonce}::uuid`);

  test('are claimed once over two instances, in PostgreSQL, and Redis holds none', async () => {
    const nonce = randomUUID();
    const codes = [];
    for (const on of [world, other]) codes.push((await signedCall(on, key, { url, nonce })).json().code);
    expect(codes).toEqual(['2000', '4014']);
    expect(await nonces(nonce)).toHaveLength(1);
    expect(await reader.keys('*nonce*')).toEqual([]);
  });

  test('of 50 requests with one nonce, sent at once to two instances in either case, one passes', async () => {
    const nonce = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_item, index) => {
        const spelled = index % 3 === 0 ? nonce.toUpperCase() : nonce;
        return signedCall(index % 2 === 0 ? world : other, key, { url, nonce: spelled });
      }),
    );
    const codes = answers.map((answer) => answer.json().code).sort();
    expect(codes).toEqual(['2000', ...Array.from({ length: 49 }, () => '4014')]);
  });

  test('are remembered when Redis is killed and forgets everything: a replay is 4014', async () => {
    const headers = signatureHeaders(world, key, { url });
    expect((await world.app.inject({ url, headers })).statusCode).toBe(200);
    await redis.kill();
    await redis.start();
    for (const on of [world, other]) await untilReady(on);
    expect(await reader.dbsize()).toBe(0);
    // An instance that saw nothing of it, so that what it knows is what the stores kept.
    const fresh = await openWorld({ env: env(), database: world.database });
    for (const on of [fresh, other, world])
      expect((await on.app.inject({ url, headers })).json().code).toBe('4014');
    await fresh.close();
  });
});

describe('Redis away', () => {
  test('killed: every request that needs it is 503 5030 within 2 s, and the service recovers by itself', async () => {
    expect(await readyz()).toBe(200);
    await redis.kill();
    const requests = [
      () => signedCall(world, key, { url }),
      () => list(randomUUID()),
      () => portalCall(world, owner, { method: 'GET', url: '/web/v1/auth/me' }),
      () =>
        portalCall(world, undefined, {
          url: '/web/v1/auth/login',
          body: { email: 'owner@demo.test', password: 'portico-demo' },
          headers: { 'x-turnstile-token': randomUUID() },
        }),
    ];
    for (const request of requests) {
      const response = await timed(request);
      expect([response.statusCode, response.json().code]).toEqual([503, '5030']);
      expect(response.headers['retry-after']).toBeDefined();
    }
    expect(await timed(() => readyz())).toBe(503);
    expect((await world.app.inject('/healthz')).statusCode).toBe(200);
    await redis.start();
    await untilReady();
    expect((await signedCall(world, key, { url })).statusCode).toBe(200);
    await untilReady(other);
  });

  test('hung: 503 5030 within 2 s, readyz says so, and a nonce caught in it is never taken twice', async () => {
    const nonce = randomUUID();
    redis.pause();
    const [hung, ready, ...more] = await timed(() =>
      Promise.all([
        signedCall(world, key, { url, nonce }),
        readyz(),
        ...Array.from({ length: 10 }, () => signedCall(world, key, { url })),
      ]),
    );
    expect([hung.statusCode, hung.json().code, ready]).toEqual([503, '5030', 503]);
    for (const response of more) expect(response.statusCode).toBe(503);
    for (let tries = 0; tries < 3; tries += 1)
      expect((await timed(() => signedCall(world, key, { url }))).statusCode).toBe(503);
    redis.resume();
    await untilReady();
    await untilReady(other);
    const codes = [];
    for (const on of [world, other]) codes.push((await signedCall(on, key, { url, nonce })).json().code);
    expect(codes.filter((code) => code === '2000').length).toBeLessThanOrEqual(1);
    expect(codes.at(-1)).toBe('4014');
    expect((await signedCall(world, key, { url })).statusCode).toBe(200);
  });

  test('read-only, as a replica is: readyz is 503 and says so, until it takes writes again', async () => {
    await reader.replicaof('127.0.0.1', 1);
    const answer = await world.app.inject('/readyz');
    expect([answer.statusCode, answer.json().message]).toEqual([
      503,
      'Redis does not answer, or takes no writes',
    ]);
    await reader.replicaof('NO', 'ONE');
    await untilReady();
  });

  test('a connection that was lost without a word is replaced', async () => {
    const proxy = await startProxy(redis.port);
    const proxied = await openWorld({
      env: { ...env(), REDIS_URL: `redis://127.0.0.1:${proxy.port}` },
      database: world.database,
    });
    expect((await signedCall(proxied, key, { url })).statusCode).toBe(200);
    proxy.loseConnections();
    expect((await timed(() => signedCall(proxied, key, { url }))).statusCode).toBe(503);
    await untilReady(proxied);
    expect((await signedCall(proxied, key, { url })).statusCode).toBe(200);
    await proxied.close();
    await proxy.close();
  });

  test('at the start, down or hung: opening is refused within 2 s and leaves no connection behind', async () => {
    const opening = () => openWorld({ env: env(), database: world.database });
    redis.pause();
    await timed(() => expect(opening()).rejects.toThrow(StoreUnavailable));
    redis.resume();
    await redis.kill();
    await timed(() => expect(opening()).rejects.toThrow(StoreUnavailable));
    await redis.start();
    for (const on of [world, other]) await untilReady(on);
    await sleep(1200);
    const clients = async () =>
      String(await reader.client('LIST'))
        .trim()
        .split('\n');
    await expect.poll(async () => (await clients()).length).toBe(3);
  });

  test('no answer or log tells more than that the service is not available', async () => {
    expect(world.logs()).toContain('Redis unavailable');
    expect(world.logs()).not.toContain(key.secret);
    expect(world.logs()).not.toContain(signatureHeaders(world, key, { url })['x-signature']);
  });
});
