import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dummyTurnstile, signIn } from '../../server/test/world.ts';
import manifest from '../package.json' with { type: 'json' };
import { Portico, type RequestOutcome, type SentRequest } from '../src/index.ts';
import { PorticoPortal } from '../src/portal/index.ts';
import {
  answer,
  envelope,
  type Loopback,
  openClient,
  openLoopback,
  openService,
  problem,
  type Service,
  someKey,
} from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await openService({ env: { PORTICO_LIMIT_LIVE: '100/50' } });
});
afterAll(() => service.close());

let loopback: Loopback | undefined;
afterEach(async () => {
  await loopback?.close();
  loopback = undefined;
});

const good = answer(200, envelope({ pong: true }));
const sleep = async () => {};

describe('withResponse', () => {
  it('gives status, request id and what the rate limit leaves, beside the data', async () => {
    const client = await openClient(service);
    const { data, response } = await client.transfers.list({ size: 1 }).withResponse();
    expect(data.page.totalElements).toBe(240);
    expect(response).toMatchObject({ status: 200, isReplay: false });
    expect(response.requestId).toBe(response.headers.get('x-request-id'));
    expect(response.requestId).toMatch(/^[0-9a-f-]{36}$/);
    const { resetSeconds } = response.rateLimit ?? {};
    expect(response.rateLimit).toEqual({ policy: 'live', limit: 50, remaining: 49, resetSeconds });
    expect(resetSeconds).toBeGreaterThan(0);
  });

  it('is on every method, of the portal too, and tells of a repetition', async () => {
    const accessToken = await signIn(service.world);
    const portal = new PorticoPortal({ baseUrl: service.url, accessToken, turnstileToken: dummyTurnstile });
    const create = () => portal.createApiKey('WS_DEMO', { name: 'twice' }, { idempotencyKey: 'answers' });
    const first = await create().withResponse();
    const second = await create().withResponse();
    expect([first.response.status, first.response.isReplay, second.response.isReplay]).toEqual([
      201,
      false,
      true,
    ]);
    expect([second.data.apiKeyId, second.data.secret]).toEqual([first.data.apiKeyId, null]);
    const { data, response } = await portal.errors().withResponse();
    expect([Array.isArray(data), response.requestId]).toEqual([true, expect.any(String)]);
    const ended = await portal.logoutEverywhere().withResponse();
    expect([ended.data, ended.response.status]).toEqual([undefined, 200]);
  });

  it('throws what the call throws, once', async () => {
    loopback = await openLoopback(answer(404, problem('4041', 'no')));
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    const client = new Portico({ baseUrl: loopback.url, ...someKey });
    await expect(client.ping().withResponse()).rejects.toMatchObject({ code: '4041' });
    await expect(client.ping()).rejects.toMatchObject({ code: '4041' });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });

  it('leaves limits out that an answer misstates', async () => {
    loopback = await openLoopback(
      answer(200, envelope({}), { ratelimit: '"x";r=y;t=1', 'ratelimit-policy': 'q' }),
    );
    const { response } = await new Portico({ baseUrl: loopback.url, ...someKey }).ping().withResponse();
    expect([response.rateLimit, response.requestId]).toEqual([undefined, undefined]);
  });
});

describe('a signal', () => {
  const reason = new Error('changed my mind');

  it.each<[string, (client: Portico, signal: AbortSignal) => Promise<unknown>]>([
    ['ping', (client, signal) => client.ping({ signal })],
    ['whoami', (client, signal) => client.whoami({ signal })],
    ['call', (client, signal) => client.call('POST', '/api/v1/things', {}, { signal })],
    ['list', (client, signal) => client.transfers.list({}, { signal })],
    ['pages', (client, signal) => client.files.pages({}, { signal }).next()],
    ['items', (client, signal) => client.channelTypes.items({}, { signal }).next()],
  ])('ends %s while it waits for an answer, with its own reason', async (_name, start) => {
    const controller = new AbortController();
    loopback = await openLoopback(() => controller.abort(reason));
    const client = new Portico({ baseUrl: loopback.url, ...someKey });
    await expect(start(client, controller.signal)).rejects.toBe(reason);
    expect(loopback.requests).toHaveLength(1);
    await expect(start(client, controller.signal)).rejects.toBe(reason);
    expect(loopback.requests).toHaveLength(1);
  });

  it('ends the wait before another attempt', async () => {
    const controller = new AbortController();
    loopback = await openLoopback(answer(503, ''));
    const forever = () => {
      controller.abort(reason);
      return new Promise<void>(() => {});
    };
    const client = new Portico({ baseUrl: loopback.url, ...someKey, sleep: forever });
    await expect(client.ping({ signal: controller.signal })).rejects.toBe(reason);
  });
});

