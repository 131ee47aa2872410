import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { expectError } from './expect-answer.ts';
import { exchange, listen, requestBytes } from './raw-http.ts';
import { openWorld, portalCall, type World } from './world.ts';

const origin = 'http://portal.example:8080';
let world: World;
let port: number;
/** The same service, as seen over https. */
let secure: World;

beforeAll(async () => {
  world = await openWorld({ env: { PORTICO_PUBLIC_URL: origin } });
  port = await listen(world);
  const env = { PORTICO_PUBLIC_URL: 'https://portal.example', PORTICO_BASE_PATH: '/partner' };
  secure = await openWorld({ env, database: world.database });
});

afterAll(async () => {
  await secure?.close();
  await world?.close();
});

const login = (on = world, base = '') =>
  portalCall(on, undefined, {
    url: `${base}/web/v1/auth/login`,
    body: { email: 'owner@demo.test', password: 'portico-demo', session: 'cookie' },
  });

const cookieOf = (response: LightMyRequestResponse) => String(response.headers['set-cookie']);
const pairOf = (response: LightMyRequestResponse) => cookieOf(response).split(';')[0] ?? '';

const send = (path: string, cookie: string, headers: Record<string, string>, token?: string) =>
  portalCall(world, token, { url: `/web/v1/auth/${path}`, body: {}, headers: { cookie, ...headers } });

describe('the cookie', () => {
  test('holds the refresh token, which is not in the body', async () => {
    const response = await login();
    expect(Object.keys(response.json().data).sort()).toEqual([
      'accessToken',
      'expiresIn',
      'me',
      'refreshExpiresIn',
      'tokenType',
    ]);
    const token = pairOf(response).split('=')[1] ?? '';
    expect(token).toMatch(/^rt_[0-9A-Za-z]{43}$/);
    expect(response.body).not.toContain(token);
  });

  test('is given also when the database fails at telling who has signed in', async () => {
    await world.db.query(sql`alter table institution_members rename to away`);
    try {
      const response = await login();
      expect(response.statusCode).toBe(200);
      expect(response.json().data).not.toHaveProperty('me');
      expect(pairOf(response)).toMatch(/=rt_[0-9A-Za-z]{43}$/);
    } finally {
      await world.db.query(sql`alter table away rename to institution_members`);
    }
  });

  test('is HttpOnly, SameSite=Strict, limited to the auth path, and lives as long as its token', async () => {
    const [, ...attributes] = cookieOf(await login()).split('; ');
    expect(attributes.sort()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/web/v1/auth',
      'SameSite=Strict',
    ]);
  });

  test('is Secure by its name too when the portal is https, and its path has the base path', async () => {
    const [pair, ...attributes] = cookieOf(await login(secure, '/partner')).split('; ');
    expect(pair).toMatch(/^__Secure-portico_refresh=rt_/);
    expect(attributes).toContain('Secure');
    expect(attributes).toContain('Path=/partner/web/v1/auth');
  });

  test('without that name is none to a portal that is https: anyone on plain http could have set it', async () => {
    const pair = pairOf(await login(secure, '/partner'));
    const refresh = (cookie: string) =>
      portalCall(secure, undefined, {
        url: '/partner/web/v1/auth/refresh',
        body: {},
        headers: { cookie, origin: 'https://portal.example' },
      });
    const bare = pair.replace('__Secure-', '');
    for (const cookie of [
      bare,
      pair.replace('__Secure-', '__secure-'),
      `${pair}; ${pair}`,
      `${pair}; __Secure-portico_refresh=`,
    ])
      expect([cookie, (await refresh(cookie)).statusCode]).toEqual([cookie, 401]);
    const renewed = await refresh(`${bare}x; ${pair}`);
    expect(renewed.statusCode).toBe(200);
    expect(pairOf(renewed)).toMatch(/^__Secure-portico_refresh=rt_/);
  });
});

