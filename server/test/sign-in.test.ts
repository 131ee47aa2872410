import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepSignIns } from '../src/auth/portal/sign-ins.ts';
import { migrate } from '../src/db/migrate.ts';
import { sql } from '../src/db/sql.ts';
import { createDatabase } from './database.ts';
import { createClock, openWorld, portalCall, tokenOf, type World } from './world.ts';

const clock = createClock();
const password = 'portico-demo';
const day = 86_400;
let world: World;
/** Every secret that was sent or answered; none may be found in a log. */
const secrets = new Set<string>([password]);

beforeAll(async () => {
  world = await openWorld({ clock });
});

afterAll(async () => {
  await world?.close();
});

const post = (path: string, body: object, token?: string, on = world) =>
  portalCall(on, token, { url: `/web/v1/auth/${path}`, body });

type Tokens = { accessToken: string; refreshToken: string };

async function logIn(email = 'owner@demo.test', on = world): Promise<Tokens> {
  const response = await post('login', { email, password }, undefined, on);
  expect(response.statusCode).toBe(200);
  const { data } = response.json();
  secrets.add(data.accessToken).add(data.refreshToken);
  return data;
}

async function refresh(refreshToken: string, on = world): Promise<Tokens> {
  const response = await post('refresh', { refreshToken }, undefined, on);
  expect(response.statusCode).toBe(200);
  const { data } = response.json();
  secrets.add(data.accessToken).add(data.refreshToken);
  return data;
}

async function expectEnded(refreshToken: string): Promise<void> {
  const response = await post('refresh', { refreshToken });
  expect([response.statusCode, response.json().code]).toEqual([401, '4010']);
  expect(response.headers['www-authenticate']).toMatch(/^Bearer /);
}

describe('login', () => {
  test('answers the tokens, their kind and their lives, and nothing else', async () => {
    const response = await post('login', { email: 'owner@demo.test', password });
    const body = response.json();
    expect(response.statusCode).toBe(200);
    expect(body).toEqual({
      version: '1.0.0',
      timestamp: expect.any(Number),
      success: true,
      code: '2000',
      message: 'SUCCESS',
      data: {
        accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        tokenType: 'Bearer',
        expiresIn: 900,
        refreshToken: expect.stringMatching(/^rt_[0-9A-Za-z]{43}$/),
        refreshExpiresIn: 30 * day,
      },
    });
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(response.headers['cache-control']).toBe('no-store');
    secrets.add(body.data.accessToken).add(body.data.refreshToken);
  });

  test('a wrong password, an unknown account and one without a password get the same answer', async () => {
    await world.db.query(
      sql`insert into accounts (biz_id, email, name) values ('ACC_SSO', 'sso@demo.test', 'SSO')`,
    );
    secrets.add('hunter2-wrong');
    const attempts = ['owner@demo.test', 'nobody@demo.test', 'sso@demo.test'].map((email) =>
      post('login', { email, password: 'hunter2-wrong' }),
    );
    for (const response of await Promise.all(attempts)) {
      expect({ status: response.statusCode, body: response.json() }).toEqual({
        status: 401,
        body: { success: false, code: '4017', message: 'the e-mail address or the password is wrong' },
      });
      expect(response.headers['www-authenticate']).toMatch(/^Bearer /);
    }
  });

  test('an account that exists takes no longer than one that does not, or is disabled', async () => {
    await world.db.query(sql`
      insert into accounts (biz_id, email, name, password_hash, status)
      select 'ACC_OFF', 'disabled@demo.test', 'Off', password_hash, 'DISABLED' from accounts where biz_id = 'ACC_DEMO_OWNER'`);
    const fastest: Record<string, number> = {};
    for (let count = 0; count < 21; count += 1) {
      const who = ['owner', 'nobody', 'disabled'][count % 3] ?? '';
      const begun = performance.now();
      await post('login', { email: `${who}@demo.test`, password: 'wrong' });
      fastest[who] = Math.min(fastest[who] ?? Infinity, performance.now() - begun);
    }
    const times = Object.values(fastest);
    expect(Math.max(...times) / Math.min(...times)).toBeLessThan(3);
  });

  test('the case of an e-mail address does not matter, that of a password does', async () => {
    await logIn('OWNER@Demo.TEST');
    expect((await post('login', { email: 'owner@demo.test', password: 'PORTICO-DEMO' })).json().code).toBe(
      '4017',
    );
  });

  test('an address and a password beyond ASCII sign in as they were stored', async () => {
    const secret = 'Пароль 🙂 ÄÖÜ';
    // In a database whose own collation folds more than ASCII.
    const database = await createDatabase("template0 locale_provider icu icu_locale 'en'");
    await migrate(database.connection);
    const folding = await openWorld({ clock, database });
    await folding.db.query(sql`
      insert into accounts (biz_id, email, name, password_hash)
      values ('ACC_UNI', 'ÜNÏ@demo.test', 'Unicode', ${await folding.services.passwords.hash(secret, '')})`);
    const statusOf = async (email: string, typed: string) =>
      (await post('login', { email, password: typed }, undefined, folding)).statusCode;
    expect(await statusOf('ÜNÏ@demo.test', secret)).toBe(200);
    expect(await statusOf('ÜNÏ@DEMO.test', secret)).toBe(200);
    expect(await statusOf('ÜNÏ@demo.test', secret.normalize('NFD'))).toBe(401);
    await folding.close();
    await database.drop();
  });

  test.each([
    ['no e-mail', { password }, 'email'],
    ['no password', { email: 'a@b.test' }, 'password'],
    ['a null password', { email: 'a@b.test', password: null }, 'password'],
    ['an empty password', { email: 'a@b.test', password: '' }, 'password'],
    ['a password that is no text', { email: 'a@b.test', password: { $ne: '' } }, 'password'],
    ['a password without end', { email: 'a@b.test', password: 'x'.repeat(1025) }, 'password'],
    ['NUL in the e-mail', { email: 'owner@demo.test\u0000', password }, 'email'],
    ['another session', { email: 'a@b.test', password, session: 'local' }, 'session'],
  ])('%s is 4000 and names the field', async (_what, body, field) => {
    const response = await post('login', body);
    expect([response.statusCode, response.json().code]).toEqual([400, '4000']);
    expect(response.json().message).toContain(field);
  });
});

