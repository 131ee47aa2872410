import type { ServerResponse } from 'node:http';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { givesUpWithin } from './support/giving-up.ts';
import { audience, type Issuer, startIssuer } from './support/issuer.ts';
import { answerJson, answerText, breakOff, endless, hang } from './support/loopback.ts';
import { createClock, openWorld, portalCall, type World } from './world.ts';

const clock = createClock();
let first: Issuer;
let second: Issuer;
let world: World;

/** A fresh instance knows no keys yet. */
function openInstance(database?: World['database']): Promise<World> {
  const issuers = [
    { issuer: first.issuer, jwksUri: first.jwksUri, audience, accountClaim: 'sub' },
    { issuer: second.issuer, jwksUri: second.jwksUri, audience, accountClaim: 'employee' },
  ];
  const env = { PORTICO_JWT_ISSUERS: JSON.stringify(issuers) };
  return openWorld(database === undefined ? { env, clock } : { env, clock, database });
}

async function bind(issuer: Issuer, subject: string, email: string): Promise<void> {
  await world.db.query(sql`
    insert into account_identities (issuer, subject, account_id)
    select ${issuer.issuer}, ${subject}, id from accounts where email = ${email}`);
}

beforeAll(async () => {
  first = await startIssuer(clock.now);
  second = await startIssuer(clock.now);
  world = await openInstance();
  await bind(first, 'user-1', 'owner@demo.test');
  await bind(second, 'E42', 'viewer@demo.test');
});

afterAll(async () => {
  await world?.close();
  await first?.stop();
  await second?.stop();
});

beforeEach(() => first.answerWith(undefined));

const me = (token: string, on = world) => portalCall(on, token, { method: 'GET', url: '/web/v1/auth/me' });

async function accountOf(token: string, on = world): Promise<string | undefined> {
  const response = await me(token, on);
  return response.statusCode === 200 ? response.json().data.account.bizId : undefined;
}

async function expectRefused(token: string, on = world): Promise<void> {
  const response = await me(token, on);
  expect({ status: response.statusCode, body: response.json() }).toEqual({
    status: 401,
    body: { success: false, code: '4010', message: expect.any(String) },
  });
  expect(response.headers['www-authenticate']).toMatch(/^Bearer /);
}

const seconds = () => Math.floor(clock.now() / 1000);

describe('who a token speaks for', () => {
  test('an account bound to issuer and claim is signed in by its token', async () => {
    expect(await accountOf(await first.sign({ sub: 'user-1' }))).toBe('ACC_DEMO_OWNER');
  });

  test('each issuer names the account by its own claim', async () => {
    expect(await accountOf(await second.sign({ sub: 'user-1', employee: 'E42' }))).toBe('ACC_DEMO_VIEWER');
    await expectRefused(await second.sign({ sub: 'E42' }));
  });

  test('an audience may stand in a list', async () => {
    expect(await accountOf(await first.sign({ sub: 'user-1', aud: ['other', audience] }))).toBe(
      'ACC_DEMO_OWNER',
    );
  });

  test("a value bound at another issuer, or an account's own id, names nobody", async () => {
    await expectRefused(await first.sign({ sub: 'E42' }));
    await expectRefused(await first.sign({ sub: 'ACC_DEMO_OWNER' }));
    await expectRefused(await first.sign({ sub: 'USER-1' }));
  });

  test('an account is never found by an e-mail address', async () => {
    const email = 'owner@demo.test';
    await expectRefused(await first.sign({ sub: email, email, email_verified: true }));
    await expectRefused(await first.sign({ sub: 'stranger', email, email_verified: true }));
  });

  test.each([
    ['a number', 42],
    ['a list', ['user-1']],
    ['an object', { toString: 'user-1' }],
    ['null', null],
    ['empty', ''],
    ['NUL', 'user-1\u0000'],
    ['half a surrogate pair', 'user-1\ud800'],
    ['missing', undefined],
  ])('a claim that is %s names nobody', async (_what, employee) => {
    await expectRefused(await second.sign({ employee }));
  });

  test('roles in a token give nothing', async () => {
    const token = await second.sign({
      employee: 'E42',
      role: 'OWNER',
      roles: ['OWNER'],
      workspaces: ['WS_DEMO'],
    });
    const response = await portalCall(world, token, {
      url: '/web/v1/workspaces/WS_DEMO/api-keys',
      body: { name: 'x', scopes: [] },
    });
    expect([response.statusCode, response.json().code]).toEqual([403, '4030']);
  });
});

