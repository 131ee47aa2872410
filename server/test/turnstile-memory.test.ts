import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { databasePasses, sweepPasses } from '../src/auth/portal/passes.ts';
import { createSiteverify } from '../src/auth/portal/siteverify.ts';
import { createTurnstile, type PassStore } from '../src/auth/portal/turnstile.ts';
import { sql } from '../src/db/sql.ts';
import { refused, type SiteverifyServer, solved, startSiteverify } from './support/siteverify-server.ts';
import { createClock, openWorld, portalCall, tokenOf, type World } from './world.ts';

const clock = createClock();
let siteverify: SiteverifyServer;
let world: World;
let owner: string;
let viewer: string;

async function openAsking(database?: World['database']): Promise<World> {
  const env = {
    PORTICO_TURNSTILE_SECRET: 'not-a-dummy-secret',
    PORTICO_TURNSTILE_VERIFY_URL: siteverify.url,
  };
  return openWorld(database === undefined ? { env, clock } : { env, clock, database });
}

beforeAll(async () => {
  siteverify = await startSiteverify();
  siteverify.solvedAt(clock.now);
  world = await openAsking();
});

afterAll(async () => {
  await world?.close();
  await siteverify?.close();
});

beforeEach(async () => {
  siteverify.answerNext();
  siteverify.forms.length = 0;
  owner = await tokenOf(world, 'ACC_DEMO_OWNER');
  viewer = await tokenOf(world, 'ACC_DEMO_VIEWER');
});

const listFiles = async (token: string, account = owner, on = world, page = 0) =>
  (
    await portalCall(on, account, {
      url: `/web/v1/files/query/list?page=${page}`,
      body: { institutionBizId: 'INST_DEMO' },
      headers: { 'x-turnstile-token': token },
    })
  ).statusCode;

const listTypes = async (token: string, account = owner, on = world) =>
  (
    await portalCall(on, account, {
      url: '/web/v1/notification-channel-types/query',
      body: {},
      headers: { 'x-turnstile-token': token },
    })
  ).statusCode;

const logIn = (token: string, password = 'portico-demo', email = 'owner@demo.test') =>
  portalCall(world, undefined, {
    url: '/web/v1/auth/login',
    body: { email, password },
    headers: { 'x-turnstile-token': token },
  });

const verifications = () => siteverify.forms.length;

test('one challenge serves every page and other endpoints with a single verification', async () => {
  const token = randomUUID();
  for (const page of [0, 1, 2]) expect(await listFiles(token, owner, world, page)).toBe(200);
  expect(await listTypes(token)).toBe(200);
  expect(verifications()).toBe(1);
});

test('a solved challenge serves until 300 s after it was solved, and is then asked for again', async () => {
  const token = randomUUID();
  const solvedAt = clock.now() - 100_000;
  siteverify.answerNext(solved(solvedAt));
  expect(await listFiles(token)).toBe(200);
  clock.advance(195);
  expect(await listFiles(token)).toBe(200);
  expect(verifications()).toBe(1);
  clock.advance(6);
  siteverify.answerNext(refused('timeout-or-duplicate'));
  expect(await listFiles(token)).toBe(403);
  expect(verifications()).toBe(2);
});

test('a token that the provider accepts again after it expired is remembered again', async () => {
  const token = randomUUID();
  siteverify.answerNext(solved(clock.now()));
  expect(await listFiles(token)).toBe(200);
  clock.advance(301);
  siteverify.answerNext(solved(clock.now()));
  expect(await listFiles(token)).toBe(200);
  expect(await listFiles(token)).toBe(200);
  expect(verifications()).toBe(2);
});

test.each([
  ['in the future', () => new Date(clock.now() + 86_400_000).toISOString()],
  ['missing', () => undefined],
  ['no time at all', () => 'soon'],
])('a challenge time that is %s does not stretch the memory beyond 300 s', async (_what, at) => {
  const token = randomUUID();
  siteverify.answerNext(solved(0, { challenge_ts: at() }));
  expect(await listFiles(token)).toBe(200);
  clock.advance(301);
  siteverify.answerNext(refused('timeout-or-duplicate'));
  expect(await listFiles(token)).toBe(403);
});

test("another account cannot use an account's challenge", async () => {
  const token = randomUUID();
  expect(await listFiles(token, owner)).toBe(200);
  expect(await listFiles(token, viewer)).toBe(403);
  expect(await listFiles(token, owner)).toBe(200);
  expect(verifications()).toBe(2);
});

test('a refused challenge is remembered for nobody', async () => {
  const token = randomUUID();
  siteverify.answerNext(refused('invalid-input-response'), refused('invalid-input-response'));
  expect(await listFiles(token)).toBe(403);
  expect(await listFiles(token)).toBe(403);
  expect(verifications()).toBe(2);
});

