import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../src/contract/catalogue.ts';
import { expectError, expectSuccess } from './expect-answer.ts';
import { type Answer, exchange, listen, requestBytes } from './raw-http.ts';
import { createKey, dummyTurnstile, openWorld, signatureHeaders, signIn, type World } from './world.ts';

const configPath = '/web/v1/auth/config';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
type Headers = readonly (readonly [string, string])[];

/** A world of its own for a describe block. */
function openHere(env: Record<string, string> = {}) {
  const here = {} as { world: World; port: number }; // filled before the first test
  beforeAll(async () => {
    here.world = await openWorld({ env });
    here.port = await listen(here.world);
  });
  afterAll(() => here.world.close());
  const get = (target: string, headers: Headers = []) =>
    exchange(here.port, requestBytes({ target, headers }));
  return { here, get };
}

describe('problem details', () => {
  const { here, get } = openHere();
  const members = 'type title status detail instance success code message errors'.split(' ');
  const plain = ['Content-Type', 'text/plain'] as const;

  it.each([
    'application/problem+json',
    'Application/Problem+JSON',
    'application/json, application/problem+json',
    'text/html;q=0.9, application/problem+json;q=0.1, */*;q=0',
    'application/problem+json; charset=utf-8',
    'application/problem+json;q=0.001',
  ])('Accept: %s asks for them', async (accept) => {
    const answer = await get('/nothing', [['Accept', accept]]);
    expect(answer.headers['content-type']).toEqual(['application/problem+json; charset=utf-8']);
  });

  it.each([
    '*/*',
    'application/*',
    'application/json',
    'application/problem+json;q=0',
    'application/problem+json; Q=0.000',
    'application/problem+jsonx',
    'application/problem+xml',
    'x/application/problem+json',
  ])('Accept: %s does not', async (accept) => {
    expectError(await get('/nothing', [['Accept', accept]]), '4041');
  });

  const requests: [code: ErrorCode, method: string, target: string, headers: Headers, body?: Buffer][] = [
    ['4041', 'GET', '/nothing', []],
    ['4050', 'DELETE', configPath, []],
    ['4140', 'GET', `/${'x'.repeat(9000)}`, []],
    ['4140', 'GET', `/web/v1/workspaces/${'x'.repeat(9000)}/api-keys`, []],
    ['4000', 'GET', '/web/v1/workspaces/%ff/api-keys', []],
    ['4150', 'POST', '/web/v1/auth/refresh', [plain], Buffer.from('{}')],
    [
      '4130',
      'POST',
      '/web/v1/auth/refresh',
      [['Content-Type', 'application/json']],
      Buffer.alloc(2_000_000, ' '),
    ],
    ['4010', 'GET', '/web/v1/errors', []],
    ['4011', 'GET', '/api/v1/transfers', []],
  ];
  it.each(requests)('%s %s has every member', async (code, method, target, headers, body) => {
    const accept = ['Accept', 'application/problem+json'] as const;
    const request = { method, target, headers: [accept, ...headers], ...(body ? { body } : {}) };
    const answer = await exchange(here.port, requestBytes(request));
    const problem = JSON.parse(answer.text);
    expect(Object.keys(problem)).toEqual(members);
    expect(problem).toMatchObject({ status: answer.status, success: false, code, errors: [] });
    expect(problem.detail).toBe(problem.message);
    expect(problem.instance).toContain(answer.headers['x-request-id']?.[0]);
    expect(answer.headers['content-type']).toEqual(['application/problem+json; charset=utf-8']);
    expect(answer.headers['cache-control']).toEqual(['no-store']);
  });

  it('errors names each field that was wrong', async () => {
    const token = await signIn(here.world);
    const request = {
      target: '/web/v1/workspaces/WS_DEMO/api-keys',
      headers: [
        ['Accept', 'application/problem+json'],
        ['Authorization', `Bearer ${token}`],
        ['Content-Type', 'application/json'],
      ] as const,
      body: '{"name":"","mode":3}',
    };
    const { errors } = JSON.parse((await exchange(here.port, requestBytes(request))).text);
    expect(errors.map(({ field }: { field: string }) => field)).toEqual(['name', 'mode']);
  });
});

