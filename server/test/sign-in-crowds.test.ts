import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { HashThreads } from '../src/auth/portal/hash-threads.ts';
import { createPasswords } from '../src/auth/portal/passwords.ts';
import { ApiError } from '../src/contract/api-error.ts';
import { createTurns } from '../src/limits/turns.ts';
import { createStillClock, openWorld, portalCall, type World } from './world.ts';

let world: World | undefined;
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await world?.close();
  world = undefined;
});

const email = 'owner@demo.test';

/** Where no password is judged until it is told to. */
async function openHeld() {
  world = await openWorld({
    clock: createStillClock(),
    env: { PORTICO_LIMIT_SIGN_IN: '1000/1000', PORTICO_TRUSTED_PROXIES: '127.0.0.1/32' },
  });
  const { passwords } = world.services;
  const { matches } = passwords;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  passwords.matches = async (stored, password, address) => {
    if (password === 'wrong') await held;
    return matches(stored, password, address);
  };
  return { on: world, release };
}

const logIn = async (on: World, password: string, address: string, as = email) =>
  portalCall(on, undefined, {
    url: '/web/v1/auth/login',
    body: { email: as, password },
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
    const { on, release } = await openHeld();
    const codes: string[] = [];
    const answers = times(40, async () => {
      const answer = await logIn(on, 'wrong', '203.0.113.1');
      codes.push(answer.json().code);
      return answer;
    });
    expect((await logIn(on, 'portico-demo', '203.0.113.1', 'viewer@demo.test')).statusCode).toBe(200);
    await expect.poll(() => codes.length).toBeGreaterThanOrEqual(20);
    expect(count(codes)).toEqual({ 4290: codes.length });
    release();
    const all = await answers;
    expect((count(codes)['4290'] ?? 0) + (count(codes)['4017'] ?? 0)).toBe(40);
    const [refused] = all.filter(({ statusCode }) => statusCode === 429);
    expect(refused?.headers['retry-after']).toBe('1');
  });
});

describe('turns', () => {
  test('without a place to wait refuse at once: 4290 for the own share, 5030 for that of all', async () => {
    const inTurn = createTurns('things', {
      atOnceMax: 3,
      atOnceEach: 2,
      waitingMax: 0,
      waitingEach: 1,
      waitMs: 60_000,
    });
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const work = (household: string) => outcome(inTurn(household, () => held.then(() => 'done')));
    const working = ['a', 'a', 'b'].map(work);
    expect([await work('a'), await work('b'), await work('c')]).toEqual(['5030', '5030', '5030']);
    finish();
    expect(await Promise.all(working)).toEqual(['done', 'done', 'done']);
    expect(await work('c')).toBe('done');
    const alone = createTurns('things', {
      atOnceMax: 9,
      atOnceEach: 1,
      waitingMax: 9,
      waitingEach: 0,
      waitMs: 1,
    });
    const never = new Promise<void>(() => {});
    void alone('a', () => never);
    expect(await outcome(alone('a', () => never))).toBe('4290');
  });
});

describe('hashing of passwords', () => {
  test('works for two at once, and has a bounded line: 4290 for the share of an address, 5030 for all', async () => {
    const passwords = createPasswords();
    opened.push(passwords);
    const stored = await passwords.hash('right', '');
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
    const begun: { password: string; finish(): void }[] = [];
    const threads: HashThreads = {
      run: ({ password }) =>
        new Promise((resolve) => begun.push({ password, finish: () => resolve(password === 'right') })),
      close: async () => {},
    };
    const passwords = createPasswords({ alone: threads, awaited: threads });
    for (let count = 0; count < 52; count += 1) void outcome(passwords.matches('', 'wrong', 'flood'));
    const right = passwords.matches('', 'right', 'other');
    await expect.poll(() => begun.length).toBe(2);
    begun.shift()?.finish();
    await expect.poll(() => begun.map(({ password }) => password)).toEqual(['wrong', 'right']);
    begun.pop()?.finish();
    expect(await right).toBe(true);
    // While so many wait, the second thread is kept for others: one of them is begun at once.
    await turn();
    expect(begun).toHaveLength(1);
    const next = passwords.matches('', 'right', 'other');
    await expect.poll(() => begun.map(({ password }) => password)).toEqual(['wrong', 'right']);
    begun.pop()?.finish();
    expect(await next).toBe(true);
  });
});