describe('hooks', () => {
  it('see every attempt and how it went, and nothing that is secret', async () => {
    loopback = await openLoopback(
      answer(503, '', { 'x-request-id': 'first' }),
      (request) => request.socket.destroy(),
      good,
    );
    const sent: SentRequest[] = [];
    const outcomes: RequestOutcome[] = [];
    const hooks = {
      onRequest: (request: SentRequest) => sent.push(request),
      onResponse: (outcome: RequestOutcome) => outcomes.push(outcome),
    };
    await new Portico({ baseUrl: loopback.url, ...someKey, sleep, ...hooks }).transfers.list({ size: 1 });
    const request = { method: 'GET', url: `${loopback.url}/api/v1/transfers?size=1` };
    expect(sent).toEqual([request, request, request]);
    expect(outcomes.map(({ durationMs, ...rest }) => rest)).toEqual([
      { ...request, status: 503, requestId: 'first', error: expect.objectContaining({ status: 503 }) },
      { ...request, status: undefined, requestId: undefined, error: expect.any(Error) },
      { ...request, status: 200, requestId: undefined, error: undefined },
    ]);
    expect(outcomes.every(({ durationMs }) => durationMs >= 0)).toBe(true);
    const portal = new PorticoPortal({ baseUrl: loopback.url, accessToken: 'jwt-of-mine', ...hooks });
    await portal.login({ email: 'a@b.test', password: 'hunter2' });
    await portal.me();
    expect(sent).toHaveLength(5);
    expect(JSON.stringify([sent, outcomes])).not.toMatch(/sk_test|ak_test|hunter2|jwt-of-mine/);
  });

  it('that fail, at once or later, fail no call', async () => {
    loopback = await openLoopback(good);
    const onRequest = () => {
      throw new Error('the disk of the log is full');
    };
    const onResponse = async () => onRequest();
    const client = new Portico({ baseUrl: loopback.url, ...someKey, onRequest, onResponse });
    expect(await client.ping()).toEqual({ pong: true });
  });
});

describe('the User-Agent', () => {
  it('names the SDK, after the program that uses it', async () => {
    loopback = await openLoopback(good);
    const { url } = loopback;
    await new Portico({ baseUrl: url, ...someKey }).ping();
    await new PorticoPortal({ baseUrl: url, userAgent: 'settlement/2.1' }).me();
    const own = `portico-sdk/${manifest.version}`;
    expect(loopback.requests.map(({ headers }) => headers['user-agent'])).toEqual([
      own,
      `settlement/2.1 ${own}`,
    ]);
  });

  it.each(['', 'a\r\nX-Api-Key: b', 'Zoë'])('that cannot be sent is refused at once: %j', (userAgent) => {
    expect(() => new Portico({ baseUrl: service.url, ...someKey, userAgent })).toThrow(TypeError);
  });
});

describe('baseUrl', () => {
  it.each(['', '/', '///', '/api/v1', '/api/v1/', '/web/v1//'])('may end with %j', async (end) => {
    const client = await openClient(service, {}, { baseUrl: `${service.url}${end}` });
    expect((await client.ping()).pong).toBe(true);
    const visitor = new PorticoPortal({ baseUrl: `${service.url}${end}` });
    expect((await visitor.signInConfig()).portal).toBe('PARTNER');
  });
});

describe('a key', () => {
  const { apiKeyId, secret } = someKey;
  it.each([
    ['swapped', { apiKeyId: secret, secret: apiKeyId }, 'apiKeyId is a secret, which begins with sk_'],
    ['the secret twice', { apiKeyId: secret, secret }, 'apiKeyId is a secret, which begins with sk_'],
    ['the id twice', { apiKeyId, secret: apiKeyId }, 'secret is the id of a key, which begins with ak_'],
  ])('%s is refused before anything is sent, and not repeated', (_name, key, expected) => {
    const make = () => new Portico({ baseUrl: service.url, ...key });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(expected);
    expect(make).not.toThrow(secret);
  });
});
