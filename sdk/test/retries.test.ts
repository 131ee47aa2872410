import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createKey } from '../../server/test/world.ts';
import {
  NetworkError,
  Portico,
  type PorticoOptions,
  RateLimitError,
  UnavailableError,
} from '../src/index.ts';
import { PorticoPortal } from '../src/portal/index.ts';
import { answer, envelope, type Loopback, openLoopback, openService, problem, someKey } from './service.ts';

let loopback: Loopback;
afterEach(() => loopback.close());

const slept: number[] = [];
const sleep = async (ms: number) => void slept.push(ms);

async function open(options: Partial<PorticoOptions>, ...listeners: RequestListener[]): Promise<Portico> {
  slept.length = 0;
  loopback = await openLoopback(...listeners);
  return new Portico({ baseUrl: loopback.url, ...someKey, sleep, ...options });
}

const good = answer(200, envelope({ pong: true, serverTime: 1 }));
const breakOff: RequestListener = (request) => request.socket.destroy();
const breakOffInBody: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"code":');
  setTimeout(() => request.socket.destroy(), 10);
};
const neverAnswer: RequestListener = () => {};
const neverEnd: RequestListener = (_request, response) => void response.writeHead(200).write('{"code":');
const limited = (retryAfter: string) =>
  answer(429, problem('4290', 'too many requests'), { 'retry-after': retryAfter });

describe('a read', () => {
  it.each([
    ['a broken connection', breakOff],
    ['a body that breaks off', breakOffInBody],
    ['429', limited('0')],
    ['502', answer(502, '<html>Bad Gateway</html>')],
    ['503', answer(503, problem('5030', 'away'))],
    ['504', answer(504, '')],
  ])('is tried again after %s', async (_name, failure) => {
    const client = await open({}, failure, failure, good);
    expect(await client.ping()).toEqual({ pong: true, serverTime: 1 });
    expect(loopback.requests).toHaveLength(3);
    expect(slept).toHaveLength(2);
  });

  it.each([
    ['no answer in time', neverAnswer],
    ['a body that does not end in time', neverEnd],
  ])('is tried again after %s', async (_name, failure) => {
    const client = await open({ timeoutMs: 300 }, failure, good);
    expect((await client.ping()).pong).toBe(true);
    expect(loopback.requests).toHaveLength(2);
  });

  it('is signed anew each time, with a fresh nonce and the time of the attempt', async () => {
    let seconds = 1767225600;
    const now = () => seconds++ * 1000;
    const client = await open({ now }, breakOff, answer(503, ''), good);
    await client.ping();
    const headers = loopback.requests.map((request) => request.headers);
    for (const name of ['x-nonce', 'x-signature', 'x-timestamp'])
      expect(new Set(headers.map((each) => each[name])).size).toBe(3);
  });

  it('is tried again as often as told, and then throws the last failure', async () => {
    const client = await open({ retries: 2 }, answer(503, problem('5030', 'away')));
    await expect(client.ping()).rejects.toThrow(UnavailableError);
    expect(loopback.requests).toHaveLength(3);
    const once = new Portico({ baseUrl: loopback.url, ...someKey, retries: 0 });
    await expect(once.ping()).rejects.toThrow('away');
    expect(loopback.requests).toHaveLength(4);
  });

  it.each([400, 401, 403, 404, 409, 500])('is not tried again after %i', async (status) => {
    const client = await open({}, answer(status, problem(`${status}0`, 'no')));
    await expect(client.ping()).rejects.toMatchObject({ status });
    expect(loopback.requests).toHaveLength(1);
  });

  it('waits longer each time, up to a bound, and never twice the same', async () => {
    const client = await open({ retries: 9 }, answer(503, ''));
    await expect(client.ping()).rejects.toThrow(UnavailableError);
    expect(new Set(slept).size).toBe(9);
    for (const [attempt, ms] of slept.entries()) {
      const full = Math.min(5000, 200 * 2 ** attempt);
      expect(ms).toBeGreaterThanOrEqual(full / 2);
      expect(ms).toBeLessThanOrEqual(full);
    }
  });

  it('waits as long as Retry-After says, in seconds', async () => {
    const client = await open({}, limited('7'), good);
    await client.ping();
    expect(slept[0]).toBeGreaterThanOrEqual(7000);
    expect(slept[0]).toBeLessThan(8000);
  });

  it('waits as long as Retry-After says, as a date of the server’s clock', async () => {
    const date = (ms: number) => new Date(1767225600_000 + ms).toUTCString();
    const headers = { 'retry-after': date(4000), date: date(0) };
    const client = await open({}, answer(503, '', headers), good);
    await client.ping();
    expect(slept[0]).toBeGreaterThanOrEqual(4000);
    expect(slept[0]).toBeLessThan(5000);
  });

  it('tells instead of waiting when it would have to wait long', async () => {
    const client = await open({}, limited('3600'));
    await expect(client.ping()).rejects.toMatchObject({ name: 'RateLimitError', retryAfterSeconds: 3600 });
    expect([slept, loopback.requests.length]).toEqual([[], 1]);
  });
});

