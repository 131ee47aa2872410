import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sweepPasses } from '../src/auth/portal/passes.ts';
import { sql } from '../src/db/sql.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { refused, type SiteverifyServer, solved, startSiteverify } from './support/siteverify-server.ts';
import { createStillClock, openWorld, portalCall, tokenOf, type World } from './world.ts';

let database: TestDatabase;
let siteverify: SiteverifyServer;
let world: World;
let owner: string;

beforeAll(async () => {
  database = await createDatabase();
  siteverify = await startSiteverify();
});

beforeEach(async () => {
  siteverify.answerNext();
  siteverify.forms.length = 0;
  world = await openWorld({
    database,
    clock: createStillClock(),
    env: {
      PORTICO_TURNSTILE_SECRET: 'not-a-dummy-secret',
      PORTICO_TURNSTILE_VERIFY_URL: siteverify.url,
      PORTICO_LIMIT_SIGN_IN: '1000/1000',
      PORTICO_TRUSTED_PROXIES: '127.0.0.1/32',
    },
  });
  siteverify.solvedAt(world.clock.now);
  owner = await tokenOf(world, 'ACC_DEMO_OWNER');
});

afterEach(() => world.close());

afterAll(async () => {
  await siteverify.close();
  await database.drop();
});

const listTypes = async (token: string, address = '203.0.113.1') =>
  portalCall(world, owner, {
    url: '/web/v1/notification-channel-types/query',
    body: {},
    headers: { 'x-turnstile-token': token, 'x-forwarded-for': address },
  });
const logIn = async (token: string, address = '203.0.113.1') =>
  portalCall(world, undefined, {
    url: '/web/v1/auth/login',
    body: { email: 'owner@demo.test', password: 'portico-demo' },
    headers: { 'x-turnstile-token': token, 'x-forwarded-for': address },
  });
const junk = Array.from({ length: 200 }, () => refused('invalid-input-response'));

/** Codes of challenges that fail, one after another. */
async function failing(count: number, send: typeof listTypes): Promise<string[]> {
  siteverify.answerNext(...junk);
  const codes: string[] = [];
  for (let tries = 0; tries < count; tries += 1) codes.push((await send(randomUUID())).json().code);
  siteverify.answerNext();
  return codes;
}

test.each([
  ['a sign-in', logIn],
  ['a list', listTypes],
])(
  'after 60 challenges that failed with %s, the provider is not asked for their address',
  async (_what, send) => {
    const known = randomUUID();
    expect((await listTypes(known)).statusCode).toBe(200);
    siteverify.forms.length = 0;
    const codes = await failing(63, send);
    expect(codes.slice(0, 60).every((code) => code === '4030')).toBe(true);
    expect(codes.slice(60)).toEqual(['4290', '4290', '4290']);
    expect(siteverify.forms).toHaveLength(60);
    const limited = await send(randomUUID());
    expect([limited.statusCode, limited.json().code]).toEqual([429, '4290']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    // A pass that is known serves on, and other addresses are asked for.
    expect((await listTypes(known)).statusCode).toBe(200);
    expect((await send(randomUUID(), '203.0.113.2')).statusCode).toBe(200);
    world.clock.advance(61);
    expect((await send(randomUUID())).statusCode).toBe(200);
  },
);

test('after 600 that failed from one IPv6 /48 the provider is not asked for any address of it', async () => {
  const { limits } = world.services;
  let taken = 0;
  while ((await limits.take('challengeSite', '2001:db8:5::/48')).allowed) taken += 1;
  expect(taken).toBe(600);
  for (let back = 0; back < 5; back += 1) await limits.giveBack('challengeSite', '2001:db8:5::/48');
  let household = 0;
  const rotating = (token: string) => listTypes(token, `2001:db8:5:${(household++).toString(16)}::1`);
  expect(await failing(7, rotating)).toEqual([...Array(5).fill('4030'), '4290', '4290']);
  expect(siteverify.forms).toHaveLength(5);
  expect((await rotating(randomUUID())).statusCode).toBe(429);
  expect((await listTypes(randomUUID(), '2001:db8:6::1')).statusCode).toBe(200);
});

test('challenges that are solved, and a provider that is away, count for nothing', async () => {
  for (let tries = 0; tries < 65; tries += 1) expect((await listTypes(randomUUID())).statusCode).toBe(200);
  const away = Array.from({ length: 20 }, () => refused('internal-error'));
  siteverify.answerNext(...away);
  for (let tries = 0; tries < 10; tries += 1) expect((await listTypes(randomUUID())).statusCode).toBe(503);
  const codes = await failing(61, listTypes);
  expect([codes[59], codes[60]]).toEqual(['4030', '4290']);
});

test('an address has at most 20 verifications under way and 100 waiting; the rest are refused at once', async () => {
  /** By token: one that takes long is asked for twice. */
  const underway = new Set<string | undefined>();
  let most = 0;
  const held: (() => void)[] = [];
  siteverify.answerNext(
    ...Array.from({ length: 150 }, () => (response: Parameters<ReturnType<typeof solved>>[0]) => {
      const token = siteverify.forms.at(-1)?.response;
      underway.add(token);
      most = Math.max(most, underway.size);
      held.push(() => {
        underway.delete(token);
        solved(world.clock.now())(response);
      });
    }),
  );
  const answers = Array.from({ length: 150 }, () => listTypes(randomUUID()));
  let refusals = 0;
  for (const answer of answers)
    void answer.then(({ statusCode }) => {
      if (statusCode === 429) refusals += 1;
    });
  const answerHeld = setInterval(() => {
    if (refusals >= 30) for (const release of held.splice(0)) release();
  }, 5);
  const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
  clearInterval(answerHeld);
  expect(most).toBeLessThanOrEqual(20);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(30);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
});

test('the sweep of passes takes a thousand at a time, passes over what is locked, and says whether there is more', async () => {
  await world.db.query(sql`
    insert into turnstile_passes (account_id, token_hash, expires_at)
    select a.id, sha256(n::text::bytea), now() - interval '1 hour' from accounts a, generate_series(1, 2500) n
    where a.biz_id = 'ACC_DEMO_OWNER'`);
  const left = async () =>
    (await world.db.query(sql`select 1 from turnstile_passes where expires_at < now()`)).length;
  await world.db.transaction(async (tx) => {
    await tx.query(
      sql`select 1 from turnstile_passes where expires_at < now() order by expires_at limit 2 for update`,
    );
    expect(await sweepPasses(world.db, world.clock.now())).toBe(true);
    expect(await left()).toBe(1500);
  });
  expect(await sweepPasses(world.db, world.clock.now())).toBe(true);
  expect(await sweepPasses(world.db, world.clock.now())).toBe(false);
  expect(await left()).toBe(0);
});
