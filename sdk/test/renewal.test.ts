import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { dummyTurnstile } from '../../server/test/world.ts';
import {
  AuthenticationError,
  ForbiddenError,
  NetworkError,
  PorticoPortal,
  type PorticoPortalOptions,
} from '../src/portal/index.ts';
import { PeopleCalls } from '../src/portal/people.ts';
import { answer, envelope, type Loopback, openLoopback, openService, problem } from './service.ts';

let loopback: Loopback;
afterEach(() => loopback.close());

async function open(options: Partial<PorticoPortalOptions>, ...listeners: RequestListener[]) {
  loopback = await openLoopback(...listeners);
  return new PorticoPortal({ baseUrl: loopback.url, sleep: async () => {}, ...options });
}

const good = answer(200, envelope({ content: [] }));
const expired = answer(401, problem('4010', 'the access token is invalid or has expired'));
const unsolved = answer(403, {
  ...problem('4030', 'Turnstile verification failed'),
  errors: [{ field: 'X-Turnstile-Token', message: 'has expired' }],
});
const sent = (name: string) => loopback.requests.map(({ headers }) => headers[name]);

/** Counts its tokens; asked again, it makes the next one. */
function source() {
  const asked: (string | undefined)[] = [];
  let count = 1;
  const next = async (refused?: string) => {
    asked.push(refused);
    if (refused === `t${count}`) count += 1;
    return `t${count}`;
  };
  return { asked, next };
}