describe('a token that is not as it should be', () => {
  test.each([
    ['another audience', () => ({ aud: 'someone-else' })],
    ['no audience', () => ({ aud: undefined })],
    ['an unknown issuer', () => ({ iss: 'https://evil.example' })],
    ['the issuer with a slash more', () => ({ iss: `${first.issuer}/` })],
    ['no issuer', () => ({ iss: undefined })],
    ['our own issuer', () => ({ iss: world.services.config.publicUrl })],
    ['an end 31 s ago', () => ({ exp: seconds() - 31 })],
    ['no end', () => ({ exp: undefined })],
    ['no time of issue', () => ({ iat: undefined })],
    ['a begin in more than 30 s', () => ({ nbf: seconds() + 35 })],
    ['an end that is no number', () => ({ exp: 'never' })],
  ])('%s is refused', async (_what, claims) => {
    await expectRefused(await first.sign({ sub: 'user-1', ...claims() }));
  });

  test('clocks may differ by less than 30 s', async () => {
    expect(await accountOf(await first.sign({ sub: 'user-1', exp: seconds() - 20 }))).toBe('ACC_DEMO_OWNER');
    expect(await accountOf(await first.sign({ sub: 'user-1', nbf: seconds() + 20 }))).toBe('ACC_DEMO_OWNER');
  });

  const claims = () => ({
    sub: 'user-1',
    iss: first.issuer,
    aud: audience,
    iat: seconds(),
    exp: seconds() + 300,
  });

  test('a token without a signature is refused', async () => {
    await expectRefused(new UnsecuredJWT(claims()).encode());
    const header = Buffer.from('{"alg":"none","kid":"k1"}').toString('base64url');
    const payload = Buffer.from(JSON.stringify(claims())).toString('base64url');
    await expectRefused(`${header}.${payload}.`);
  });

  test('a public key used as a shared secret signs nothing', async () => {
    const jwk = JSON.stringify(first.publicJwk('k1'));
    for (const secret of [await first.publicPem('k1'), jwk]) {
      const forged = new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'k1' });
      await expectRefused(await forged.sign(Buffer.from(secret)));
    }
  });

  test('a header without a kid, or with one that is no text, is refused', async () => {
    for (const kid of [undefined, null, 1, ['k1'], '']) {
      await expectRefused(await first.sign({ sub: 'user-1' }, { kid, alg: 'ES256' } as object));
    }
  });

  test('keys of one issuer do not sign for another', async () => {
    await expectRefused(await second.sign({ iss: first.issuer, sub: 'user-1' }));
  });

  test('a key carried by the token itself is not believed', async () => {
    const jwk = second.publicJwk('k1');
    await expectRefused(
      await second.sign({ iss: first.issuer, sub: 'user-1' }, { jwk, jku: second.jwksUri }),
    );
  });

  test('claims changed after the signature are refused', async () => {
    const [head, , signature] = (await first.sign({ sub: 'nobody' })).split('.');
    const payload = Buffer.from(JSON.stringify(claims())).toString('base64url');
    await expectRefused(`${head}.${payload}.${signature}`);
  });
});

describe('keys', () => {
  test('known keys are not fetched again for each token, and unknown ones only now and then', async () => {
    const instance = await openInstance(world.database);
    const before = first.fetches();
    const token = await first.sign({ sub: 'user-1' });
    for (let count = 0; count < 5; count += 1)
      expect(await accountOf(token, instance)).toBe('ACC_DEMO_OWNER');
    expect(first.fetches() - before).toBe(1);
    for (let count = 0; count < 5; count += 1) {
      const [, ...rest] = token.split('.');
      const head = Buffer.from(`{"alg":"ES256","kid":"unknown-${count}"}`).toString('base64url');
      await expectRefused([head, ...rest].join('.'), instance);
    }
    expect(first.fetches() - before).toBeLessThanOrEqual(2);
    await instance.close();
  });

  test('tokens that arrive together make one fetch', async () => {
    const instance = await openInstance(world.database);
    const before = first.fetches();
    const token = await first.sign({ sub: 'user-1' });
    const accounts = await Promise.all(Array.from({ length: 10 }, () => accountOf(token, instance)));
    expect(new Set(accounts)).toEqual(new Set(['ACC_DEMO_OWNER']));
    expect(first.fetches() - before).toBe(1);
    await instance.close();
  });

  test('a new key is fetched when it appears, and one that was withdrawn is refused from then on', async () => {
    const instance = await openInstance(world.database);
    await first.addKey('old');
    const old = await first.sign({ sub: 'user-1', exp: seconds() + 3000 }, { kid: 'old' });
    expect(await accountOf(old, instance)).toBe('ACC_DEMO_OWNER');
    first.removeKey('old');
    await first.addKey('new', 'RS256');
    clock.advance(6);
    expect(await accountOf(await first.sign({ sub: 'user-1' }, { kid: 'new' }), instance)).toBe(
      'ACC_DEMO_OWNER',
    );
    await expectRefused(old, instance);
    await instance.close();
  });

  test('a key that was withdrawn is refused within ten minutes even when no other appears', async () => {
    const instance = await openInstance(world.database);
    await first.addKey('leaked');
    const token = await first.sign({ sub: 'user-1', exp: seconds() + 3000 }, { kid: 'leaked' });
    expect(await accountOf(token, instance)).toBe('ACC_DEMO_OWNER');
    first.removeKey('leaked');
    clock.advance(601);
    await expectRefused(token, instance);
    await instance.close();
  });
});

