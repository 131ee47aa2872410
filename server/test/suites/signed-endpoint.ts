import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createKey, type Key, openWorld, signatureHeaders, signedCall, type World } from '../world.ts';

export type SignedEndpoint = { name: string; url: string; scope: string };

/** An endpoint that wants any scope is content with this one. */
const scopesFor = (scope: string) => [scope === 'any' ? 'transfers:read' : scope];

type Open = () => { world: World; key: Key };
type Answer = { statusCode: number; json(): { code: string; message: string } };

const expectError = (response: Answer, status: number, code: string) => {
  expect(response.json()).toEqual({ success: false, code, message: expect.any(String) });
  expect(response.statusCode).toBe(status);
};

function headerGuarantees(open: Open, { url }: SignedEndpoint): void {
  const names = ['x-api-key', 'x-signature', 'x-timestamp', 'x-nonce'];

  it('refuses a request without any one of the four headers with 401 4011', async () => {
    for (const name of names) {
      const headers = signatureHeaders(open().world, open().key, { url });
      delete headers[name];
      const response = await open().world.app.inject({ url, headers });
      expectError(response, 401, '4011');
      expect(response.json().message.toLowerCase()).toContain(name);
    }
  });

  it('refuses misshaped headers with 401 4011', async () => {
    const wrong = [
      ['x-timestamp', 'yesterday'],
      ['x-timestamp', '-1'],
      ['x-timestamp', '1.5'],
      ['x-timestamp', ''],
      ['x-nonce', 'abc'],
      ['x-nonce', '6f1c1f2e3b0a4d0e9a530c5a1f7d2b11'],
      ['x-nonce', ''],
      ['x-signature', ''],
      ['x-signature', 'a'.repeat(257)],
      ['x-signature', 'has space'],
      ['x-api-key', ''],
    ];
    for (const [name = '', value = ''] of wrong)
      expectError(await signedCall(open().world, open().key, { url }, { [name]: value }), 401, '4011');
  });

  it('refuses a timestamp outside 300 s with 401 4013, naming the server time, and takes one inside', async () => {
    const { world, key } = open();
    const now = Math.floor(world.clock.now() / 1000);
    for (const timestamp of [now - 302, now + 303, 0, '9'.repeat(30)]) {
      const response = await signedCall(world, key, { url, timestamp });
      expectError(response, 401, '4013');
      expect(Math.abs(Number(/\d{10}/.exec(response.json().message)?.[0]) - now)).toBeLessThan(5);
    }
    for (const timestamp of [now - 298, now + 298])
      expect((await signedCall(world, key, { url, timestamp })).statusCode).toBe(200);
  });

  it('says so when the timestamp is in milliseconds', async () => {
    const response = await signedCall(open().world, open().key, { url, timestamp: open().world.clock.now() });
    expectError(response, 401, '4013');
    expect(response.json().message).toContain('milliseconds');
  });
}

function signatureGuarantees(open: Open, { url }: SignedEndpoint): void {
  it('refuses a signature of another method, query, body, timestamp, nonce or key with 401 4012', async () => {
    const { world, key } = open();
    const good = signatureHeaders(world, key, { url });
    const later = String(Number(good['x-timestamp']) + 1);
    const others = [
      signatureHeaders(world, key, { url, method: 'POST' }),
      signatureHeaders(world, key, { url: `${url}?size=5` }),
      signatureHeaders(world, key, { url: `${url}x` }),
      signatureHeaders(world, key, { url, body: '{}' }),
      signatureHeaders(world, { ...key, secret: `${key.secret}x` }, { url }),
      { ...good, 'x-timestamp': later },
      { ...good, 'x-nonce': randomUUID() },
      { ...good, 'x-api-key': 'ak_live_00000000000000000000000000' },
      { ...good, 'x-signature': good['x-signature']?.toUpperCase() ?? '' },
    ];
    for (const headers of others) expectError(await world.app.inject({ url, headers }), 401, '4012');
  });

  it('takes the path as it was sent, also where /api is spelt in another way', async () => {
    const { world, key } = open();
    const sent = url.replace('/api/', '/%61pi/');
    expect((await signedCall(world, key, { url: sent })).statusCode).toBe(200);
    const headers = signatureHeaders(world, key, { url: sent.slice(-1) });
    expectError(await world.app.inject({ url: sent, headers }), 401, '4012');
  });

  it('answers an unknown key exactly like a wrong signature', async () => {
    const { world, key } = open();
    const unknown = await signedCall(
      world,
      { apiKeyId: 'ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E', secret: key.secret },
      { url },
    );
    const wrong = await signedCall(world, { ...key, secret: 'sk_live_wrong' }, { url });
    expect([unknown.statusCode, unknown.body]).toEqual([wrong.statusCode, wrong.body]);
  });

  it('accepts a nonce once, also in other letters, and a wrong signature burns none', async () => {
    const { world, key } = open();
    const nonce = randomUUID();
    expectError(await signedCall(world, { ...key, secret: 'sk_wrong' }, { url, nonce }), 401, '4012');
    expect((await signedCall(world, key, { url, nonce })).statusCode).toBe(200);
    expectError(await signedCall(world, key, { url, nonce }), 401, '4014');
    expectError(await signedCall(world, key, { url, nonce: nonce.toUpperCase() }), 401, '4014');
  });

  it('lets one of fifty parallel sends of one request pass', async () => {
    const { world, key } = open();
    const headers = signatureHeaders(world, key, { url });
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.app.inject({ url, headers })));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([
      200,
      ...Array.from({ length: 49 }, () => 401),
    ]);
  });
}

