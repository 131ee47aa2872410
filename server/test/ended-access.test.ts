import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { openWorld, portalCall, signIn, tokenOf, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const keysUrl = '/web/v1/workspaces/WS_DEMO/api-keys';
type Tokens = { accessToken: string; refreshToken: string };

const post = (url: string, body: object, token?: string) => portalCall(world, token, { url, body });
const logIn = async (): Promise<Tokens> =>
  (await post('/web/v1/auth/login', { email: 'owner@demo.test', password: 'portico-demo' })).json().data;

/** One of each kind: a list, a record of the caller, a write. */
async function codesWith(token: string): Promise<string[]> {
  const answers = await Promise.all([
    portalCall(world, token, { method: 'GET', url: keysUrl }),
    portalCall(world, token, { method: 'GET', url: '/web/v1/auth/me' }),
    post('/web/v1/files/query/list', { institutionBizId: 'INST_DEMO' }, token),
    post(keysUrl, { name: 'after the end' }, token),
  ]);
  return answers.map((answer) => answer.json().code);
}
const ended = ['4010', '4010', '4010', '4010'];
const open = ['2000', '2000', '2000', '2000'];

describe('an access token ends at once, for lists and writes alike', () => {
  test('with the sign-out of its sign-in, and that of no other', async () => {
    const [mine, other] = [await logIn(), await logIn()];
    expect(await codesWith(mine.accessToken)).toEqual(open);
    await post('/web/v1/auth/logout', { refreshToken: mine.refreshToken }, mine.accessToken);
    expect(await codesWith(mine.accessToken)).toEqual(ended);
    expect(await codesWith(other.accessToken)).toEqual(open);
  });

  test('with the sign-out everywhere, said from another device', async () => {
    const [mine, other] = [await logIn(), await logIn()];
    await post('/web/v1/auth/logout-everywhere', {}, other.accessToken);
    expect(await codesWith(mine.accessToken)).toEqual(ended);
  });

  test('with a refresh token that was used twice over', async () => {
    const { accessToken, refreshToken } = await logIn();
    const second = (await post('/web/v1/auth/refresh', { refreshToken })).json().data;
    await post('/web/v1/auth/refresh', { refreshToken: second.refreshToken });
    expect((await post('/web/v1/auth/refresh', { refreshToken })).json().code).toBe('4010');
    expect(await codesWith(accessToken)).toEqual(ended);
  });

  test('with its account, which then neither signs in nor renews, in the same words as a wrong password', async () => {
    const { accessToken, refreshToken } = await logIn();
    await world.db.query(sql`update accounts set status = 'DISABLED' where email = 'owner@demo.test'`);
    expect(await codesWith(accessToken)).toEqual(ended);
    expect((await post('/web/v1/auth/refresh', { refreshToken })).json().code).toBe('4010');
    const [disabled, wrong] = await Promise.all(
      ['portico-demo', 'wrong'].map((password) =>
        post('/web/v1/auth/login', { email: 'owner@demo.test', password }),
      ),
    );
    const { code, message } = wrong?.json() ?? {};
    expect(disabled?.json()).toMatchObject({ code, message });
    await world.db.query(sql`update accounts set status = 'ACTIVE' where email = 'owner@demo.test'`);
    expect(await codesWith(await signIn(world))).toEqual(open);
  });

  test('when it names the sign-in of another account', async () => {
    const token = await tokenOf(world, 'ACC_DEMO_OWNER');
    await world.db.query(sql`
      update sign_ins set account_id = (select id from accounts where email = 'outsider@demo.test')
      where id = (select id from sign_ins order by created_at desc limit 1)`);
    expect(await codesWith(token)).toEqual(ended);
  });
});

describe('a sign-out while a write is under way', () => {
  test('waits for it, so that nothing is written after it was answered', async () => {
    const { accessToken, refreshToken } = await logIn();
    const writes = Array.from({ length: 5 }, () => post(keysUrl, { name: 'racing' }, accessToken));
    const out = post('/web/v1/auth/logout', { refreshToken }, accessToken).then(async (answer) => {
      const [row] = await world.db.query<{ count: number }>(
        sql`select count(*) from api_keys where name = 'racing'`,
      );
      return { status: answer.statusCode, count: row?.count };
    });
    const [{ status, count }, ...answers] = await Promise.all([out, ...writes]);
    expect(status).toBe(200);
    const [after] = await world.db.query<{ count: number }>(
      sql`select count(*) from api_keys where name = 'racing'`,
    );
    expect(after?.count).toBe(count);
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(Number(count));
  });
});

describe('a sign-in that is used', () => {
  test('is seen with its address and device, without a write for each request', async () => {
    await world.db.query(sql`delete from sign_ins`);
    const token = await signIn(world);
    await world.db.query(sql`update sign_ins set seen_at = '2026-01-01', ip_address = null`);
    await portalCall(world, token, { method: 'GET', url: '/web/v1/auth/me' });
    await world.services.sightings.flush(world.db);
    const rows = await world.db.query(sql`
      select ip_address as address, user_agent as device, seen_at > '2026-01-01' as "isSeen" from sign_ins`);
    expect(rows).toEqual([{ address: '127.0.0.1', device: 'lightMyRequest', isSeen: true }]);
  });
});
