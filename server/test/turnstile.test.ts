import { randomUUID } from 'node:crypto';
import { request as httpRequest, type ServerResponse } from 'node:http';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dummySecrets } from '../src/config/dummy-secrets.ts';
import { givesUpWithin } from './support/giving-up.ts';
import { answerJson, answerText, breakOff, endless, hang } from './support/loopback.ts';
import { refused, type SiteverifyServer, solved, startSiteverify } from './support/siteverify-server.ts';
import { openWorld, portalCall, tokenOf, type World } from './world.ts';

const secret = 'not-a-dummy-secret';
const listFiles = '/web/v1/files/query/list';

let siteverify: SiteverifyServer;
let world: World;
let owner: string;

beforeAll(async () => {
  siteverify = await startSiteverify();
  world = await openWorld({
    env: {
      PORTICO_TURNSTILE_SECRET: secret,
      PORTICO_TURNSTILE_VERIFY_URL: siteverify.url,
      PORTICO_TRUSTED_PROXIES: '127.0.0.1/32',
    },
  });
  owner = await tokenOf(world, 'ACC_DEMO_OWNER');
});

afterAll(async () => {
  await world?.close();
  await siteverify?.close();
});

beforeEach(() => {
  siteverify.answerNext();
  siteverify.forms.length = 0;
});

function list(token: string | undefined, headers: Record<string, string> = {}, on = world) {
  return portalCall(on, owner, {
    url: listFiles,
    body: { institutionBizId: 'INST_DEMO' },
    headers: token === undefined ? headers : { 'x-turnstile-token': token, ...headers },
  });
}

function expectForbidden(response: LightMyRequestResponse) {
  expect(response.statusCode).toBe(403);
  expect(response.json()).toEqual({
    success: false,
    code: '4030',
    message: expect.stringContaining('Turnstile'),
  });
}

function expectAway(response: LightMyRequestResponse) {
  expect(response.statusCode).toBe(503);
  expect(response.json().code).toBe('5031');
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
}

test('a refusal names the header among its fields, so that a client knows to solve another challenge', async () => {
  const response = await list('', { accept: 'application/problem+json' });
  expect(response.json().errors).toEqual([{ field: 'X-Turnstile-Token', message: 'is missing' }]);
});

