import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { createLimits, memoryBuckets } from '../src/limits/limits.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import {
  createClock,
  createKey,
  type Key,
  openWorld,
  portalCall,
  signedCall,
  tokenOf,
  type World,
} from './world.ts';

const clock = createClock();
let database: TestDatabase;
const open: World[] = [];

/** Buckets live in the instance, so each test opens its own. */
async function openLimited(limits: Record<string, string>): Promise<World> {
  const env = { PORTICO_TRUSTED_PROXIES: '127.0.0.1/32', ...limits };
  const world = await openWorld({ env, clock, database });
  open.push(world);
  return world;
}

beforeAll(async () => {
  database = await createDatabase();
});

afterEach(async () => {
  for (const world of open.splice(0)) await world.close();
});

afterAll(async () => {
  await database?.drop();
});

const logIn = (world: World, password: string, address = '203.0.113.1', email = 'owner@demo.test') =>
  portalCall(world, undefined, {
    url: '/web/v1/auth/login',
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  });

const times = <Value>(count: number, work: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_item, index) => work(index)));

type Answer = Awaited<ReturnType<typeof logIn>>;

function count(answers: Answer[]): Record<string, number> {
  const codes: Record<string, number> = {};
  for (const answer of answers) {
    const { code } = answer.json();
    codes[code] = (codes[code] ?? 0) + 1;
  }
  return codes;
}

function expectLimited(answer: Answer, secondsMax: number): void {
  expect([answer.statusCode, answer.json().code]).toEqual([429, '4290']);
  const seconds = Number(answer.headers['retry-after']);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(secondsMax);
}

describe('sign-in', () => {
  const right = 'portico-demo';
  const limited = () => openLimited({ PORTICO_LIMIT_SIGN_IN: '5/5' });

  test('five failures pass, the sixth attempt is refused even with the right password, then it is let in again', async () => {
    const world = await limited();
    for (let tries = 0; tries < 5; tries += 1) expect((await logIn(world, 'wrong')).json().code).toBe('4017');
    expectLimited(await logIn(world, right), 12);
    clock.advance(13);
    expect((await logIn(world, right)).statusCode).toBe(200);
  });

  test('another address and another account are not affected; another spelling of the account is', async () => {
    const world = await limited();
    for (let tries = 0; tries < 6; tries += 1) await logIn(world, 'wrong');
    expect((await logIn(world, right, '203.0.113.2')).statusCode).toBe(200);
    expect((await logIn(world, right, '203.0.113.1', 'viewer@demo.test')).statusCode).toBe(200);
    expectLimited(await logIn(world, right, '203.0.113.1', 'OWNER@demo.test'), 12);
    expectLimited(await logIn(world, right, '::ffff:203.0.113.1'), 12);
  });

  test('an account that does not exist is limited alike', async () => {
    const world = await limited();
    const codes: string[] = [];
    for (let tries = 0; tries < 6; tries += 1)
      codes.push((await logIn(world, 'wrong', '203.0.113.1', 'nobody@demo.test')).json().code);
    expect(codes).toEqual(['4017', '4017', '4017', '4017', '4017', '4290']);
  });

  test('successes do not count, one after the other or all at once', async () => {
    const world = await limited();
    for (let tries = 0; tries < 8; tries += 1) expect((await logIn(world, right)).statusCode).toBe(200);
    expect(count(await times(6, () => logIn(world, right)))).toEqual({ 2000: 6 });
  });

  test('a success between failures forgives none of them', async () => {
    const world = await limited();
    for (let tries = 0; tries < 4; tries += 1) await logIn(world, 'wrong');
    expect((await logIn(world, right)).statusCode).toBe(200);
    await logIn(world, 'wrong');
    expectLimited(await logIn(world, 'wrong'), 12);
  });

  test('of 50 wrong passwords at once five are tried', async () => {
    const world = await limited();
    expect(count(await times(50, (index) => logIn(world, `wrong-${index}`)))).toEqual({ 4017: 5, 4290: 45 });
  });

  test('addresses of one IPv6 /64 count as one, those of another do not', async () => {
    const world = await limited();
    const codes: string[] = [];
    for (let tries = 0; tries < 6; tries += 1)
      codes.push((await logIn(world, 'wrong', `2001:db8:0:1::${tries + 1}`)).json().code);
    expect(codes.at(-1)).toBe('4290');
    expectLimited(await logIn(world, right, '2001:db8:0:1:ffff:ffff:ffff:ffff'), 12);
    expect((await logIn(world, right, '2001:db8:0:2::1')).statusCode).toBe(200);
  });

  test('an address that a client made up is not believed', async () => {
    const world = await openLimited({
      PORTICO_LIMIT_SIGN_IN: '5/5',
      PORTICO_TRUSTED_PROXIES: '192.0.2.1/32',
    });
    const answers: Answer[] = [];
    for (let tries = 0; tries < 6; tries += 1)
      answers.push(await logIn(world, 'wrong', `198.51.100.${tries}`));
    expect(count(answers)).toEqual({ 4017: 5, 4290: 1 });
  });

  test('attempts that the service itself failed to judge do not count', async () => {
    const world = await limited();
    await world.db.query(sql`alter table accounts rename to accounts_away`);
    expect(count(await times(8, () => logIn(world, right)))).toEqual({ 5030: 8 });
    await world.db.query(sql`alter table accounts_away rename to accounts`);
    expect((await logIn(world, right)).statusCode).toBe(200);
  });

  test('off limits nothing', async () => {
    const world = await openLimited({ PORTICO_LIMIT_SIGN_IN: 'off' });
    for (let tries = 0; tries < 30; tries += 1)
      expect((await logIn(world, 'wrong')).json().code).toBe('4017');
  });
});

