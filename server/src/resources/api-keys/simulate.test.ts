import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createKey,
  type Key,
  openWorld,
  portalCall,
  signedCall,
  signIn,
  type World,
} from '../../../test/world.ts';

let world: World;
let key: Key;
beforeAll(async () => {
  world = await openWorld();
  key = await createKey(world, { scopes: ['transfers:read'], ipWhitelist: ['203.0.113.0/24', '127.0.0.1'] });
});
afterAll(() => world.close());

const simulate = async (body: object, email = 'viewer@demo.test') =>
  portalCall(world, await signIn(world, email), {
    url: `/web/v1/workspaces/WS_DEMO/api-keys/${key.apiKeyId}/simulate`,
    body,
  });

describe('simulate', () => {
  it('tells step by step what would happen, with the code of the first refusal', async () => {
    const cases: [string, string, string, string | null, boolean[]][] = [
      ['GET', '/api/v1/transfers?size=5', '203.0.113.7', null, [true, true, true, true]],
      ['GET', '/api/v1/files', '203.0.113.7', '4031', [true, true, true, false]],
      ['GET', '/api/v1/files', '198.51.100.1', '4032', [true, true, false, false]],
      ['GET', '/api/v1/ping', '::ffff:203.0.113.9', null, [true, true, true, true]],
      ['GET', '/api/v1/transfers/TRF_1', '203.0.113.7', null, [true, true, true, true]],
      ['GET', '/api/v1/transfers/{transferId}', '203.0.113.7', null, [true, true, true, true]],
      ['GET', '/api/v1/transfers/', '203.0.113.7', '4041', [false, true, true, true]],
      ['POST', '/api/v1/ping', '203.0.113.7', '4050', [false, true, true, true]],
      ['GET', '/api/v1/nothing', '203.0.113.7', '4041', [false, true, true, true]],
      ['GET', '/api/v1/transfers/TRF_1?x=1', '203.0.113.7', null, [true, true, true, true]],
      ['POST', '/api/v1/transfers/:transferId/cancel', '203.0.113.7', '4031', [true, true, true, false]],
      ['GET', '/api/v1/transfers/TRF_1/cancel', '203.0.113.7', '4050', [false, true, true, true]],
      ['GET', '/api/v1/transfers/TRF_1/more', '203.0.113.7', '4041', [false, true, true, true]],
    ];
    for (const [method, path, ip, code, passed] of cases) {
      const { data } = (await simulate({ method, path, ip })).json();
      expect([path, data.code, data.allowed]).toEqual([path, code, code === null]);
      expect(data.steps.map(({ step }: { step: string }) => step)).toEqual([
        'route',
        'status',
        'ip',
        'scope',
      ]);
      expect(data.steps.map((step: { passed: boolean }) => step.passed)).toEqual(passed);
    }
  });

  it('judges the end of the key at the time that is asked about', async () => {
    const end = '2999-01-01T00:00:00Z';
    const token = await signIn(world);
    const { apiKeyId } = await createKey(world, { expiresAt: end });
    const codeAt = async (at?: string) => {
      const url = `/web/v1/workspaces/WS_DEMO/api-keys/${apiKeyId}/simulate`;
      const body = { method: 'GET', path: '/api/v1/transfers', ip: '203.0.113.7', at };
      return (await portalCall(world, token, { url, body })).json().data.code;
    };
    expect(await codeAt()).toBe(null);
    expect(await codeAt('2998-12-31T23:59:59.999Z')).toBe(null);
    expect(await codeAt(end)).toBe('4016');
    expect(await codeAt('2999-01-01T01:00:00+02:00')).toBe(null);
  });

  it('agrees with a real request', async () => {
    for (const path of [
      '/api/v1/transfers',
      '/api/v1/files',
      '/api/v1/files/FILE_1',
      '/api/v1/whoami',
      '/api/v1/channel-types',
      '/api/v1/transfers/TRF_1/nothing',
    ]) {
      const real = await signedCall(world, key, { url: path });
      const { data } = (await simulate({ method: 'GET', path, ip: '127.0.0.1' })).json();
      expect([path, data.code]).toEqual([path, real.statusCode === 200 ? null : real.json().code]);
    }
  });

  it('refuses what it cannot read with 400 4000, and other workspaces’ keys with 404 4040', async () => {
    const good = { method: 'GET', path: '/api/v1/ping', ip: '203.0.113.7' };
    for (const wrong of [
      { method: 'get' },
      { path: '/web/v1/errors' },
      { ip: '1.2.3' },
      { ip: '10.0.0.0/8' },
      { method: null },
      { ip: 5 },
      { at: 'tomorrow' },
      { at: '2025-02-30T00:00:00Z' },
    ]) {
      expect((await simulate({ ...good, ...wrong })).json().code).toBe('4000');
    }
    const token = await signIn(world, 'outsider@demo.test');
    const foreign = await portalCall(world, token, {
      url: `/web/v1/workspaces/WS_OTHER/api-keys/${key.apiKeyId}/simulate`,
      body: good,
    });
    expect(foreign.json().code).toBe('4040');
  });
});

describe('whoami and ping', () => {
  it('tell the key, its workspace, mode, scopes, seen address and the server time', async () => {
    const { data } = (await signedCall(world, key, { url: '/api/v1/whoami' })).json();
    expect(data).toEqual({
      apiKeyId: key.apiKeyId,
      workspaceBizId: 'WS_DEMO',
      mode: 'LIVE',
      scopes: ['transfers:read'],
      ip: '127.0.0.1',
      serverTime: expect.any(Number),
    });
    const before = Math.floor(Date.now() / 1000);
    const pong = (await signedCall(world, key, { url: '/api/v1/ping' })).json().data;
    expect(pong).toEqual({ pong: true, serverTime: expect.any(Number) });
    expect(pong.serverTime).toBeGreaterThanOrEqual(before);
    expect(pong.serverTime).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('want any one scope, whichever', async () => {
    const files = await createKey(world, { scopes: ['files:read'] });
    const none = await createKey(world, { scopes: [] });
    for (const url of ['/api/v1/ping', '/api/v1/whoami']) {
      expect((await signedCall(world, files, { url })).statusCode).toBe(200);
      expect((await signedCall(world, none, { url })).json().code).toBe('4031');
    }
  });
});