describe('a cookie is honoured', () => {
  test.each([
    ['Origin', { origin }],
    ['Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin' }],
    ['both', { origin, 'sec-fetch-site': 'same-origin' }],
  ])('for a same-origin %s: the session goes on in a new cookie', async (_what, headers) => {
    const first = await login();
    const response = await send('refresh', pairOf(first), headers);
    expect(response.statusCode).toBe(200);
    expect(response.json().data).not.toHaveProperty('refreshToken');
    expect(pairOf(response)).toMatch(/^portico_refresh=rt_/);
    expect(pairOf(response)).not.toBe(pairOf(first));
    expect((await send('refresh', pairOf(response), headers)).statusCode).toBe(200);
  });

  test('by every name of this machine, when that is where the portal is', async () => {
    const env = { PORTICO_PUBLIC_URL: 'http://127.0.0.1:8080' };
    const local = await openWorld({ env, database: world.database });
    const codes = [];
    for (const from of [
      '127.0.0.1:8080',
      'localhost:8080',
      '[::1]:8080',
      'localhost:8081',
      'evil.example:8080',
    ]) {
      const headers = { cookie: pairOf(await login(local)), origin: `http://${from}` };
      const refreshed = await portalCall(local, undefined, {
        url: '/web/v1/auth/refresh',
        body: {},
        headers,
      });
      codes.push(refreshed.statusCode);
    }
    await local.close();
    expect(codes).toEqual([200, 200, 200, 401, 401]);
  });

  test('among other cookies, and not under a name that only ends or begins like it', async () => {
    const pair = pairOf(await login());
    expect((await send('refresh', `a=b; ${pair}; c=d`, { origin })).statusCode).toBe(200);
    expect((await send('refresh', `x${pair}`, { origin })).statusCode).toBe(401);
    expect((await send('refresh', pair.replace('=', '2='), { origin })).statusCode).toBe(401);
  });

  test.each([
    ['no header at all', {}],
    ['a cross-site Origin', { origin: 'https://evil.example' }],
    [
      'a cross-site Origin that says same-origin',
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['the Origin null', { origin: 'null' }],
    ['the host on another port', { origin: 'http://portal.example:8081' }],
    ['the host by another scheme', { origin: 'https://portal.example:8080' }],
    ['an Origin that begins like ours', { origin: `${origin}.evil.example` }],
    ['a Sec-Fetch-Site of same-site', { 'sec-fetch-site': 'same-site' }],
    ['a Sec-Fetch-Site of cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a Sec-Fetch-Site of none', { 'sec-fetch-site': 'none' }],
    ['a Referer alone', { referer: `${origin}/` }],
  ])('never with %s, for refresh and logout alike', async (_what, headers: Record<string, string>) => {
    const first = await login();
    const refused = await send('refresh', pairOf(first), headers);
    expect([refused.statusCode, refused.json().code]).toEqual([401, '4010']);
    expect(refused.headers['set-cookie']).toBeUndefined();
    const logout = await send('logout', pairOf(first), headers, first.json().data.accessToken);
    expect([logout.statusCode, logout.json().code]).toEqual([400, '4000']);
    expect((await send('refresh', pairOf(first), { origin })).statusCode).toBe(200);
  });
});

describe('two refresh cookies are refused, and neither is spent', () => {
  test.each([
    ['in one header', (own: string, other: string) => [`${own}; ${other}`]],
    ['in one header, the other first', (own: string, other: string) => [`${other};${own}`]],
    ['in two headers', (own: string, other: string) => [own, `a=b; ${other}`]],
    ['the same one twice', (own: string) => [own, own]],
    ['one of them empty', (own: string) => [`portico_refresh=; ${own}`]],
  ])('%s', async (_how, cookiesOf) => {
    const [own, other] = [await login(), await login()];
    const cookies = cookiesOf(pairOf(own), pairOf(other)).map((cookie) => ['Cookie', cookie] as const);
    const over = (path: string, ...more: (readonly [string, string])[]) =>
      exchange(
        port,
        requestBytes({
          target: `/web/v1/auth/${path}`,
          headers: [['Content-Type', 'application/json'], ['Origin', origin], ...cookies, ...more],
          body: '{}',
        }),
      );
    const refused = await over('refresh');
    expectError(refused, '4010');
    expect(refused.headers['set-cookie']).toBeUndefined();
    expectError(await over('logout', ['Authorization', `Bearer ${own.json().data.accessToken}`]), '4000');
    for (const response of [own, other])
      expect((await send('refresh', pairOf(response), { origin })).statusCode).toBe(200);
  });
});

test('logout ends the sign-in of the cookie and clears it', async () => {
  const first = await login();
  const response = await send('logout', pairOf(first), { origin }, first.json().data.accessToken);
  expect(response.statusCode).toBe(200);
  expect(cookieOf(response)).toContain('portico_refresh=; Path=/web/v1/auth; Max-Age=0');
  expect((await send('refresh', pairOf(first), { origin })).statusCode).toBe(401);
});

test('logout everywhere ends the sign-in of the cookie and clears it, whatever the request says of its origin', async () => {
  const first = await login();
  const response = await send('logout-everywhere', pairOf(first), {}, first.json().data.accessToken);
  expect(response.statusCode).toBe(200);
  expect(cookieOf(response)).toContain('portico_refresh=; Path=/web/v1/auth; Max-Age=0');
  expect((await send('refresh', pairOf(first), { origin })).statusCode).toBe(401);
});

test('a token in the body is answered in the body, whatever the cookie says', async () => {
  const cookie = pairOf(await login());
  const plain = await portalCall(world, undefined, {
    url: '/web/v1/auth/login',
    body: { email: 'viewer@demo.test', password: 'portico-demo' },
  });
  const { refreshToken } = plain.json().data;
  const response = await portalCall(world, undefined, {
    url: '/web/v1/auth/refresh',
    body: { refreshToken },
    headers: { cookie, origin },
  });
  expect(response.json().data.refreshToken).toMatch(/^rt_/);
  expect(response.headers['set-cookie']).toBeUndefined();
});

test('no answer to another origin carries a CORS header', async () => {
  const headers = {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  };
  const paths = [
    '/web/v1/auth/login',
    '/web/v1/auth/me',
    '/api/v1/transfers',
    '/.well-known/jwks.json',
    '/openapi.json',
    '/none',
  ];
  for (const url of paths) {
    for (const method of ['OPTIONS', 'GET', 'POST'] as const) {
      const response = await portalCall(world, undefined, { method, url, headers });
      const cors = Object.keys(response.headers).filter((name) => name.startsWith('access-control-'));
      expect({ url, method, cors }).toEqual({ url, method, cors: [] });
      if (method === 'OPTIONS') expect(response.statusCode).toBeGreaterThanOrEqual(400);
    }
  }
});