describe('portal', () => {
  const me = (world: World, token: string) =>
    portalCall(world, token, { method: 'GET', url: '/web/v1/auth/me' });

  test('the limit is per account, over all its tokens, and fills up again', async () => {
    const world = await openLimited({ PORTICO_LIMIT_PORTAL: '1/3' });
    const tokens = await times(2, () => tokenOf(world, 'ACC_DEMO_OWNER'));
    const send = (index: number) => me(world, tokens[index % 2] ?? '');
    const answers = await times(10, send);
    expect(count(answers)).toEqual({ 2000: 3, 4290: 7 });
    for (const answer of answers.filter(({ statusCode }) => statusCode === 429)) expectLimited(answer, 1);
    expect((await me(world, await tokenOf(world, 'ACC_DEMO_VIEWER'))).statusCode).toBe(200);
    clock.advance(2);
    expect(count(await times(4, send))).toEqual({ 2000: 2, 4290: 2 });
  });

  test('what an account changes about itself is 60 a minute, of any role; it may go on reading, and others changing', async () => {
    const world = await openLimited({ PORTICO_LIMIT_SIGN_IN: '5/5' });
    const [viewer, owner] = await Promise.all(
      ['ACC_DEMO_VIEWER', 'ACC_DEMO_OWNER'].map((bizId) => tokenOf(world, bizId)),
    );
    const rename = (index: number, token = viewer ?? '') =>
      portalCall(world, token, {
        method: 'PATCH',
        url: '/web/v1/account',
        body: { name: `Name ${index}` },
      });
    const records = async () =>
      (await world.db.query(sql`select 1 from audit_waiting where action = 'account.changed'`)).length;
    const before = await records();
    const answers = await times(65, rename);
    expect(count(answers)).toEqual({ 2000: 60, 4290: 5 });
    for (const answer of answers.filter(({ statusCode }) => statusCode === 429)) expectLimited(answer, 1);
    const session = { method: 'DELETE', url: '/web/v1/account/sessions/none' } as const;
    expect((await portalCall(world, viewer ?? '', session)).json().code).toBe('4290');
    expect((await me(world, viewer ?? '')).statusCode).toBe(200);
    expect((await rename(0, owner)).statusCode).toBe(200);
    expect((await records()) - before).toBe(61);
  });

  test('a wrong token counts for nobody', async () => {
    const world = await openLimited({ PORTICO_LIMIT_PORTAL: '1/3' });
    expect(count(await times(10, () => me(world, 'wrong')))).toEqual({ 4010: 10 });
    expect((await me(world, await tokenOf(world, 'ACC_DEMO_OWNER'))).statusCode).toBe(200);
  });
});

