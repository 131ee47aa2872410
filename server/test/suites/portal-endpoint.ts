import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Call, portalCall, tokenOf, type World } from '../world.ts';

export type PortalEndpoint = {
  /** Method and route as registered. */
  name: string;
  /** A request that succeeds for the owner of the demo workspace. */
  call: Call;
  /** Makes such a request anew, where one cannot be sent twice. */
  prepare?(world: World, token: string): Promise<Call>;
  enableTurnstile: boolean;
  /** The body is no JSON, and is tried by tests of its own. */
  takesBytes?: true;
};

type Open = () => { world: World; token: string; good(): Promise<Call> };

/** Tokens that must not open any door. */
async function forgedTokens(world: World, good: string): Promise<[string, string][]> {
  const issuer = world.services.config.publicUrl;
  // Of a sign-in that is open, so that nothing but the forgery is wrong.
  const claims = { sub: 'ACC_DEMO_OWNER', jti: 'x', sid: decodeJwt(good)['sid'] };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [publicKey] = (await world.services.tokens.jwks()).keys;
  const kid = publicKey?.kid ?? '';
  const unsigned = (token: string) => token.split('.').slice(0, 2).join('.');
  const signed = (alg: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg, kid })
      .setIssuer(issuer)
      .setAudience('portico-portal')
      .setIssuedAt()
      .setExpirationTime('5m');
  return [
    ['that is empty', ''],
    ['that is no JWT', 'abc.def.ghi'],
    ['without its signature', `${unsigned(good)}.`],
    [
      'with another payload',
      good.replace(
        /\.[^.]+\./,
        `.${Buffer.from(JSON.stringify({ ...claims, exp: 9e9 })).toString('base64url')}.`,
      ),
    ],
    [
      'with algorithm none',
      new UnsecuredJWT(claims)
        .setIssuer(issuer)
        .setAudience('portico-portal')
        .setIssuedAt()
        .setExpirationTime('5m')
        .encode(),
    ],
    ['signed by a stranger under our key id', await signed('ES256').sign(privateKey)],
    [
      'signed with our public key as a shared secret',
      await signed('HS256').sign(Buffer.from(JSON.stringify(publicKey))),
    ],
  ];
}

const isErrorOf = (response: { statusCode: number; json(): object }, status: number, code: string) => {
  expect(response.statusCode).toBe(status);
  expect(response.json()).toEqual({ success: false, code, message: expect.any(String) });
};

function tokenGuarantees(open: Open, { call }: PortalEndpoint): void {
  it('refuses a caller without a token with 401 4010 and WWW-Authenticate', async () => {
    const response = await portalCall(open().world, undefined, call);
    isErrorOf(response, 401, '4010');
    expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('refuses every forged token with 401 4010', async () => {
    const { world, token } = open();
    for (const [kind, forged] of await forgedTokens(world, token)) {
      const response = await portalCall(world, undefined, {
        ...call,
        headers: { authorization: `Bearer ${forged}` },
      });
      expect([kind, response.statusCode, response.json().code]).toEqual([kind, 401, '4010']);
    }
  });

  it('refuses a scheme other than Bearer with 401 4010', async () => {
    isErrorOf(
      await portalCall(open().world, undefined, {
        ...call,
        headers: { authorization: 'Basic b3duZXI6eA==' },
      }),
      401,
      '4010',
    );
  });

  it('refuses a token that has expired, and takes one within 30 s of leeway', async () => {
    const { world, token } = open();
    world.clock.advance(900 + 25);
    expect((await portalCall(world, token, await open().good())).statusCode).toBeLessThan(300);
    world.clock.advance(10);
    isErrorOf(await portalCall(world, token, call), 401, '4010');
    world.clock.advance(-935);
  });
}

function httpGuarantees(open: Open, { call }: PortalEndpoint): void {
  it('answers with no-store and a request id', async () => {
    const response = await portalCall(open().world, open().token, await open().good());
    expect(response.statusCode).toBeLessThan(300);
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('answers 405 4050 with Allow to a method it does not take', async () => {
    const response = await portalCall(open().world, open().token, { url: call.url, method: 'PUT' });
    isErrorOf(response, 405, '4050');
    expect(response.headers.allow).toContain(call.method ?? 'POST');
  });

  it('judges the token before the body', async () => {
    isErrorOf(await portalCall(open().world, undefined, { ...call, body: '{' }), 401, '4010');
  });
}

function bodyGuarantees(open: Open, { call }: PortalEndpoint): void {
  const send = (body: unknown, headers = {}) =>
    portalCall(open().world, open().token, { ...call, body, headers });

  it('refuses a body that is no JSON object with 400 4002', async () => {
    for (const body of [
      '{',
      '[]',
      'null',
      '"a"',
      '1',
      '{"a":1}x',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    ]) {
      isErrorOf(await send(body), 400, '4002');
    }
  });

  it('refuses another media type with 415 4150', async () => {
    isErrorOf(await send('a=1', { 'content-type': 'application/x-www-form-urlencoded' }), 415, '4150');
  });

  it('refuses a body of more than 1 MiB with 413 4130', async () => {
    isErrorOf(await send(`{"a":"${'x'.repeat(1024 * 1024)}"}`), 413, '4130');
  });

  it('ignores fields it does not know', async () => {
    const good = await open().good();
    const known = (good.body ?? {}) as object; // every good call sends an object or nothing
    const body = { ...known, nobodyKnowsThis: { deep: [1] }, constructor: 1 };
    const response = await portalCall(open().world, open().token, { ...good, body });
    expect(response.statusCode).toBeLessThan(300);
  });
}

/** What every portal endpoint guarantees, whatever it is for. */
export function portalEndpointSuite(endpoint: PortalEndpoint, worldOf: () => World): void {
  describe(`${endpoint.name} as a portal endpoint`, () => {
    let token: string;
    // A call may end the sign-in that it was made with.
    beforeEach(async () => {
      token = await tokenOf(worldOf(), 'ACC_DEMO_OWNER');
    });
    const good = async () => endpoint.prepare?.(worldOf(), token) ?? endpoint.call;
    const open = () => ({ world: worldOf(), token, good });

    tokenGuarantees(open, endpoint);
    httpGuarantees(open, endpoint);
    const hasBody = ['POST', 'PATCH'].includes(endpoint.call.method ?? 'POST');
    if (hasBody && !endpoint.takesBytes) bodyGuarantees(open, endpoint);

    const withoutTurnstile = async () => {
      const call = await good();
      const headers = { ...call.headers, 'x-turnstile-token': '' };
      return portalCall(worldOf(), token, { ...call, headers });
    };
    if (endpoint.enableTurnstile) {
      it('requires a Turnstile verification: else 403 4030', async () =>
        isErrorOf(await withoutTurnstile(), 403, '4030'));
    } else {
      it('does not require a Turnstile verification', async () => {
        expect((await withoutTurnstile()).statusCode).toBeLessThan(300);
      });
    }
  });
}
