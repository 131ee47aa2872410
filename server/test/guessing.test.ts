import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accountName } from '../src/auth/portal/guessing.ts';
import { sweepSignInAddresses } from '../src/auth/portal/sign-in-addresses.ts';
import { sql } from '../src/db/sql.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { createStillClock, openWorld, portalCall, type World } from './world.ts';

const right = 'portico-demo';
const owner = 'owner@demo.test';
const home = '203.0.113.7';
const day = 86_400;
let database: TestDatabase;
let world: World;

beforeAll(async () => {
  database = await createDatabase();
});
afterEach(() => world?.close());
afterAll(() => database?.drop());

/** Counts live in the instance, so each test has its own. The clock moves only when it is told to. */
async function start(): Promise<void> {
  const env = { PORTICO_LIMIT_SIGN_IN: '5/5', PORTICO_TRUSTED_PROXIES: '127.0.0.1/32' };
  world = await openWorld({ database, clock: createStillClock(), env });
}

/** Where no account has signed in yet. */
async function open(): Promise<void> {
  await start();
  await world.db.query(sql`delete from sign_in_addresses`);
}

const logIn = (email: string, password: string, address: string) =>
  portalCall(world, undefined, {
    url: '/web/v1/auth/login',
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  });
/** Again while a busy machine has it wait too long for its turn, which is given back and says nothing of what failed. */
async function codeOf(...attempt: Parameters<typeof logIn>): Promise<string> {
  for (;;) {
    const { code, message } = (await logIn(...attempt)).json();
    if (code !== '5030' && !message.includes(' at once; ')) return code;
  }
}
const times = <Value>(count: number, work: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_none, index) => work(index)));
const botAddress = (index: number) => `198.18.${index >> 8}.${index & 255}`;

function count(codes: string[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const code of codes) counted[code] = (counted[code] ?? 0) + 1;
  return counted;
}

/** As if others had failed at it until none was left. */
async function useUp(limit: 'account' | 'signInAddressSite', name: string, left = 0): Promise<void> {
  const { limits } = world.services;
  while ((await limits.take(limit, name)).allowed);
  for (let back = 0; back < left; back += 1) await limits.giveBack(limit, name);
}
const lockOut = (email = owner) => useUp('account', accountName(email));

async function expectLimited(answer: ReturnType<typeof logIn>, secondsMax: number): Promise<void> {
  const { statusCode, headers, ...response } = await answer;
  expect([statusCode, response.json().code]).toEqual([429, '4290']);
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(secondsMax);
}

describe('one account', () => {
  test('tried from 30 addresses on and on: 20 attempts are judged, then 20 a minute', async () => {
    await open();
    let judged = 0;
    for (let minute = 1; minute <= 3; minute += 1) {
      for (let second = 0; second < 60; second += 5) {
        const codes = await times(30, (index) => codeOf(owner, 'wrong', botAddress(index)));
        judged += count(codes)['4017'] ?? 0;
        world.clock.advance(5);
      }
      expect(judged).toBeGreaterThanOrEqual(20 * minute);
      expect(judged).toBeLessThanOrEqual(20 + 20 * minute);
    }
  });

  test('tried from 1,000 addresses at once: 20 are judged, and its owner signs in from where it did before', async () => {
    await open();
    expect(await codeOf(owner, right, home)).toBe('2000');
    const { passwords } = world.services;
    const { matches } = passwords;
    let [underway, most, judged] = [0, 0, 0];
    passwords.matches = async (...args) => {
      underway += 1;
      most = Math.max(most, underway);
      try {
        const isRight = await matches(...args);
        judged += 1;
        return isRight;
      } finally {
        underway -= 1;
      }
    };
    const botnet = times(1000, (index) => codeOf(owner, `wrong-${index}`, botAddress(index)));
    const signedIn = await codeOf(owner, right, home);
    // Fewer where one that came too late tries again while the owner has its part.
    const { 4017: wrong = 0, 4290: limited = 0, ...others } = count(await botnet);
    expect([signedIn, wrong + limited, others]).toEqual(['2000', 1000, {}]);
    expect(wrong).toBeLessThanOrEqual(20);
    expect(judged).toBe(wrong + 1);
    expect(most).toBeLessThanOrEqual(21);
    await lockOut();
    await expectLimited(logIn(owner, right, '203.0.113.8'), 3);
    expect(await codeOf('viewer@demo.test', right, '203.0.113.8')).toBe('2000');
    world.clock.advance(3);
    expect(await codeOf(owner, right, '203.0.113.8')).toBe('2000');
  });

  test('that does not exist is limited alike, in words, headers and statements', async () => {
    await open();
    const query = world.db.query;
    let asked = 0;
    world.services.db.query = (...args) => {
      asked += 1;
      return query(...args);
    };
    const seen = [];
    for (const email of [owner, 'nobody@demo.test']) {
      await lockOut(email);
      asked = 0;
      const { statusCode, headers, body } = await logIn(email, 'wrong', '203.0.113.99');
      const { date, 'x-request-id': id, ...rest } = headers;
      expect([typeof date, typeof id]).toEqual(['string', 'string']);
      seen.push({ statusCode, rest, body, asked });
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]).toMatchObject({ statusCode: 429, asked: 1 });
    asked = 0;
    expect(await codeOf('viewer@demo.test', right, '203.0.113.99')).toBe('2000');
    expect(asked).toBe(1); // its credentials: where it signed in from is not asked for while there is no need
  });
});