describe('refresh', () => {
  test('gives a new pair of the same shape, for the same account', async () => {
    const before = await logIn('viewer@demo.test');
    const after = await refresh(before.refreshToken);
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
    expect(after.refreshToken).not.toBe(before.refreshToken);
    const me = await portalCall(world, after.accessToken, { method: 'GET', url: '/web/v1/auth/me' });
    expect(me.json().data.account.bizId).toBe('ACC_DEMO_VIEWER');
  });

  test('the token just replaced works for 10 s, and so does every token it was replaced by', async () => {
    const { refreshToken } = await logIn();
    const siblings = [await refresh(refreshToken)];
    clock.advance(9);
    siblings.push(await refresh(refreshToken));
    for (const sibling of siblings) await refresh(sibling.refreshToken);
  });

  test('after 10 s the replaced token ends its whole sign-in, the newest token included', async () => {
    const { refreshToken } = await logIn();
    const newest = await refresh(refreshToken);
    clock.advance(11);
    const other = await logIn();
    await expectEnded(refreshToken);
    await expectEnded(newest.refreshToken);
    await refresh(other.refreshToken);
  });

  test('a token replaced twice over is refused even within 10 s, and ends the sign-in', async () => {
    const first = await logIn();
    const second = await refresh(first.refreshToken);
    const third = await refresh(second.refreshToken);
    await expectEnded(first.refreshToken);
    await expectEnded(third.refreshToken);
  });

  test('20 uses of one token at once all succeed, and give one and the same successor', async () => {
    const { refreshToken } = await logIn();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('refresh', { refreshToken })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 200));
    const tokens = answers.map((answer) => answer.json().data.refreshToken as string);
    expect(new Set(tokens).size).toBe(1);
    for (const token of tokens) secrets.add(token);
    await refresh(tokens[0] ?? '');
  });

  test('20 uses of a token that is too old, while the newest is used, end the sign-in without a 5xx', async () => {
    const first = await logIn();
    const second = await refresh(first.refreshToken);
    clock.advance(11);
    const sent = Array.from({ length: 20 }, (_item, index) => (index === 10 ? second : first).refreshToken);
    const answers = await Promise.all(sent.map((refreshToken) => post('refresh', { refreshToken })));
    for (const { statusCode } of answers) expect([200, 401]).toContain(statusCode);
    await expectEnded(second.refreshToken);
  });

  test('a sign-in ends after 30 days, however often it was renewed, and its last access token with it', async () => {
    let { refreshToken } = await logIn();
    for (let days = 0; days < 29; days += 1) {
      clock.advance(day);
      ({ refreshToken } = await refresh(refreshToken));
    }
    clock.advance(day - 60);
    const last = (await post('refresh', { refreshToken })).json().data;
    secrets.add(last.refreshToken);
    expect(last.expiresIn).toBeLessThanOrEqual(60);
    expect(last.refreshExpiresIn).toBeLessThanOrEqual(60);
    clock.advance(61);
    await expectEnded(last.refreshToken);
  });

  test.each([
    ['missing', {}, 401, '4010'],
    ['null', { refreshToken: null }, 401, '4010'],
    ['unknown', { refreshToken: `rt_${'0'.repeat(43)}` }, 401, '4010'],
    ['blank', { refreshToken: ' ' }, 400, '4000'],
    ['a number', { refreshToken: 1 }, 400, '4000'],
    ['too long', { refreshToken: 'x'.repeat(129) }, 400, '4000'],
  ])('a token that is %s is refused', async (_what, body, status, code) => {
    const response = await post('refresh', body);
    expect([response.statusCode, response.json().code]).toEqual([status, code]);
  });

  test('an access token is no refresh token', async () => {
    const { accessToken } = await logIn();
    expect((await post('refresh', { refreshToken: accessToken.slice(0, 128) })).statusCode).toBe(401);
  });

  test('the sign-in of a deleted account is over', async () => {
    await world.db.query(sql`
      insert into accounts (biz_id, email, name, password_hash)
      select 'ACC_LEFT', 'left@demo.test', 'Left', password_hash from accounts where biz_id = 'ACC_DEMO_OWNER'`);
    const { refreshToken } = await logIn('left@demo.test');
    await world.db.query(sql`delete from accounts where biz_id = 'ACC_LEFT'`);
    await expectEnded(refreshToken);
  });

  test('instances on one database renew each other', async () => {
    const other = await openWorld({ clock, database: world.database });
    const { refreshToken } = await logIn();
    const renewed = await refresh(refreshToken, other);
    await refresh(renewed.refreshToken);
    await other.close();
  });
});