describe('a token that is refused', () => {
  it('is renewed, and the call repeated once', async () => {
    const { asked, next } = source();
    const portal = await open({ accessToken: next }, expired, good);
    expect(await portal.listApiKeys('WS_DEMO')).toEqual({ content: [] });
    expect(asked).toEqual([undefined, 't1']);
    expect(sent('authorization')).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it('is renewed for what changes something, too, as nothing has happened', async () => {
    const portal = await open({ accessToken: source().next }, expired, good);
    await portal.createApiKey('WS_DEMO', { name: 'x' });
    expect(loopback.requests).toHaveLength(2);
  });

  it('is renewed once: the second refusal is thrown', async () => {
    const { asked, next } = source();
    const portal = await open({ accessToken: next }, expired);
    await expect(portal.me()).rejects.toThrow(AuthenticationError);
    expect([asked, loopback.requests.length]).toEqual([[undefined, 't1'], 2]);
  });

  it.each([
    ['a text', 'same'],
    ['a function that knows no other', () => 'same'],
    ['a function that knows none now', (refused?: string) => (refused === undefined ? 'same' : undefined)],
    ['a function that knew none', () => undefined],
  ])('is not sent again when it comes from %s', async (_name, accessToken) => {
    const portal = await open({ accessToken }, expired);
    await expect(portal.me()).rejects.toMatchObject({ code: '4010' });
    expect(loopback.requests).toHaveLength(1);
  });

  it('is not asked for where no token is sent', async () => {
    const { asked, next } = source();
    const portal = await open({ accessToken: next, turnstileToken: next }, expired);
    await expect(portal.refresh()).rejects.toThrow(AuthenticationError);
    expect([asked, loopback.requests.length]).toEqual([[], 1]);
  });

  it('of Turnstile is renewed as well, each of the two once', async () => {
    const access = source();
    const challenge = source();
    const options = { accessToken: access.next, turnstileToken: challenge.next };
    const portal = await open(options, unsolved, expired, good);
    await portal.queryChannelTypes();
    expect(sent('x-turnstile-token')).toEqual(['t1', 't2', 't2']);
    expect(sent('authorization')).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
  });

  it('of Turnstile is told from every other refusal', async () => {
    const { asked, next } = source();
    const foreign = answer(403, problem('4030', 'the account is not a member of this institution'));
    const portal = await open({ accessToken: 'jwt', turnstileToken: next }, foreign);
    await expect(portal.listFiles({ institutionBizId: 'INST_OTHER' })).rejects.toThrow(ForbiddenError);
    expect([asked, loopback.requests.length]).toEqual([[undefined], 1]);
  });

  it('leaves the error of its renewal', async () => {
    const accessToken = async (refused?: string) => {
      if (refused !== undefined) throw new NetworkError('no answer');
      return 't1';
    };
    const portal = await open({ accessToken, retries: 0 }, expired);
    await expect(portal.me()).rejects.toThrow(new NetworkError('no answer'));
  });
});

describe('with the service itself', () => {
  it('a session outlives its access tokens and its challenge', async () => {
    loopback = await openLoopback(good);
    const service = await openService();
    const visitor = new PorticoPortal({ baseUrl: service.url, turnstileToken: dummyTurnstile });
    let tokens = await visitor.login({ email: 'owner@demo.test', password: 'portico-demo' });
    const challenges = ['', dummyTurnstile];
    const portal = new PorticoPortal({
      baseUrl: service.url,
      accessToken: async (refused) => {
        if (refused === tokens.accessToken)
          tokens = await visitor.refresh({ refreshToken: tokens.refreshToken ?? '' });
        return tokens.accessToken;
      },
      turnstileToken: (refused) => challenges[refused === undefined ? 0 : 1],
    });
    service.world.clock.advance(3600);
    expect((await portal.listFiles({ institutionBizId: 'INST_DEMO' })).totalElements).toBe(250);
    await service.close();
  });
});

describe('a call that is ended by its signal', () => {
  const neverAnswer: RequestListener = () => {};
  const neverEnd: RequestListener = (_request, response) => void response.writeHead(200).write('{"code":');

  it.each([
    ['before an answer', neverAnswer],
    ['in the middle of one', neverEnd],
  ])('throws the reason of the signal %s, and is not tried again', async (_name, listener) => {
    const portal = await open({ accessToken: 'jwt' }, listener);
    const controller = new AbortController();
    const call = portal.me({ signal: controller.signal });
    while (loopback.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(new Error('left the page'));
    await expect(call).rejects.toThrow(new Error('left the page'));
    expect(loopback.requests).toHaveLength(1);
  });

  it('throws it also where nothing is tried again', async () => {
    const portal = await open({}, neverAnswer);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    const { signal } = controller;
    await expect(portal.refresh({}, { signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('does not begin when the signal was given before', async () => {
    const portal = await open({ accessToken: 'jwt' }, good);
    const { signal } = new AbortController();
    await portal.me({ signal });
    await expect(portal.me({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(loopback.requests).toHaveLength(1);
  });

  it('does not wait for its next attempt', async () => {
    const controller = new AbortController();
    const sleep = () => {
      setTimeout(() => controller.abort(), 5);
      return new Promise<void>(() => {});
    };
    const portal = await open({ accessToken: 'jwt', sleep }, answer(503, ''));
    await expect(portal.me({ signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(loopback.requests).toHaveLength(1);
  });

  it('does not begin to wait when it is ended by the answer it would wait after', async () => {
    const controller = new AbortController();
    const answered = Object.assign(new Response('', { status: 503 }), {
      text: async () => {
        controller.abort();
        return '';
      },
    });
    const sleep = () => new Promise<void>(() => {});
    const portal = await open({ accessToken: 'jwt', sleep, fetch: async () => answered }, good);
    await expect(portal.me({ signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('may be any: every method hands its signal on', async () => {
    const portal = await open({ accessToken: 'jwt', turnstileToken: 'solved' }, good);
    const gone = { signal: AbortSignal.abort() };
    const calls = [
      portal.login({ email: 'a@b.test', password: 'x' }, gone),
      portal.refresh({}, gone),
      portal.logout({}, gone),
      portal.logoutEverywhere(gone),
      portal.startDeviceSignIn({}, gone),
      portal.finishDeviceSignIn({ deviceCode: 'x' }, gone),
      portal.lookUpDeviceSignIn({ userCode: 'BCDF-GHJK' }, gone),
      portal.confirmDeviceSignIn({ userCode: 'BCDF-GHJK' }, gone),
      portal.denyDeviceSignIn({ userCode: 'BCDF-GHJK' }, gone),
      portal.requestPasswordReset({ email: 'a@b.test' }, gone),
      portal.confirmPasswordReset({ token: 'x', newPassword: 'x' }, gone),
      portal.getAccount(gone),
      portal.changeAccount({ name: 'x' }, gone),
      portal.changePassword({ currentPassword: 'x', newPassword: 'y' }, gone),
      portal.listSessions({}, gone),
      portal.endSession('x', gone),
      portal.addSecondFactor(gone),
      portal.confirmSecondFactor({ code: '123456' }, gone),
      portal.removeSecondFactor({ code: '123456' }, gone),
      portal.me(gone),
      portal.signInConfig(gone),
      portal.acceptByOpenIdConnect({ invitation: 'x' }, gone),
      portal.errors(gone),
      portal.listFiles({ institutionBizId: 'INST_DEMO' }, {}, gone),
      portal.queryChannelTypes({}, {}, gone),
      portal.listWorkspaceTransfers('WS_DEMO', {}, {}, gone),
      portal.listAuditLog('WS_DEMO', {}, {}, gone),
      portal.createApiKey('WS_DEMO', { name: 'x' }, gone),
      portal.listApiKeys('WS_DEMO', {}, {}, gone),
      portal.getApiKey('WS_DEMO', 'ak', gone),
      portal.changeApiKey('WS_DEMO', 'ak', {}, gone),
      portal.disableApiKey('WS_DEMO', 'ak', gone),
      portal.enableApiKey('WS_DEMO', 'ak', gone),
      portal.revokeApiKey('WS_DEMO', 'ak', gone),
      portal.rotateApiKey('WS_DEMO', 'ak', {}, gone),
      portal.endPreviousSecret('WS_DEMO', 'ak', gone),
      portal.simulateApiKey('WS_DEMO', 'ak', { method: 'GET', path: '/api/v1/ping', ip: '::1' }, gone),
      portal.listMembers('WS_DEMO', {}, {}, gone),
      portal.changeMember('WS_DEMO', 'ACC', { role: 'VIEWER' }, gone),
      portal.removeMember('WS_DEMO', 'ACC', gone),
      portal.signOutMember('WS_DEMO', 'ACC', gone),
      portal.listInvitations('WS_DEMO', {}, {}, gone),
      portal.createInvitation('WS_DEMO', { email: 'a@b.test', role: 'VIEWER' }, gone),
      portal.revokeInvitation('WS_DEMO', 'INV', gone),
      portal.lookupInvitation({ token: 'x' }, gone),
      portal.acceptInvitation({ token: 'x' }, gone),
    ];
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    expect(loopback.requests).toEqual([]);
    const asksNothing = ['constructor', 'openIdConnectUrl'];
    const methods = [PorticoPortal, PeopleCalls].flatMap(({ prototype }) =>
      Object.getOwnPropertyNames(prototype),
    );
    expect(calls).toHaveLength(methods.filter((name) => !asksNothing.includes(name)).length);
  });
});
