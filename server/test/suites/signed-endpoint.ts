import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createKey, type Key, type SignedCall, signatureHeaders, signedCall, type World } from '../world.ts';

export type SignedEndpoint = {
  name: string;
  url: string;
  scope: string;
  /** Of an endpoint that writes. */
  body?: object;
  /** Makes what a request can be done to once; gives its id, which replaces `ID` in the url. */
  make?(world: World): Promise<string>;
};

/** An endpoint that wants any scope is content with this one. */
const scopesFor = (scope: string) => [scope === 'any' ? 'transfers:read' : scope];

type Open = () => {
  world: World;
  key: Key;
  /** A request that succeeds once. */
  good(): Promise<SignedCall>;
  /** The same, sent with these headers and no other. */
  bare(headers: Record<string, string>, call: SignedCall): Promise<Answer>;
};
type Answer = { statusCode: number; json(): { code: string; message: string } };

const expectError = (response: Answer, status: number, code: string) => {
  expect(response.json()).toEqual({ success: false, code, message: expect.any(String) });
  expect(response.statusCode).toBe(status);
};

function headerGuarantees(open: Open): void {
  const names = ['x-api-key', 'x-signature', 'x-timestamp', 'x-nonce'];

  it('refuses a request without any one of the four headers with 401 4011', async () => {
    for (const name of names) {
      const call = await open().good();
      const headers = signatureHeaders(open().world, open().key, call);
      delete headers[name];
      const response = await open().bare(headers, call);
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
    const call = await open().good();
    for (const [name = '', value = ''] of wrong)
      expectError(await signedCall(open().world, open().key, call, { [name]: value }), 401, '4011');
  });

  it('refuses a timestamp outside 300 s with 401 4013, naming the server time, and takes one inside', async () => {
    const { world, key } = open();
    const now = Math.floor(world.clock.now() / 1000);
    for (const timestamp of [now - 302, now + 303, 0, '9'.repeat(30)]) {
      const response = await signedCall(world, key, { ...(await open().good()), timestamp });
      expectError(response, 401, '4013');
      expect(Math.abs(Number(/\d{10}/.exec(response.json().message)?.[0]) - now)).toBeLessThan(5);
    }
    for (const timestamp of [now - 298, now + 298])
      expect((await signedCall(world, key, { ...(await open().good()), timestamp })).statusCode).toBeLessThan(
        300,
      );
  });

  it('says so when the timestamp is in milliseconds', async () => {
    const call = { ...(await open().good()), timestamp: open().world.clock.now() };
    const response = await signedCall(open().world, open().key, call);
    expectError(response, 401, '4013');
    expect(response.json().message).toContain('milliseconds');
  });
}

function signatureGuarantees(open: Open): void {
  it('refuses a signature of another method, query, body, timestamp, nonce or key with 401 4012', async () => {
    const { world, key } = open();
    const call = await open().good();
    const { url, method, body } = call;
    const good = signatureHeaders(world, key, call);
    const later = String(Number(good['x-timestamp']) + 1);
    const others = [
      signatureHeaders(world, key, { ...call, method: method === 'POST' ? 'GET' : 'POST' }),
      signatureHeaders(world, key, { ...call, url: `${url}?size=5` }),
      signatureHeaders(world, key, { ...call, url: `${url}x` }),
      signatureHeaders(world, key, { ...call, body: `${body ?? '{}'} ` }),
      signatureHeaders(world, { ...key, secret: `${key.secret}x` }, call),
      { ...good, 'x-timestamp': later },
      { ...good, 'x-nonce': randomUUID() },
      { ...good, 'x-api-key': 'ak_live_00000000000000000000000000' },
      { ...good, 'x-signature': good['x-signature']?.toUpperCase() ?? '' },
    ];
    for (const headers of others) expectError(await open().bare(headers, call), 401, '4012');
  });

  it('takes the path as it was sent, also where /api is spelt in another way', async () => {
    const { world, key } = open();
    const call = await open().good();
    const sent = { ...call, url: call.url.replace('/api/', '/%61pi/') };
    expect((await signedCall(world, key, sent)).statusCode).toBeLessThan(300);
    const headers = signatureHeaders(world, key, { ...call, url: sent.url.slice(-1) });
    expectError(await open().bare(headers, sent), 401, '4012');
  });

  it('answers an unknown key exactly like a wrong signature', async () => {
    const { world, key } = open();
    const call = await open().good();
    const unknown = await signedCall(
      world,
      { apiKeyId: 'ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E', secret: key.secret },
      call,
    );
    const wrong = await signedCall(world, { ...key, secret: 'sk_live_wrong' }, call);
    expect([unknown.statusCode, unknown.body]).toEqual([wrong.statusCode, wrong.body]);
  });

  it('accepts a nonce once, also in other letters, and a wrong signature burns none', async () => {
    const { world, key } = open();
    const nonce = randomUUID();
    const call = { ...(await open().good()), nonce };
    expectError(await signedCall(world, { ...key, secret: 'sk_wrong' }, call), 401, '4012');
    expect((await signedCall(world, key, call)).statusCode).toBeLessThan(300);
    expectError(await signedCall(world, key, call), 401, '4014');
    expectError(await signedCall(world, key, { ...call, nonce: nonce.toUpperCase() }), 401, '4014');
  });

  it('lets one of fifty parallel sends of one request pass', async () => {
    const { world, key } = open();
    const call = await open().good();
    const headers = signatureHeaders(world, key, call);
    const answers = await Promise.all(Array.from({ length: 50 }, () => open().bare(headers, call)));
    const [first, ...others] = answers.map((answer) => answer.statusCode).sort();
    expect(first).toBeLessThan(300);
    expect(others).toEqual(Array.from({ length: 49 }, () => 401));
  });
}

function keyGuarantees(open: Open, { scope }: SignedEndpoint): void {
  const send = async (key: Key) => signedCall(open().world, key, await open().good());
  const setKey = (key: Key, change: ReturnType<typeof sql>) =>
    open().world.db.query(sql`update api_keys set ${change} where id = ${key.apiKeyId}`);

  it('refuses a disabled or revoked key with 401 4015 and an expired one with 4016, at the next request', async () => {
    const key = await createKey(open().world, { scopes: scopesFor(scope) });
    expect((await send(key)).statusCode).toBeLessThan(300);
    await setKey(key, sql`expires_at = now() - interval '1 second'`);
    expectError(await send(key), 401, '4016');
    for (const status of ['DISABLED', 'REVOKED']) {
      await setKey(key, sql`status = ${status}::key_status`);
      expectError(await send(key), 401, '4015');
    }
  });

  it('refuses a key without the scope with 403 4031', async () => {
    expectError(await send(await createKey(open().world, { scopes: [] })), 403, '4031');
  });

  it('refuses a client that is not on the IP whitelist with 403 4032, before the scope is judged', async () => {
    const far = await createKey(open().world, { scopes: [], ipWhitelist: ['203.0.113.0/24', '::/0'] });
    expectError(await send(far), 403, '4032');
    const near = await createKey(open().world, { scopes: scopesFor(scope), ipWhitelist: ['127.0.0.1/8'] });
    expect((await send(near)).statusCode).toBeLessThan(300);
  });

  it('says nothing of status, address or scope to a caller who does not know the secret', async () => {
    const key = await createKey(open().world, { scopes: [], ipWhitelist: ['203.0.113.1'] });
    await setKey(key, sql`status = 'REVOKED'`);
    expectError(await send({ ...key, secret: 'sk_live_wrong' }), 401, '4012');
  });

  it('answers with no-store, a request id and the nested page or payload of the envelope', async () => {
    const response = await send(open().key);
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

function parameterGuarantees(open: Open): void {
  const asking = async (query: string) => {
    const call = await open().good();
    return { ...call, url: `${call.url}?${query}` };
  };

  it('refuses a parameter that it does not declare with 400 4000 that names it, to whoever signed', async () => {
    const { world, key } = open();
    const call = await asking('foo=1&bar');
    const response = await signedCall(world, key, call);
    expectError(response, 400, '4000');
    expect(response.json().message).toMatch(/^foo is not a parameter .*; bar is not a parameter /);
    expectError(await signedCall(world, { ...key, secret: 'sk_wrong' }, call), 401, '4012');
  });

  it('does not repeat names that no slip explains', async () => {
    const { world, key } = open();
    for (const name of ['x'.repeat(3000), '%00', '%E2%80%AEtxt', '%FF', '__proto__', 'constructor', '%0A']) {
      const response = await signedCall(world, key, await asking(`${name}=1`));
      expectError(response, 400, '4000');
      expect(response.json().message.length).toBeLessThan(400);
      expect(response.json().message).toMatch(/^[ -~]+$/);
    }
  });
}

/** What every signed endpoint guarantees, whatever it is for. */
export function signedEndpointSuite(endpoint: SignedEndpoint, worldOf: () => World): void {
  describe(`${endpoint.name} as a signed endpoint`, () => {
    let key: Key;
    beforeAll(async () => {
      key = await createKey(worldOf(), { scopes: scopesFor(endpoint.scope) });
    });
    const { url, body, make } = endpoint;
    const good = async (): Promise<SignedCall> => ({
      method: body === undefined ? 'GET' : 'POST',
      url: url.replace('ID', (await make?.(worldOf())) ?? ''),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const bare = async (headers: Record<string, string>, { method, url: sent, body: payload }: SignedCall) =>
      worldOf().app.inject({
        url: sent,
        headers: { ...headers, ...(payload === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(method === undefined ? {} : { method }),
        ...(payload === undefined ? {} : { payload }),
      });
    const open = () => ({ world: worldOf(), key, good, bare });
    headerGuarantees(open);
    signatureGuarantees(open);
    keyGuarantees(open, endpoint);
    parameterGuarantees(open);
  });
}