describe('a write', () => {
  it.each([
    ['a broken connection', breakOff],
    ['503', answer(503, problem('5030', 'away'), { 'retry-after': '1' })],
    ['504', answer(504, '')],
  ])('is not repeated after %s, as it may have happened', async (_name, failure) => {
    const client = await open({}, failure);
    await expect(client.call('POST', '/api/v1/things', {})).rejects.toThrow();
    expect(loopback.requests).toHaveLength(1);
  });

  it('is repeated after 429, as it was refused before it began', async () => {
    const client = await open({}, limited('1'), good);
    await client.call('POST', '/api/v1/things', {});
    expect(loopback.requests).toHaveLength(2);
  });
});

describe('the portal', () => {
  const portal = () => new PorticoPortal({ baseUrl: loopback.url, sleep });

  it('repeats what only reads', async () => {
    await open({}, answer(503, ''), answer(200, envelope({ content: [] })));
    expect(await portal().listFiles({ institutionBizId: 'INST_DEMO' })).toEqual({ content: [] });
    expect(loopback.requests).toHaveLength(2);
  });

  const keysSent = () => loopback.requests.map(({ headers }) => headers['idempotency-key']);
  const busy = answer(409, problem('4090', 'under way'), { 'retry-after': '1' });

  it('repeats what changes something by POST under one idempotency key, until it is told how it went', async () => {
    await open({}, breakOff, answer(503, ''), busy, answer(201, envelope({ apiKeyId: 'ak', secret: null })));
    expect(await portal().createApiKey('WS_DEMO', { name: 'x' })).toMatchObject({ secret: null });
    const [first, ...others] = keysSent();
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(others).toEqual([first, first, first]);
    await portal().rotateApiKey('WS_DEMO', 'ak');
    expect(keysSent().at(-1)).not.toBe(first);
    await portal().revokeApiKey('WS_DEMO', 'ak', { idempotencyKey: 'mine' });
    expect(keysSent().at(-1)).toBe('mine');
  });

  it('sends no idempotency key with what reads, and with what changes something in another way', async () => {
    await open({}, answer(200, envelope({ content: [] })));
    await portal().listFiles({ institutionBizId: 'INST_DEMO' });
    await portal().simulateApiKey('WS_DEMO', 'ak', { method: 'GET', path: '/api/v1/ping', ip: '::1' });
    await portal().changeApiKey('WS_DEMO', 'ak', {});
    await portal().logoutEverywhere();
    expect(keysSent()).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('does not repeat a change without a key, a conflict that is none of its own, and a password', async () => {
    await open({}, answer(503, '', { 'retry-after': '1' }));
    await expect(portal().changeApiKey('WS_DEMO', 'ak', {})).rejects.toThrow(UnavailableError);
    expect(loopback.requests).toHaveLength(1);
    await loopback.close();
    await open({}, answer(409, problem('4090', 'no')));
    await expect(portal().createApiKey('WS_DEMO', { name: 'x' })).rejects.toMatchObject({ code: '4090' });
    expect(loopback.requests).toHaveLength(1);
    await loopback.close();
    await open({}, limited('1'));
    await expect(portal().login({ email: 'a@b', password: 'x' })).rejects.toThrow(RateLimitError);
    expect([slept, loopback.requests.length]).toEqual([[], 1]);
  });
});

describe('without an answer', () => {
  it('says so, with what the platform knows', async () => {
    const client = await open({ retries: 0, timeoutMs: 100 }, neverEnd);
    await expect(client.ping()).rejects.toThrow(new NetworkError('no answer within 100 ms'));
    await loopback.close();
    const error = await client.ping().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: undefined, code: undefined, cause: expect.any(Error) });
  });
});

describe('the limit of a key', () => {
  it('is waited for', async () => {
    loopback = await openLoopback(good);
    slept.length = 0;
    const service = await openService({ env: { PORTICO_LIMIT_TEST: '1/2' } });
    const key = await createKey(service.world, { mode: 2 });
    const wait = async (ms: number) => {
      slept.push(ms);
      service.world.clock.advance(ms / 1000);
    };
    const now = () => service.world.clock.now();
    const client = new Portico({ baseUrl: service.url, ...key, sleep: wait, now });
    for (let count = 0; count < 5; count++) await client.ping();
    expect(slept.length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...slept)).toBeGreaterThanOrEqual(1000);
    await service.close();
  });
});
