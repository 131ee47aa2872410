import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, portalCall, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const post = (path: string, body: object, token?: string) =>
  portalCall(world, token, { url: `/web/v1/auth/${path}`, body });

type Tokens = { accessToken: string; refreshToken: string };

const logIn = async (email = 'owner@demo.test'): Promise<Tokens> =>
  (await post('login', { email, password: 'portico-demo' })).json().data;

const refreshStatus = async ({ refreshToken }: Tokens) =>
  (await post('refresh', { refreshToken })).statusCode;

describe('logout everywhere', () => {
  test('ends every sign-in of the account, and none of another', async () => {
    const first = await logIn();
    const second = await logIn();
    const renewed = (await post('refresh', { refreshToken: second.refreshToken })).json().data;
    const theirs = await logIn('outsider@demo.test');
    const response = await post('logout-everywhere', {}, first.accessToken);
    expect([response.statusCode, response.json().data]).toEqual([200, {}]);
    for (const tokens of [first, second, renewed]) expect(await refreshStatus(tokens)).toBe(401);
    expect(await refreshStatus(theirs)).toBe(200);
  });

  test('ends the token that said it, and leaves the account free to sign in again', async () => {
    const { accessToken } = await logIn();
    expect((await post('logout-everywhere', {}, accessToken)).statusCode).toBe(200);
    expect((await post('logout-everywhere', {}, accessToken)).json().code).toBe('4010');
    expect(await refreshStatus(await logIn())).toBe(200);
  });

  test('ends a sign-in that is being renewed at the same moment', async () => {
    const tokens = await logIn();
    const [, renewal] = await Promise.all([
      post('logout-everywhere', {}, tokens.accessToken),
      post('refresh', { refreshToken: tokens.refreshToken }),
    ]);
    if (renewal.statusCode === 200) expect(await refreshStatus(renewal.json().data)).toBe(401);
    else expect(renewal.statusCode).toBe(401);
    expect(await refreshStatus(tokens)).toBe(401);
  });

  test('is answered on many devices at once', async () => {
    const signIns = await Promise.all(Array.from({ length: 8 }, () => logIn('viewer@demo.test')));
    const answers = await Promise.all(
      signIns.map(({ accessToken }) => post('logout-everywhere', {}, accessToken)),
    );
    for (const { statusCode } of answers) expect([200, 401]).toContain(statusCode); // the first ends the others' tokens
    expect(answers.map(({ statusCode }) => statusCode)).toContain(200);
    for (const tokens of signIns) expect(await refreshStatus(tokens)).toBe(401);
  });
});