function keyGuarantees(open: Open, { url, scope }: SignedEndpoint): void {
  const setKey = (key: Key, change: ReturnType<typeof sql>) =>
    open().world.db.query(sql`update api_keys set ${change} where id = ${key.apiKeyId}`);

  it('refuses a disabled or revoked key with 401 4015 and an expired one with 4016, at the next request', async () => {
    const key = await createKey(open().world, { scopes: scopesFor(scope) });
    expect((await signedCall(open().world, key, { url })).statusCode).toBe(200);
    await setKey(key, sql`expires_at = now() - interval '1 second'`);
    expectError(await signedCall(open().world, key, { url }), 401, '4016');
    for (const status of ['DISABLED', 'REVOKED']) {
      await setKey(key, sql`status = ${status}::key_status`);
      expectError(await signedCall(open().world, key, { url }), 401, '4015');
    }
  });

  it('refuses a key without the scope with 403 4031', async () => {
    expectError(
      await signedCall(open().world, await createKey(open().world, { scopes: [] }), { url }),
      403,
      '4031',
    );
  });

  it('refuses a client that is not on the IP whitelist with 403 4032, before the scope is judged', async () => {
    const far = await createKey(open().world, { scopes: [], ipWhitelist: ['203.0.113.0/24', '::/0'] });
    expectError(await signedCall(open().world, far, { url }), 403, '4032');
    const near = await createKey(open().world, { scopes: scopesFor(scope), ipWhitelist: ['127.0.0.1/8'] });
    expect((await signedCall(open().world, near, { url })).statusCode).toBe(200);
  });

  it('says nothing of status, address or scope to a caller who does not know the secret', async () => {
    const key = await createKey(open().world, { scopes: [], ipWhitelist: ['203.0.113.1'] });
    await setKey(key, sql`status = 'REVOKED'`);
    expectError(await signedCall(open().world, { ...key, secret: 'sk_live_wrong' }, { url }), 401, '4012');
  });

  it('answers with no-store, a request id and the nested page or payload of the envelope', async () => {
    const response = await signedCall(open().world, open().key, { url });
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-request-id': expect.any(String),
    });
    expect(Object.keys(response.json())).toEqual([
      'version',
      'timestamp',
      'success',
      'code',
      'message',
      'data',
    ]);
  });
}

function parameterGuarantees(open: Open, { url }: SignedEndpoint): void {
  it('refuses a parameter that it does not declare with 400 4000 that names it, to whoever signed', async () => {
    const { world, key } = open();
    const response = await signedCall(world, key, { url: `${url}?foo=1&bar` });
    expectError(response, 400, '4000');
    expect(response.json().message).toMatch(/^foo is not a parameter .*; bar is not a parameter /);
    const unsigned = await signedCall(world, { ...key, secret: 'sk_wrong' }, { url: `${url}?foo=1` });
    expectError(unsigned, 401, '4012');
  });

  it('does not repeat names that no slip explains', async () => {
    const { world, key } = open();
    for (const name of ['x'.repeat(3000), '%00', '%E2%80%AEtxt', '%FF', '__proto__', 'constructor', '%0A']) {
      const response = await signedCall(world, key, { url: `${url}?${name}=1` });
      expectError(response, 400, '4000');
      expect(response.json().message.length).toBeLessThan(400);
      expect(response.json().message).toMatch(/^[ -~]+$/);
    }
  });
}

/** What every signed endpoint guarantees, whatever it is for. */
export function signedEndpointSuite(endpoint: SignedEndpoint): void {
  describe(`${endpoint.name} as a signed endpoint`, () => {
    let world: World;
    let key: Key;
    beforeAll(async () => {
      world = await openWorld();
      key = await createKey(world, { scopes: scopesFor(endpoint.scope) });
    });
    afterAll(() => world.close());
    const open = () => ({ world, key });
    headerGuarantees(open, endpoint);
    signatureGuarantees(open, endpoint);
    keyGuarantees(open, endpoint);
    parameterGuarantees(open, endpoint);
  });
}