describe('open API', () => {
  const url = '/api/v1/transfers';
  const send = (world: World, key: Key, address = '203.0.113.1') =>
    signedCall(world, key, { url }, { 'x-forwarded-for': address });
  const forge = (world: World, key: Key, address = '203.0.113.1') =>
    send(world, { ...key, secret: 'sk_live_wrong' }, address);

  test.each([
    ['LIVE', 1],
    ['TEST', 2],
  ] as const)('the %s limit is per key and does not touch the other mode', async (name, mode) => {
    const world = await openLimited({ [`PORTICO_LIMIT_${name}`]: '1/3' });
    const keys = { key: await createKey(world, { mode }), same: await createKey(world, { mode }) };
    const other = await createKey(world, { mode: 3 - mode });
    expect(count(await times(8, () => send(world, keys.key)))).toEqual({ 2000: 3, 4290: 5 });
    expectLimited(await send(world, keys.key), 1);
    expect((await send(world, keys.same)).statusCode).toBe(200);
    expect(count(await times(8, () => send(world, other)))).toEqual({ 2000: 8 });
    clock.advance(1.1);
    expect((await send(world, keys.key)).statusCode).toBe(200);
  });

  test('wrong signatures are limited per key and address, and never lock out a right one', async () => {
    const world = await openLimited({ PORTICO_LIMIT_BAD_SIGNATURE: '30/3' });
    const key = await createKey(world);
    expect(count(await times(20, () => forge(world, key)))).toEqual({ 4012: 3, 4290: 17 });
    expectLimited(await forge(world, key), 2);
    expect(count(await times(5, () => send(world, key)))).toEqual({ 2000: 5 });
    expect((await forge(world, key, '203.0.113.2')).json().code).toBe('4012');
  });

  test('unknown keys are limited alike', async () => {
    const world = await openLimited({ PORTICO_LIMIT_BAD_SIGNATURE: '30/3' });
    const unknown = { apiKeyId: 'ak_live_00000000000000000000000000', secret: 'sk_live_x' };
    expect(count(await times(5, () => send(world, unknown)))).toEqual({ 4012: 3, 4290: 2 });
  });

  test('off limits nothing', async () => {
    const world = await openLimited({});
    const key = await createKey(world);
    expect(count(await times(60, () => forge(world, key)))).toEqual({ 4012: 60 });
    expect(count(await times(60, () => send(world, key)))).toEqual({ 2000: 60 });
  });
});

describe('buckets', () => {
  const limit = (rate: number, burst: number) => ({ rate, burst });
  const limitsOf = (value: { rate: number; burst: number }, now: () => number) =>
    createLimits(
      { live: value, test: value, portal: value, signIn: value, badSignature: value },
      memoryBuckets(now),
    );

  test('exactly the burst passes at one moment, whatever the rate', async () => {
    for (const name of ['live', 'signIn'] as const) {
      for (let rate = 1; rate <= 200; rate += 1) {
        for (const burst of [1, 2, 50]) {
          const limits = limitsOf(limit(rate, burst), () => 1_767_225_600_123);
          let passed = 0;
          for (let taken = 0; taken < burst + 2; taken += 1)
            if ((await limits.take(name, 'k')).allowed) passed += 1;
          expect({ name, rate, burst, passed }).toEqual({ name, rate, burst, passed: burst });
        }
      }
    }
  });

  test('over a long time exactly the rate passes, and the wait that is told is enough', async () => {
    let now = 1_767_225_600_000;
    const limits = limitsOf(limit(7, 2), () => now);
    let passed = 0;
    const end = now + 600_000;
    while (now < end) {
      const { allowed, retryAfterMs } = await limits.take('signIn', 'k');
      if (allowed) passed += 1;
      else now += Math.ceil(retryAfterMs);
    }
    expect(passed).toBeGreaterThanOrEqual(70);
    expect(passed).toBeLessThanOrEqual(72);
  });

  test('a clock that is set back delays nobody for longer than a bucket takes to fill', async () => {
    let now = 1_767_225_600_000;
    const limits = limitsOf(limit(10, 2), () => now);
    await limits.take('live', 'k');
    now -= 3_600_000;
    expect((await limits.take('live', 'k')).retryAfterMs).toBeLessThanOrEqual(200);
    now += 200;
    expect((await limits.take('live', 'k')).allowed).toBe(true);
  });

  test('giving back never adds to a full bucket', async () => {
    const limits = limitsOf(limit(5, 2), () => 1_767_225_600_000);
    for (let count = 0; count < 10; count += 1) await limits.giveBack('signIn', 'k');
    const verdicts = [];
    for (let count = 0; count < 3; count += 1) verdicts.push((await limits.take('signIn', 'k')).allowed);
    expect(verdicts).toEqual([true, true, false]);
  });

  test('keys without number do not fill the memory, and the busy ones are kept', async () => {
    const limits = limitsOf(limit(1, 1), () => 1_767_225_600_000);
    const suffix = randomBytes(64).toString('hex');
    await limits.take('signIn', 'idle');
    await limits.take('signIn', 'busy');
    for (let index = 0; index < 150_000; index += 1) {
      await limits.take('signIn', `${index}:${suffix}`);
      if (index % 1000 === 0) expect((await limits.take('signIn', 'busy')).allowed).toBe(false);
    }
    expect((await limits.take('signIn', 'idle')).allowed).toBe(true);
  });
});
