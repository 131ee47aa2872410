import { describe, expect, it } from 'vitest';
import { createKey, openWorld, portalCall, signedCall, signIn } from './world.ts';

describe('the RateLimit headers', () => {
  it('tell the quota of a key, what is left of it, and when it is full again', async () => {
    const world = await openWorld({ env: { PORTICO_LIMIT_LIVE: '2/4', PORTICO_LIMIT_TEST: 'off' } });
    const key = await createKey(world);
    const seen = [];
    for (let count = 0; count < 5; count += 1)
      seen.push(await signedCall(world, key, { url: '/api/v1/ping' }));
    expect(seen.map(({ headers }) => headers['ratelimit-policy'])).toEqual(
      Array.from({ length: 5 }, () => '"live";q=4;w=2'),
    );
    expect(seen.map(({ headers }) => /r=(\d+)/.exec(String(headers['ratelimit']))?.[1])).toEqual([
      '3',
      '2',
      '1',
      '0',
      '0',
    ]);
    expect(seen[0]?.headers['ratelimit']).toBe('"live";r=3;t=1');
    expect([seen[4]?.statusCode, seen[4]?.json().code, seen[4]?.headers['retry-after']]).toEqual([
      429,
      '4290',
      '1',
    ]);
    world.clock.advance(2);
    expect((await signedCall(world, key, { url: '/api/v1/ping' })).headers['ratelimit']).toBe(
      '"live";r=3;t=1',
    );
    const test = await signedCall(world, await createKey(world, { mode: 2 }), { url: '/api/v1/ping' });
    expect(test.headers).not.toHaveProperty('ratelimit');
    await world.close();
  });

  it('count each account of the portal by itself', async () => {
    const world = await openWorld({ env: { PORTICO_LIMIT_PORTAL: '200/400' } });
    const call = async (email: string) =>
      (await portalCall(world, await signIn(world, email), { method: 'GET', url: '/web/v1/auth/me' }))
        .headers;
    expect(await call('owner@demo.test')).toMatchObject({
      'ratelimit-policy': '"portal";q=400;w=2',
      ratelimit: '"portal";r=399;t=1',
    });
    expect((await call('viewer@demo.test'))['ratelimit']).toBe('"portal";r=399;t=1');
    await world.close();
  });
});
