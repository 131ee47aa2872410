import { afterEach, describe, expect, test } from 'vitest';
import { createPasswords, hashPassword } from '../src/auth/passwords.ts';
import { ApiError } from '../src/contract/api-error.ts';
import { openWorld, portalCall, type World } from './world.ts';

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const open = async () => {
  world = await openWorld({
    env: { PORTICO_LIMIT_SIGN_IN: '1000/1000', PORTICO_TRUSTED_PROXIES: '127.0.0.1/32' },
  });
  return world;
};

const logIn = async (on: World, password: string, address: string, email = 'owner@demo.test') =>
  portalCall(on, undefined, {
    url: '/web/v1/auth/login',
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  });

const times = <Value>(count: number, work: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_item, index) => work(index)));

function count(codes: string[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const code of codes) counted[code] = (counted[code] ?? 0) + 1;
  return counted;
}

/** The code of a refusal, or what came of it. */
const outcome = (work: Promise<unknown>) =>
  work.then(String, (error: unknown) => (error instanceof ApiError ? error.code : String(error)));

describe('sign-ins to one account from one address', () => {
  test('wait in a line of 19, and those beyond it are 4290 at once; another account is not affected', async () => {
    const on = await open();
    // So many that the account is slowed: each attempt is held for seconds, and others wait for it.
    await times(25, (index) => logIn(on, 'wrong', `198.51.100.${index}`));
    const begun = Date.now();
    const refusedAfterMs: number[] = [];
    const answers = times(40, async () => {
      const answer = await logIn(on, 'wrong', '203.0.113.1');
      if (answer.statusCode === 429) refusedAfterMs.push(Date.now() - begun);
      return answer;
    });
    expect((await logIn(on, 'portico-demo', '203.0.113.1', 'viewer@demo.test')).statusCode).toBe(200);
    const all = await answers;
    const codes = count(all.map((answer) => answer.json().code));
    expect(codes['4290']).toBeGreaterThanOrEqual(20);
    expect((codes['4290'] ?? 0) + (codes['4017'] ?? 0)).toBe(40);
    const [refused] = all.filter(({ statusCode }) => statusCode === 429);
    expect(refused?.headers['retry-after']).toBe('1');
    // Not one waited for all the others: that was 28 s.
    expect(Date.now() - begun).toBeLessThan(20_000);
    expect(Math.min(...refusedAfterMs)).toBeLessThan(3000);
  });
});

describe('hashing of passwords', () => {
  test('works for two at once, and has a bounded line: 4290 for the share of an address, 5030 for all', async () => {
    const passwords = createPasswords();
    const stored = await hashPassword('right');
    const hash = (address: string, password = 'wrong') =>
      outcome(passwords.matches(stored, password, address));
    // Each address may have 50 in line, all together 200; two are being worked on.
    const floods = ['a', 'b', 'c'].flatMap((address) => Array.from({ length: 60 }, () => hash(address)));
    const others = Array.from({ length: 60 }, (_none, index) => hash(`other-${index}`));
    const codes = count(await Promise.all([...floods, ...others]));
    expect(codes['5030']).toBeGreaterThanOrEqual(60 - 50);
    expect(codes['4290']).toBeGreaterThanOrEqual(180 - 152);
    expect(Object.keys(codes).sort()).toEqual(['4290', '5030', 'false']);
  });

  test('of a right password is not kept waiting by a flood from another address', async () => {
    const passwords = createPasswords();
    const stored = await hashPassword('right');
    let before = 0;
    const flood = Array.from({ length: 52 }, () =>
      passwords.matches(stored, 'wrong', 'flood').then(
        () => {
          before += 1;
        },
        () => {},
      ),
    );
    expect(await passwords.matches(stored, 'right', 'other')).toBe(true);
    // The two that were being worked on, and at most one that each of their places went to.
    expect(before).toBeLessThanOrEqual(4);
    await Promise.all(flood);
  });
});