test('a sign-in and the listings after it take one verification in all', async () => {
  const token = randomUUID();
  const { accessToken } = (await logIn(token)).json().data;
  expect(await listFiles(token, accessToken)).toBe(200);
  expect(await listTypes(token, accessToken)).toBe(200);
  expect(verifications()).toBe(1);
});

test('a sign-in always verifies, also a token that is remembered', async () => {
  const token = randomUUID();
  expect((await logIn(token)).statusCode).toBe(200);
  const again = await logIn(token);
  expect([again.statusCode, again.json().code]).toEqual([403, '4030']);
  expect(verifications()).toBe(2);
});

test('a failed sign-in starts no memory', async () => {
  const token = randomUUID();
  expect((await logIn(token, 'wrong')).json().code).toBe('4017');
  expect(await listFiles(token)).toBe(403);
  expect(verifications()).toBe(2);
});

test('parallel requests with one fresh token all pass with one verification', async () => {
  const token = randomUUID();
  siteverify.answerNext((response) => void setTimeout(() => solved(clock.now())(response), 100));
  const statuses = await Promise.all([
    listFiles(token),
    listTypes(token),
    listFiles(token, owner, world, 1),
    listTypes(token),
  ]);
  expect(statuses).toEqual([200, 200, 200, 200]);
  expect(verifications()).toBe(1);
});

test('one that looks for a pass while another with the same token is verified does not have it verified again', async () => {
  const { config, limits, db } = world.services;
  const passes = databasePasses(db);
  let goOn = () => {};
  const ready = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const finds: Promise<unknown>[] = [];
  const store: PassStore = {
    ...passes,
    async find(...asked) {
      const found = passes.find(...asked);
      if (finds.push(found) === 1) await ready; // after it has looked: what comes meanwhile it does not see
      return found;
    },
  };
  const turnstile = createTurnstile(createSiteverify(config, clock.now), store, limits, clock.now);
  const [account] = await db.query<{ id: number }>(
    sql`select id from accounts where email = 'owner@demo.test'`,
  );
  const caller = { bizId: 'ACC_DEMO_OWNER', account: async () => account ?? { id: 0 } };
  const token = randomUUID();
  const pass = () => turnstile.requirePass(caller, token, undefined);
  const both = [pass(), pass()];
  await Promise.race([both[1], sleep(500)]);
  goOn();
  await Promise.all(both);
  expect(verifications()).toBe(1);
});

test('parallel requests of two accounts with one fresh token let one of them pass', async () => {
  const token = randomUUID();
  const statuses = await Promise.all([listFiles(token, owner), listFiles(token, viewer)]);
  expect(statuses.sort()).toEqual([200, 403]);
});

test('parallel requests with a provider that is away are all refused, and the next one asks anew', async () => {
  const token = randomUUID();
  const away = refused('internal-error');
  siteverify.answerNext(away, away, away, away); // two attempts for each, if they do not meet
  expect(await Promise.all([listFiles(token), listFiles(token)])).toEqual([503, 503]);
  siteverify.answerNext();
  expect(await listFiles(token)).toBe(200);
});

test('instances on one database share the memory', async () => {
  const other = await openAsking(world.database);
  const token = randomUUID();
  expect(await listFiles(token)).toBe(200);
  expect(await listFiles(token, owner, other)).toBe(200);
  expect(await listFiles(token, viewer, other)).toBe(403);
  expect(siteverify.forms.filter(({ response }) => response === token).length).toBe(2);
  await other.close();
});

test('one fresh token sent to two instances at once passes on both, although the provider takes it once', async () => {
  const other = await openAsking(world.database);
  const token = randomUUID();
  let finish = () => {};
  siteverify.answerNext(
    (response) => {
      finish = () => solved(clock.now())(response);
    },
    (response) => {
      refused('timeout-or-duplicate')(response);
      finish();
    },
  );
  const first = listFiles(token);
  await expect.poll(verifications).toBe(1);
  expect(await Promise.all([first, listFiles(token, owner, other)])).toEqual([200, 200]);
  await other.close();
});

test('the database keeps hashes of tokens, and the sweep drops only what has expired', async () => {
  const [old, fresh] = [randomUUID(), randomUUID()];
  const hashes = () =>
    world.db.query<{ hash: string }>(sql`select encode(token_hash, 'hex') as hash from turnstile_passes`);
  await listFiles(old);
  clock.advance(200);
  await listFiles(fresh);
  const before = await hashes();
  expect(JSON.stringify(before)).not.toContain(fresh);
  for (const { hash } of before) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  clock.advance(150);
  await sweepPasses(world.db, clock.now());
  expect((await hashes()).length).toBe(1);
  expect(await listFiles(fresh)).toBe(200);
});
