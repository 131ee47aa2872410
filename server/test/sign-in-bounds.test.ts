import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sweepReplacedTokens } from '../src/auth/portal/refresh-tokens.ts';
import { sql } from '../src/db/sql.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { createStillClock, openWorld, portalCall, type World } from './world.ts';

const password = 'portico-demo';
let database: TestDatabase;
let world: World;

beforeAll(async () => {
  database = await createDatabase();
});
afterEach(() => world.close());
afterAll(() => database.drop());

/** With limits only where a test says so: buckets live in the instance. */
async function open(limits: 'off' | '5/5' = 'off'): Promise<void> {
  const env = { PORTICO_LIMIT_SIGN_IN: limits, PORTICO_TRUSTED_PROXIES: '127.0.0.1/32' };
  world = await openWorld({ env, database, clock: createStillClock() });
  await world.db.query(sql`delete from sign_ins`);
}

const post = (path: string, body: object, address = '203.0.113.1') =>
  portalCall(world, undefined, {
    url: `/web/v1/auth/${path}`,
    body,
    headers: { 'x-forwarded-for': address },
  });
const logIn = async (email = 'owner@demo.test') =>
  (await post('login', { email, password })).json().data.refreshToken as string;
const refresh = (refreshToken: string, address?: string) => post('refresh', { refreshToken }, address);
const renewed = async (refreshToken: string) => {
  world.clock.advance(0.01);
  return (await refresh(refreshToken)).json().data.refreshToken as string;
};
const codeOf = async (refreshToken: string) => (await refresh(refreshToken)).json().code as string;
const rows = async () =>
  (
    await world.db.query<{ tokens: number; signIns: number }>(sql`
      select (select count(*) from refresh_tokens) as tokens, (select count(*) from sign_ins) as "signIns"`)
  )[0];

const unknownToken = `rt_${'0'.repeat(43)}`;

describe('renewals', () => {
  test('of one sign-in are limited to 60 a minute, and another sign-in is not affected', async () => {
    await open('5/5');
    const [mine, other] = [await logIn(), await logIn('viewer@demo.test')];
    let token = mine;
    for (let count = 0; count < 60; count += 1) token = await renewed(token);
    const refused = await refresh(token);
    expect([refused.statusCode, refused.json().code]).toEqual([429, '4290']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await refresh(other)).statusCode).toBe(200);
    world.clock.advance(2);
    expect((await refresh(token)).statusCode).toBe(200);
  });

  test('of one address are limited whatever tokens they are tried with, and another address is not affected', async () => {
    await open('5/5');
    const codes: string[] = [];
    for (let count = 0; count < 601; count += 1)
      codes.push((await refresh(unknownToken, '198.51.100.1')).json().code);
    expect(codes.slice(0, 600).every((code) => code === '4010')).toBe(true);
    expect(codes[600]).toBe('4290');
    expect((await refresh(unknownToken, '198.51.100.2')).json().code).toBe('4010');
  });

  test('leave a bounded number of rows, however many there were', async () => {
    await open();
    let token = await logIn();
    for (let count = 0; count < 30; count += 1) token = await renewed(token);
    expect(await rows()).toEqual({ tokens: 2, signIns: 1 });
    await Promise.all(Array.from({ length: 20 }, () => refresh(token)));
    expect(await rows()).toEqual({ tokens: 2, signIns: 1 });
    for (let round = 0; round < 6; round += 1) {
      token = await renewed(token);
      await Promise.all(Array.from({ length: 20 }, () => refresh(token)));
    }
    expect(await rows()).toEqual({ tokens: 2, signIns: 1 });
    expect(await codeOf(await renewed(token))).toBe('2000');
  });

  test.each([1, 2, 10])(
    'a token replaced %i renewals ago ends its sign-in, although its row is gone',
    async (ago) => {
      await open();
      const old = await logIn();
      const other = await logIn();
      let token = old;
      for (let count = 0; count < ago; count += 1) token = await renewed(token);
      world.clock.advance(11);
      token = await renewed(token);
      while (await sweepReplacedTokens(world.db, world.clock.now()));
      const left = await world.db.query(sql`select 1 from refresh_tokens where replaced_at is not null`);
      expect(left).toHaveLength(1);
      expect(await codeOf(old)).toBe('4010');
      expect(await codeOf(token)).toBe('4010');
      expect(await codeOf(other)).toBe('2000');
    },
  );

  test('a token that was never issued ends no sign-in whose family it does not name', async () => {
    await open();
    const token = await logIn();
    expect(await codeOf(`${token.slice(0, 24)}${'z'.repeat(22)}`)).toBe('4010');
    expect(await codeOf(token)).toBe('2000');
  });

  test('tokens from before families are renewed, and found out when they are used again', async () => {
    await open();
    const token = await logIn();
    const old = `rt_${'a'.repeat(43)}`;
    await world.db.query(sql`
      update refresh_tokens set token_hash = sha256(${old}::text::bytea), has_family = false`);
    expect(await codeOf(token.replace(/.{22}$/, 'z'.repeat(22)))).toBe('4010');
    const next = await renewed(old);
    expect(next.slice(0, 24)).toBe(token.slice(0, 24));
    let latest = await renewed(next);
    world.clock.advance(11);
    latest = await renewed(latest);
    while (await sweepReplacedTokens(world.db, world.clock.now()));
    expect(await codeOf(old)).toBe('4010');
    expect(await codeOf(latest)).toBe('4010');
  });
});

describe('sign-ins', () => {
  /** As if the account had signed in on so many devices, each later than the one before. */
  const signInBefore = async (count: number) => {
    await world.db.query(sql`
      with added as (
        insert into sign_ins (account_id, created_at, renewed_at)
        select a.id, at, at from accounts a, generate_series(1, ${count}::int) n, lateral (select now() - interval '20 days' + n * interval '1 minute' as at) x
        where a.biz_id = 'ACC_DEMO_OWNER' returning id, renewed_at)
      insert into refresh_tokens (token_hash, sign_in_id, expires_at, has_family)
      select sha256(id::text::bytea), id, renewed_at + interval '30 days', true from added`);
  };

  test('of one account are at most 100: the one not renewed for longest ends', async () => {
    await open();
    const [old, older] = [await logIn(), await logIn()];
    await signInBefore(98);
    await world.db.query(
      sql`update sign_ins set created_at = '2020-01-01' where renewed_at > now() - interval '1 hour'`,
    );
    const [kept, newest] = [await renewed(old), await logIn()];
    expect(await rows()).toMatchObject({ signIns: 100 });
    for (const token of [kept, older, newest]) expect(await codeOf(token)).toBe('2000');
    await logIn('viewer@demo.test');
    expect(await rows()).toMatchObject({ signIns: 101 });
  });

  test('that ended make room before those that are open', async () => {
    await open();
    await signInBefore(99);
    await world.db.query(sql`update sign_ins set revoked_at = now() where id in (
      select id from sign_ins order by renewed_at desc limit 5)`);
    for (let count = 0; count < 6; count += 1) await logIn();
    const [open100] = await world.db.query<{ open: number }>(
      sql`select count(*) filter (where revoked_at is null) as open from sign_ins`,
    );
    expect([await rows(), open100]).toEqual([expect.objectContaining({ signIns: 100 }), { open: 100 }]);
  });

  test('from before the bound go ten with each new one', async () => {
    await open();
    await signInBefore(150);
    const counts: (number | undefined)[] = [];
    for (let count = 0; count < 7; count += 1) {
      await logIn();
      counts.push((await rows())?.signIns);
    }
    expect(counts).toEqual([141, 132, 123, 114, 105, 100, 100]);
  });
});
