import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, signIn, type World } from '../../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({
    env: {
      PORTICO_TRUSTED_PROXIES: '198.51.100.0/24',
      PORTICO_METRICS_TOKEN: 'let-me-see',
      PORTICO_BASE_PATH: '/base',
    },
  });
});
afterAll(() => world.close());

const metrics = (remoteAddress: string, authorization?: string) =>
  world.app.inject({
    url: '/metrics',
    remoteAddress,
    headers: authorization === undefined ? {} : { authorization },
  });

describe('the probes', () => {
  it('stand outside the base path', async () => {
    const headers = { authorization: 'Bearer let-me-see' };
    for (const url of ['/healthz', '/readyz', '/metrics']) {
      expect((await world.app.inject({ url, headers })).statusCode).toBe(200);
      expect((await world.app.inject(`/base${url}`)).statusCode).toBe(404);
    }
  });

  it('open metrics to who has the token, wherever they are, and to nobody else: 403 4030', async () => {
    for (const peer of ['127.0.0.1', '198.51.100.7', '203.0.113.9']) {
      expect((await metrics(peer, 'Bearer let-me-see')).statusCode).toBe(200);
      for (const wrong of [undefined, 'Bearer let-me-se', 'let-me-see', 'Bearer ', 'Bearer let-me-see2']) {
        const response = await metrics(peer, wrong);
        expect([peer, wrong, response.statusCode, response.json().code]).toEqual([peer, wrong, 403, '4030']);
      }
    }
  });

  it('without a token open metrics to clients on this machine, not to those behind its proxy: 403 4030', async () => {
    const open = await openWorld({ env: { PORTICO_TRUSTED_PROXIES: '127.0.0.1' } });
    const statusOf = async (remoteAddress: string, headers = {}) =>
      (await open.app.inject({ url: '/metrics', remoteAddress, headers })).statusCode;
    for (const peer of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
      expect([peer, await statusOf(peer)]).toEqual([peer, 200]);
    expect(await statusOf('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).toBe(403);
    expect(await statusOf('127.0.0.1', { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' })).toBe(403);
    expect(await statusOf('127.0.0.2', { 'x-forwarded-for': '127.0.0.1' })).toBe(403);
    expect(await statusOf('127.0.0.2', { via: '1.1 proxy' })).toBe(403);
    expect(await statusOf('203.0.113.9')).toBe(403);
    await open.close();
  });

  it('measure requests by route, never by what a client sent', async () => {
    await world.app.inject('/base/web/v1/workspaces/s3cret-workspace/api-keys?x=s3cret');
    await world.app.inject('/base/s3cret');
    await world.app.inject({ url: '/base/web/v1/auth/me', headers: { authorization: 'Bearer s3cret' } });
    const { body } = await metrics('127.0.0.1', 'Bearer let-me-see');
    expect(body).toContain('route="/base/web/v1/auth/me",status="401"');
    expect(body).toContain('process_resident_memory_bytes');
    expect(body).not.toContain('s3cret');
    expect(world.logs()).not.toContain('s3cret');
  });
});

describe('the log', () => {
  it('has one line a request with its id, and neither token nor password', async () => {
    const open = await openWorld();
    const token = await signIn(open);
    const { headers } = await open.app.inject({
      url: '/web/v1/auth/me',
      headers: { authorization: `Bearer ${token}` },
    });
    const lines = open
      .logs()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatchObject({
      requestId: headers['x-request-id'],
      method: 'GET',
      route: '/web/v1/auth/me',
      status: 200,
      ms: expect.any(Number),
    });
    expect(open.logs()).not.toContain(token.slice(20, 60));
    expect(open.logs()).not.toContain('portico-demo');
    await open.close();
  });
});