describe('X-Request-Id', () => {
  const untrusted = openHere();
  const trusted = openHere({ PORTICO_TRUSTED_PROXIES: '127.0.0.1/32' });
  const idOf = ({ headers }: Answer) => headers['x-request-id']?.[0] ?? '';

  it('of an untrusted peer is ignored, also when repeated', async () => {
    const sent = ['X-Request-Id', 'abc'] as const;
    for (const headers of [[sent], [sent, sent]]) {
      const answer = await untrusted.get(configPath, headers);
      expectSuccess(answer);
      expect(idOf(answer)).toMatch(uuid);
    }
  });

  it.each(['a', 'A.b_c-9', 'x'.repeat(128)])('of a trusted proxy is taken: %s', async (id) => {
    for (const target of [configPath, '/nothing', '/healthz', '/web/v1/errors'])
      expect(idOf(await trusted.get(target, [['X-Request-Id', id]]))).toBe(id);
  });

  it.each(['', 'a b', 'x'.repeat(129), 'a,b', 'ä', '<script>', '$(id)', 'a/../b'])(
    'of a trusted proxy is replaced when it is misshaped: %s',
    async (id) => {
      const answer = await trusted.get(configPath, [['X-Request-Id', id]]);
      expectSuccess(answer);
      expect(idOf(answer)).toMatch(uuid);
    },
  );

  it('is refused when a trusted proxy repeats it, everywhere', async () => {
    const twice = [
      ['X-Request-Id', 'a'],
      ['X-Request-Id', 'b'],
    ] as const;
    const key = await createKey(trusted.here.world);
    const signed = Object.entries(signatureHeaders(trusted.here.world, key, { url: '/api/v1/transfers' }));
    expectError(await trusted.get(configPath, twice), '4000');
    expectError(await trusted.get('/api/v1/transfers', [...twice, ...signed]), '4000');
  });

  it('differs from request to request', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => idOf(await untrusted.get('/healthz'))),
    );
    expect(new Set(ids).size).toBe(20);
  });
});

describe('Cache-Control', () => {
  const { here, get } = openHere();
  it('is no-store on everything below /web and /api', async () => {
    const token = await signIn(here.world);
    const key = await createKey(here.world);
    const signed = Object.entries(signatureHeaders(here.world, key, { url: '/api/v1/transfers' }));
    const answers = [
      await get(configPath),
      await get('/web/v1/errors', [['Authorization', `Bearer ${token}`]]),
      await get('/web/v1/errors'),
      await get('/web/nothing'),
      await get('/api/nothing'),
      await get('/api/v1/transfers', signed),
      await get('/api/v1/transfers'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 404, 200, 401]);
    for (const { headers } of answers) expect(headers['cache-control']).toEqual(['no-store']);
  });
});

describe('a base path', () => {
  const { here, get } = openHere({ PORTICO_BASE_PATH: '/portico' });

  it('stands before everything but the probes', async () => {
    const answer = await get(`/portico${configPath}`);
    expectSuccess(answer);
    expect(answer.headers['cache-control']).toEqual(['no-store']);
    expect((await get('/portico/openapi.json')).status).toBe(200);
    for (const target of [configPath, '/openapi.json', '/portico/healthz', `/portico/portico${configPath}`])
      expectError(await get(target), '4041');
    for (const target of ['/healthz', '/readyz', '/metrics']) expect((await get(target)).status).toBe(200);
  });

  it('is told in Allow and in problems as any other path', async () => {
    const request = { method: 'DELETE', target: `/portico${configPath}` };
    const answer = await exchange(here.port, requestBytes(request));
    expectError(answer, '4050');
    expect(answer.headers['allow']).toEqual(['GET, HEAD']);
  });

  it('is not part of what is signed', async () => {
    const token = await signInBelow(here.port);
    const created = await exchange(
      here.port,
      requestBytes({
        target: '/portico/web/v1/workspaces/WS_DEMO/api-keys',
        headers: [
          ['Authorization', `Bearer ${token}`],
          ['Content-Type', 'application/json'],
        ],
        body: '{"name":"n","scopes":["transfers:read"]}',
      }),
    );
    const key = JSON.parse(created.text).data;
    const headers = Object.entries(signatureHeaders(here.world, key, { url: '/api/v1/transfers?size=1' }));
    expectSuccess(await get('/portico/api/v1/transfers?size=1', headers));
  });
});

async function signInBelow(port: number): Promise<string> {
  const request = {
    target: '/portico/web/v1/auth/login',
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Turnstile-Token', dummyTurnstile],
    ] as const,
    body: '{"email":"owner@demo.test","password":"portico-demo"}',
  };
  return JSON.parse((await exchange(port, requestBytes(request))).text).data.accessToken;
}
