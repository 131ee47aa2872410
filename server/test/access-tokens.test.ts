import { randomUUID } from 'node:crypto';
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  generateKeyPair,
  jwtVerify,
  SignJWT,
} from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { createClock, openWorld, portalCall, signIn, tokenOf, type World } from './world.ts';

const clock = createClock();
let world: World;
let other: World;

beforeAll(async () => {
  world = await openWorld({ clock });
  other = await openWorld({ clock, database: world.database });
});

afterAll(async () => {
  await other?.close();
  await world?.close();
});

const me = (token: string, on = world) => portalCall(on, token, { method: 'GET', url: '/web/v1/auth/me' });
const jwksOf = async (on: World) => (await on.app.inject('/.well-known/jwks.json')).json();

async function expectRefused(token: string, on = world): Promise<void> {
  const response = await me(token, on);
  expect([response.statusCode, response.json().code]).toEqual([401, '4010']);
  expect(response.headers['www-authenticate']).toContain('invalid_token');
}

describe('what a token holds', () => {
  test('ES256 with a kid, and the claims iss, aud, sub, sid, jti, iat, nbf and exp alone', async () => {
    const token = await signIn(world);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'JWT', kid: expect.any(String) });
    const claims = decodeJwt(token);
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'nbf', 'sid', 'sub']);
    expect(claims.sub).toBe('ACC_DEMO_OWNER');
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900);
    expect(claims.nbf).toBe(claims.iat);
  });

  test('two tokens of one account differ in their jti', async () => {
    const issue = async () => decodeJwt(await tokenOf(world, 'ACC_DEMO_OWNER')).jti;
    expect(await issue()).not.toBe(await issue());
  });
});

describe('keys', () => {
  test('jose verifies a token with the published keys alone, over HTTP', async () => {
    const origin = await world.app.listen({ host: '127.0.0.1', port: 0 });
    const token = await tokenOf(world, 'ACC_DEMO_OWNER');
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', origin));
    const { payload } = await jwtVerify(token, keys, { currentDate: new Date(clock.now()) });
    expect(payload.sub).toBe('ACC_DEMO_OWNER');
  });

  test('only public halves are published', async () => {
    const { keys } = await jwksOf(world);
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys)
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  test('private halves lie sealed in the database', async () => {
    const [row] = await world.db.query<{ sealed: Buffer }>(
      sql`select private_jwk as sealed from jwt_signing_keys`,
    );
    expect(row?.sealed.toString('latin1')).not.toMatch(/"(d|kty)"/);
  });

  test('instances on one database sign with one key and verify each other', async () => {
    expect((await me(await tokenOf(world, 'ACC_DEMO_OWNER'), other)).statusCode).toBe(200);
    expect((await me(await tokenOf(other, 'ACC_DEMO_OWNER'), world)).statusCode).toBe(200);
    expect((await jwksOf(world)).keys).toEqual((await jwksOf(other)).keys);
  });

  test('instances that start together on an empty table make one key', async () => {
    const fresh = await openWorld({ clock });
    await fresh.db.query(sql`delete from jwt_signing_keys`);
    const all = await Promise.all([1, 2, 3].map(() => openWorld({ clock, database: fresh.database })));
    const rows = await fresh.db.query(sql`select 1 from jwt_signing_keys`);
    expect(rows.length).toBe(1);
    for (const one of all) await one.close();
    await fresh.close();
  });

  test('a key made by a newer instance is believed and published by one that was running', async () => {
    const old = await tokenOf(world, 'ACC_DEMO_OWNER');
    await world.db.query(sql`update jwt_signing_keys set created_at = created_at - interval '91 days'`);
    const newer = await openWorld({ clock, database: world.database });
    const token = await tokenOf(newer, 'ACC_DEMO_OWNER');
    const kid = decodeProtectedHeader(token).kid;
    expect(kid).not.toBe(decodeProtectedHeader(old).kid);
    clock.advance(6);
    const both = await Promise.all(Array.from({ length: 5 }, () => me(token)));
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    const published = await jwksOf(other);
    expect(published.keys.map((key: { kid: string }) => key.kid)).toContain(kid);
    expect((await me(old, newer)).statusCode).toBe(200);
    await newer.close();
  });
});

describe('a token that is refused', () => {
  const signed = async (claims: object, header: object = {}) => {
    const { privateKey } = await generateKeyPair('ES256');
    const kid = (await jwksOf(world)).keys[0].kid;
    return new SignJWT({ ...decodeJwt(await tokenOf(world, 'ACC_DEMO_OWNER')), ...claims })
      .setProtectedHeader({ alg: 'ES256', kid, ...header })
      .sign(privateKey);
  };

  test('one that has expired by more than the leeway of 30 s', async () => {
    const token = await tokenOf(world, 'ACC_DEMO_OWNER');
    clock.advance(925);
    expect((await me(token)).statusCode).toBe(200);
    clock.advance(6);
    await expectRefused(token);
  });

  test('one in which any part was changed', async () => {
    const token = await tokenOf(world, 'ACC_DEMO_OWNER');
    const [head = '', , signature = ''] = token.split('.');
    const claims = { ...decodeJwt(token), sub: 'ACC_DEMO_VIEWER' };
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    await expectRefused(`${head}.${payload}.${signature}`);
    await expectRefused(`${token.slice(0, -8)}${'A'.repeat(8)}`);
    await expectRefused(`${head}.${token.split('.')[1]}.`);
  });

  test('one signed by a key that is not ours under a kid that is, or under a new one', async () => {
    await expectRefused(await signed({}));
    await expectRefused(await signed({}, { kid: randomUUID() }));
  });

  test('one of another database', async () => {
    const elsewhere = await openWorld({ clock });
    await expectRefused(await tokenOf(elsewhere, 'ACC_DEMO_OWNER'));
    await elsewhere.close();
  });

  test('one of the same key for another issuer', async () => {
    const moved = await openWorld({
      clock,
      database: world.database,
      env: { PORTICO_PUBLIC_URL: 'https://other.example' },
    });
    await expectRefused(await tokenOf(moved, 'ACC_DEMO_OWNER'));
    await moved.close();
  });

  test('one of an account that was deleted', async () => {
    await world.db.query(
      sql`insert into accounts (biz_id, email, name) values ('ACC_GONE', 'gone@demo.test', 'Gone')`,
    );
    const token = await tokenOf(world, 'ACC_GONE');
    expect((await me(token)).statusCode).toBe(200);
    await world.db.query(sql`delete from accounts where biz_id = 'ACC_GONE'`);
    await expectRefused(token);
  });

  test.each(['x', 'a.b.c', '..', 'e30.e30.e30', `${'A'.repeat(8000)}.e30.e30`, 'bnVsbA.bnVsbA.bnVsbA'])(
    'bytes that are no token (%#)',
    async (text) => expectRefused(text),
  );

  test('a flood of unknown kids does not keep a known one waiting', async () => {
    const flood = await Promise.all(Array.from({ length: 50 }, () => signed({}, { kid: randomUUID() })));
    const answers = await Promise.all(flood.map((token) => me(token)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([401]));
    expect((await me(await tokenOf(world, 'ACC_DEMO_OWNER'))).statusCode).toBe(200);
  });
});