describe('what is asked', () => {
  test('the provider is sent the secret, the token, the client address and an idempotency key', async () => {
    const token = randomUUID();
    const response = await list(token, { 'x-forwarded-for': '203.0.113.9' });
    expect(response.statusCode).toBe(200);
    expect(siteverify.forms).toEqual([
      {
        secret,
        response: token,
        remoteip: '203.0.113.9',
        idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
  });

  test('an address that cannot be read is left out rather than sent', async () => {
    expect((await list(randomUUID(), { 'x-forwarded-for': 'not-an-address' })).statusCode).toBe(200);
    expect(siteverify.forms[0]).not.toHaveProperty('remoteip');
  });

  test.each([
    ['answers 500', answerText('broken', 'text/plain', 500)],
    ['breaks the connection', breakOff],
    ['answers internal-error', refused('internal-error')],
  ])('a provider that %s once is asked again under the same idempotency key', async (_how, answer) => {
    const token = randomUUID();
    siteverify.answerNext(answer);
    expect((await list(token)).statusCode).toBe(200);
    const [first, second, ...more] = siteverify.forms;
    expect(second).toEqual(first);
    expect(more).toEqual([]);
  });

  test('two verifications have different idempotency keys', async () => {
    await list(randomUUID());
    await list(randomUUID());
    const keys = siteverify.forms.map(({ idempotency_key: key }) => key);
    expect(new Set(keys).size).toBe(2);
  });
});

describe('what the provider may answer', () => {
  test.each(['missing-input-response', 'invalid-input-response', 'timeout-or-duplicate'])(
    '%s is the fault of the token: 403, asked once',
    async (code) => {
      siteverify.answerNext(refused(code), refused(code));
      expectForbidden(await list(randomUUID()));
      expect(siteverify.forms.length).toBe(1);
    },
  );

  test.each([
    'missing-input-secret',
    'invalid-input-secret',
    'bad-request',
    'internal-error',
    'a-code-of-tomorrow',
  ])('%s is no fault of the token: 503 and nobody passes', async (code) => {
    siteverify.answerNext(refused(code), refused(code));
    expectAway(await list(randomUUID()));
  });

  test('a failure beside an error of the provider is not blamed on the token', async () => {
    const mixed = refused('invalid-input-response', 'internal-error');
    siteverify.answerNext(mixed, mixed);
    expectAway(await list(randomUUID()));
  });

  test.each([
    ['500', answerText('broken', 'text/plain', 500)],
    ['500 that claims success', solvedWithStatus(500)],
    ['403 that claims success', solvedWithStatus(403)],
    ['garbage', answerText('\u0000{{{', 'application/json')],
    ['HTML', answerText('<html><body>Just a moment…</body></html>', 'text/html')],
    ['nothing', answerText('', 'application/json')],
    ['null', answerJson(null)],
    ['an array', answerJson([true])],
    ['success as a text', answerJson({ success: 'true', hostname: '127.0.0.1' })],
    ['failure without a reason', answerJson({ success: false })],
    ['reasons that are no list', answerJson({ success: false, 'error-codes': 'invalid-input-response' })],
    ['a success with a megabyte around it', solved(Date.now(), { cdata: 'x'.repeat(1024 * 1024) })],
    ['a closed connection', breakOff],
  ])('%s lets nobody pass: 503', async (_what, answer) => {
    siteverify.answerNext(answer, answer);
    expectAway(await list(randomUUID()));
    expect(siteverify.forms.length).toBe(2);
  });

  test('a redirect is not followed', async () => {
    const redirect = (response: ServerResponse) =>
      void response.writeHead(307, { location: siteverify.url }).end();
    siteverify.answerNext(redirect, redirect);
    expectAway(await list(randomUUID()));
    expect(siteverify.forms.length).toBe(2);
  });

  test('an answer without end is broken off at its size, not at the timeout', async () => {
    const poured: number[] = [];
    const counted = (response: ServerResponse) => {
      const { socket } = response;
      response.on('close', () => poured.push(socket?.bytesWritten ?? Infinity));
      endless(response);
    };
    siteverify.answerNext(counted, counted);
    expectAway(await list(randomUUID()));
    await expect.poll(() => poured).toHaveLength(2);
    expect(Math.max(...poured)).toBeLessThan(32 * 1024 * 1024); // what was under way counts too
  });

  test('an answer slower than usual is waited for', async () => {
    siteverify.answerNext((response) => void setTimeout(() => solved(Date.now())(response), 1200));
    expect((await list(randomUUID())).statusCode).toBe(200);
    expect(siteverify.forms.length).toBe(1);
  });

  test('a provider that hangs costs about 4 s and then 503', async () => {
    siteverify.answerNext(hang, hang);
    expectAway(await givesUpWithin(4, () => list(randomUUID())));
    expect(siteverify.forms.length).toBe(2);
  });

  test('a body that never ends its trickle counts as hanging', async () => {
    const trickle = (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"success":');
    };
    siteverify.answerNext(trickle);
    expect((await list(randomUUID())).statusCode).toBe(200);
    expect(siteverify.forms.length).toBe(2);
  });
});

function solvedWithStatus(status: number) {
  return answerJson({ success: true, hostname: '127.0.0.1', challenge_ts: new Date().toISOString() }, status);
}

describe('hostnames', () => {
  test.each([['evil.example'], ['127.0.0.1.evil.example'], [''], [undefined], [['127.0.0.1']], [{}]])(
    'a challenge solved on %j is refused',
    async (hostname) => {
      siteverify.answerNext(solved(Date.now(), { hostname }));
      expectForbidden(await list(randomUUID()));
    },
  );

  test('a challenge refused for its hostname is not remembered', async () => {
    const token = randomUUID();
    siteverify.answerNext(solved(Date.now(), { hostname: 'evil.example' }));
    expectForbidden(await list(token));
    siteverify.answerNext(refused('timeout-or-duplicate'));
    expectForbidden(await list(token));
  });

  test('PORTICO_TURNSTILE_HOSTNAMES names the ones that pass, in any case', async () => {
    const env = {
      PORTICO_TURNSTILE_SECRET: secret,
      PORTICO_TURNSTILE_VERIFY_URL: siteverify.url,
      PORTICO_TURNSTILE_HOSTNAMES: 'portal.example, Other.example',
    };
    const other = await openWorld({ env, database: world.database });
    const statusOn = async (hostname: string) => {
      siteverify.answerNext(solved(Date.now(), { hostname }));
      return (await list(randomUUID(), {}, other)).statusCode;
    };
    expect(await statusOn('portal.example')).toBe(200);
    expect(await statusOn('other.example')).toBe(200);
    expect(await statusOn('127.0.0.1')).toBe(403);
    await other.close();
  });
});

describe('the header', () => {
  const send = async (headers: Record<string, string | string[]>) => {
    const origin = world.app.server.listening
      ? world.app.listeningOrigin
      : await world.app.listen({ host: '127.0.0.1', port: 0 });
    const common = { authorization: `Bearer ${owner}`, 'content-type': 'application/json' };
    return new Promise<{ status: number | undefined; code: string }>((resolve, reject) => {
      const request = httpRequest(`${origin}${listFiles}`, {
        method: 'POST',
        headers: { ...common, ...headers },
      });
      request.on('error', reject).on('response', async (response) => {
        const chunks = await response.toArray();
        resolve({ status: response.statusCode, code: JSON.parse(Buffer.concat(chunks).toString()).code });
      });
      request.end('{"institutionBizId":"INST_DEMO"}');
    });
  };
  const forbidden = { status: 403, code: '4030' };
  const passed = { status: 200, code: '2000' };

  test.each([
    ['missing', {}],
    ['empty', { 'x-turnstile-token': '' }],
    ['blank', { 'x-turnstile-token': '   ' }],
    ['repeated', { 'x-turnstile-token': ['one', 'two'] }],
    ['repeated alike', { 'x-turnstile-token': ['one', 'one'] }],
    ['empty under the second name', { 'cf-turnstile-response': '' }],
    ['repeated under the second name', { 'cf-turnstile-response': ['one', 'two'] }],
    ['of 2049 characters', { 'x-turnstile-token': 'x'.repeat(2049) }],
    ['of 2049 characters under the second name', { 'cf-turnstile-response': 'x'.repeat(2049) }],
  ])('a token that is %s is 403 without asking the provider', async (_what, headers) => {
    expect(await send(headers)).toEqual(forbidden);
    expect(siteverify.forms).toEqual([]);
  });

  test('a token of exactly 2048 characters is asked for whole', async () => {
    const token = randomUUID().padEnd(2048, 'x');
    expect(await send({ 'x-turnstile-token': token })).toEqual(passed);
    expect(siteverify.forms[0]?.response).toBe(token);
  });

  test("Cloudflare's own header name is accepted, and ours goes before it", async () => {
    const token = randomUUID();
    expect(await send({ 'cf-turnstile-response': token })).toEqual(passed);
    const [ours, theirs] = [randomUUID(), randomUUID()];
    expect(await send({ 'x-turnstile-token': ours, 'cf-turnstile-response': theirs })).toEqual(passed);
    expect(siteverify.forms.map(({ response }) => response)).toEqual([token, ours]);
  });
});

describe('dummy secrets', () => {
  const worldWith = (env: Record<string, string>) => openWorld({ env, database: world.database });

  test.each([
    ['passes', 200],
    ['fails', 403],
    ['spent', 403],
  ] as const)('the one that %s is answered without a network, each time afresh', async (name, status) => {
    const local = await worldWith({ PORTICO_TURNSTILE_SECRET: dummySecrets[name] });
    const token = randomUUID();
    const statuses = [await list(token, {}, local), await list(token, {}, local)].map((r) => r.statusCode);
    expect(statuses).toEqual([status, status]);
    expect(siteverify.forms).toEqual([]);
    await local.close();
  });

  test('with a verify URL they are asked like any other secret, from any hostname', async () => {
    const asking = await worldWith({
      PORTICO_TURNSTILE_SECRET: dummySecrets.passes,
      PORTICO_TURNSTILE_VERIFY_URL: siteverify.url,
    });
    siteverify.answerNext(solved(Date.now(), { hostname: 'example.com' }), refused('invalid-input-response'));
    expect((await list(randomUUID(), {}, asking)).statusCode).toBe(200);
    expectForbidden(await list(randomUUID(), {}, asking));
    expect(siteverify.forms.map((form) => form.secret)).toEqual([dummySecrets.passes, dummySecrets.passes]);
    await asking.close();
  });
});

test('neither the secret nor a token is logged', async () => {
  const token = `logged-${randomUUID()}`;
  siteverify.answerNext(breakOff, breakOff);
  expectAway(await list(token));
  expect(world.logs()).toContain('request failed');
  expect(world.logs()).not.toContain(token);
  expect(world.logs()).not.toContain(secret);
});