describe('an issuer in trouble', () => {
  const troubles = [
    ['is down', undefined],
    ['hangs', hang],
    ['trickles', (response: ServerResponse) => void response.writeHead(200).write('{"keys":[')],
    ['breaks off', breakOff],
    ['answers 500', answerText('broken', 'text/plain', 500)],
    ['answers 500 with no keys in it', answerJson({ keys: [] }, 500)],
    ['answers HTML', answerText('<html></html>', 'text/html')],
    ['answers no key set', answerJson({ keys: 'none' })],
    ['answers null', answerJson(null)],
    ['answers without end', endless],
    [
      'redirects',
      (response: ServerResponse) => void response.writeHead(302, { location: second.jwksUri }).end(),
    ],
  ] as const;

  test.each(troubles)(
    'that %s: known keys go on serving, others are 401 within 3 s',
    async (_how, answer) => {
      const instance = await openInstance(world.database);
      const known = await first.sign({ sub: 'user-1', exp: seconds() + 3000 });
      expect(await accountOf(known, instance)).toBe('ACC_DEMO_OWNER');
      await first.addKey('unseen');
      if (answer === undefined) await first.stop();
      first.answerWith(answer);
      const timed = (work: () => Promise<void>) => givesUpWithin(3, work);
      clock.advance(601);
      await timed(async () => expect(await accountOf(known, instance)).toBe('ACC_DEMO_OWNER'));
      await timed(async () =>
        expectRefused(await first.sign({ sub: 'user-1' }, { kid: 'unseen' }), instance),
      );
      clock.advance(6);
      if (answer === undefined) await first.start();
      first.answerWith(undefined);
      expect(await accountOf(await first.sign({ sub: 'user-1' }, { kid: 'unseen' }), instance)).toBe(
        'ACC_DEMO_OWNER',
      );
      await instance.close();
    },
  );

  test('that is down from the start: 401, other issuers go on, and it recovers by itself', async () => {
    const instance = await openInstance(world.database);
    await first.stop();
    await expectRefused(await first.sign({ sub: 'user-1' }), instance);
    expect(await accountOf(await second.sign({ employee: 'E42' }), instance)).toBe('ACC_DEMO_VIEWER');
    await first.start();
    clock.advance(6);
    expect(await accountOf(await first.sign({ sub: 'user-1' }), instance)).toBe('ACC_DEMO_OWNER');
    await instance.close();
  });

  test('that is down for more than an hour is not believed any more', async () => {
    const instance = await openInstance(world.database);
    expect(await accountOf(await first.sign({ sub: 'user-1' }), instance)).toBe('ACC_DEMO_OWNER');
    await first.stop();
    clock.advance(3601);
    await expectRefused(await first.sign({ sub: 'user-1' }), instance);
    await first.start();
    await instance.close();
  });

  test.each([
    ['a point that is not on the curve', { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA', alg: 'ES256' }],
    ['no point at all', { kty: 'EC', crv: 'P-256' }],
    ['a shared secret', { kty: 'oct', k: 'c2VjcmV0', alg: 'ES256' }],
    ['null', null],
  ])('whose key is %s: 401, never 500', async (_what, jwk) => {
    const instance = await openInstance(world.database);
    first.answerWith(answerJson({ keys: [jwk === null ? null : { ...jwk, kid: 'k1' }] }));
    await expectRefused(await first.sign({ sub: 'user-1' }), instance);
    await instance.close();
  });
});