describe('logout', () => {
  test('ends every token of the sign-in, older ones included, and no other sign-in', async () => {
    const first = await logIn();
    const second = await refresh(first.refreshToken);
    const other = await logIn();
    const response = await post('logout', { refreshToken: second.refreshToken }, second.accessToken);
    expect([response.statusCode, response.json().data]).toEqual([200, {}]);
    await expectEnded(second.refreshToken);
    await expectEnded(first.refreshToken);
    await refresh(other.refreshToken);
  });

  test("another account's token ends nothing, and is not told from an unknown one", async () => {
    const mine = await logIn();
    const theirs = await logIn('outsider@demo.test');
    const foreign = await post('logout', { refreshToken: theirs.refreshToken }, mine.accessToken);
    const unknown = await post('logout', { refreshToken: 'rt_unknown' }, mine.accessToken);
    expect([foreign.statusCode, unknown.statusCode]).toEqual([200, 200]);
    expect(foreign.json().data).toEqual(unknown.json().data);
    await refresh(theirs.refreshToken);
  });

  test('wants an access token and names a missing refresh token', async () => {
    const { accessToken, refreshToken } = await logIn();
    expect((await post('logout', { refreshToken })).json().code).toBe('4010');
    const response = await post('logout', {}, accessToken);
    expect([response.statusCode, response.json().code]).toEqual([400, '4000']);
    expect(response.json().message).toContain('refreshToken');
    await refresh(refreshToken);
  });
});

describe('me', () => {
  test('shows the account, its institutions, and its workspaces with roles', async () => {
    const { accessToken } = await logIn('viewer@demo.test');
    const response = await portalCall(world, accessToken, { method: 'GET', url: '/web/v1/auth/me' });
    expect(response.json().data).toEqual({
      account: { bizId: 'ACC_DEMO_VIEWER', email: 'viewer@demo.test', name: 'Demo Viewer', locale: 'en' },
      institutions: [{ bizId: 'INST_DEMO', name: 'Demo Institution' }],
      workspaces: [
        { bizId: 'WS_DEMO', name: 'Demo Workspace', institutionBizId: 'INST_DEMO', role: 'VIEWER' },
      ],
    });
  });

  test('an account that belongs to nothing has empty lists', async () => {
    const token = await tokenOf(world, 'ACC_SSO');
    const response = await portalCall(world, token, { method: 'GET', url: '/web/v1/auth/me' });
    expect(response.json().data).toMatchObject({ institutions: [], workspaces: [] });
  });
});

describe('what is kept', () => {
  test('the database holds hashes of tokens alone', async () => {
    const { refreshToken } = await logIn();
    const rows = await world.db.query<{ text: string }>(sql`
      select t::text || s::text as text from refresh_tokens t join sign_ins s on s.id = t.sign_in_id`);
    expect(rows.length).toBeGreaterThan(20);
    const kept = rows.map(({ text }) => text).join('\n');
    for (const token of [refreshToken, Buffer.from(refreshToken).toString('hex')])
      expect(kept).not.toContain(token);
  });

  test('the sweep drops what has expired and leaves what still serves', async () => {
    await logIn();
    clock.advance(31 * day);
    const { refreshToken } = await logIn();
    await world.db.query(sql`
      insert into sign_ins (account_id, expires_at)
      select (select id from accounts limit 1), '2025-01-01' from generate_series(1, 1500)`);
    const batches = [await sweepSignIns(world.db, clock.now()), await sweepSignIns(world.db, clock.now())];
    expect(batches).toEqual([true, false]);
    const [count] = await world.db.query<{ tokens: number; signIns: number }>(
      sql`select (select count(*) from refresh_tokens) as tokens, (select count(*) from sign_ins) as "signIns"`,
    );
    expect(count).toEqual({ tokens: 1, signIns: 1 });
    await refresh(refreshToken);
  });

  test('no password and no token of any test above was logged', () => {
    expect(secrets.size).toBeGreaterThan(40);
    expect(world.logs()).toContain('/web/v1/auth/login');
    for (const secret of secrets) expect(world.logs()).not.toContain(secret);
  });
});