describe('an address that an account has signed in from', () => {
  test('is known to every instance, and after a restart', async () => {
    await open();
    expect(await codeOf(owner, right, home)).toBe('2000');
    await world.close();
    await start();
    await lockOut();
    expect(await codeOf(owner, right, home)).toBe('2000');
    await expectLimited(logIn(owner, right, '203.0.113.8'), 3);
    // The account's count is not given back by who was not taken from it.
    await expectLimited(logIn(owner, right, '203.0.113.9'), 3);
    await lockOut('viewer@demo.test');
    await expectLimited(logIn('viewer@demo.test', right, home), 3);
  });

  test('is known for its whole IPv6 /64, and for no other', async () => {
    await open();
    expect(await codeOf(owner, right, '2001:db8:7:1::1')).toBe('2000');
    await lockOut();
    expect(await codeOf(owner, right, '2001:db8:7:1:ffff::9')).toBe('2000');
    await expectLimited(logIn(owner, right, '2001:db8:7:2::1'), 3);
  });

  test('has the count of account and address for itself, whoever guesses there', async () => {
    await open();
    expect(await codeOf(owner, right, home)).toBe('2000');
    await lockOut();
    const codes = await times(15, () => codeOf(owner, 'wrong', home));
    expect(count(codes)).toEqual({ 4017: 5, 4290: 10 });
    await expectLimited(logIn(owner, right, home), 12);
    world.clock.advance(12);
    await lockOut();
    expect(await codeOf(owner, right, home)).toBe('2000');
  });

  test('is known for 30 days, and swept then', async () => {
    await open();
    expect(await codeOf(owner, right, home)).toBe('2000');
    world.clock.advance(30 * day - 1);
    await lockOut();
    await world.db.query(sql`update sign_in_addresses set signed_in_at = signed_in_at - interval '1 second'`);
    await expectLimited(logIn(owner, right, home), 3);
    expect(await sweepSignInAddresses(world.db, world.clock.now())).toBe(false);
    expect(await world.db.query(sql`select 1 from sign_in_addresses where address = ${home}`)).toEqual([]);
  });

  test('is one of at most 100, those that it signed in from last', async () => {
    await open();
    await world.db.query(sql`
      insert into sign_in_addresses (account_id, address, signed_in_at)
      select a.id, '10.0.0.' || n, now() - interval '20 days' + n * interval '1 minute'
      from accounts a, generate_series(1, 150) n where a.email = ${owner}`);
    expect(await codeOf(owner, right, home)).toBe('2000');
    const kept = await world.db.query<{ address: string }>(sql`
      select k.address from sign_in_addresses k join accounts a on a.id = k.account_id where a.email = ${owner}`);
    expect(kept).toHaveLength(100);
    const addresses = kept.map(({ address }) => address);
    expect([addresses.includes(home), addresses.includes('10.0.0.150')]).toEqual([true, true]);
    expect(addresses.includes('10.0.0.1')).toBe(false);
  });
});

describe('one address', () => {
  test('fails 30 times a minute over all accounts; then it is refused, even with a right password', async () => {
    await open();
    const codes = await times(40, (index) => codeOf(`nobody-${index}@demo.test`, 'wrong', home));
    expect(count(codes)).toEqual({ 4017: 30, 4290: 10 });
    await expectLimited(logIn(owner, right, home), 2);
    expect(await codeOf(owner, right, '203.0.113.8')).toBe('2000');
    world.clock.advance(2);
    expect(await codeOf(owner, right, home)).toBe('2000');
  });

  test('of IPv6 shares ten times that with its /48', async () => {
    await open();
    await useUp('signInAddressSite', '2001:db8:5::/48', 12);
    const codes = await times(20, (index) =>
      codeOf(`nobody-${index}@demo.test`, 'wrong', `2001:db8:5:${index}::1`),
    );
    expect(count(codes)).toEqual({ 4017: 12, 4290: 8 });
    await expectLimited(logIn(owner, right, '2001:db8:5:ffff::1'), 1);
    expect(await codeOf(owner, right, '2001:db8:6::1')).toBe('2000');
    let taken = 0;
    while ((await world.services.limits.take('signInAddressSite', '2001:db8:8::/48')).allowed) taken += 1;
    expect(taken).toBe(300);
  });

  test('that signs in well, however often, uses up nothing', async () => {
    await open();
    for (let round = 0; round < 3; round += 1)
      expect(count(await times(12, () => codeOf(owner, right, '2001:db8:5:1::1')))).toEqual({ 2000: 12 });
  });
});

describe('the name of an account in its counts', () => {
  test('is the same for what the database takes for one e-mail address, and for nothing else', async () => {
    await open();
    const emails = [
      ...['kate@x.test', 'KATE@X.TEST', '\u212aate@x.test', 'ß@x.test', 'SS@x.test', 'ẞ@x.test'],
      ...['i@x.test', 'I@x.test', 'İ@x.test', 'ı@x.test', 'ü@x.test', 'Ü@x.test', 'u\u0308@x.test'],
      ...['ａ@x.test', 'Ａ@x.test', 'σ@x.test', 'ς@x.test', 'Σ@x.test', 'kate@x.test ', '\ufffd@x.test'],
    ];
    for (const one of emails)
      for (const other of emails) {
        const [row] = await world.db.query<{ isSame: boolean }>(
          sql`select lower(${one}::text collate "C") = lower(${other}::text collate "C") as "isSame"`,
        );
        expect([one, other, accountName(one) === accountName(other)]).toEqual([one, other, row?.isSame]);
      }
    // It is short, and tells nothing of what was typed.
    expect(accountName(`${'x'.repeat(300)}@demo.test`)).toMatch(/^[\w-]{22}$/);
  });
});
