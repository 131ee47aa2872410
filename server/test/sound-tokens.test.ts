import { createHash, generateKeyPairSync, type JsonWebKey, sign as signBytes } from 'node:crypto';
import { CompactSign, type CryptoKey, decodeJwt, importJWK, type JWK } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signingKeyOwner } from '../src/auth/portal/signing-keys.ts';
import { isSoundKey } from '../src/auth/portal/sound-keys.ts';
import { sql } from '../src/db/sql.ts';
import { audience, type Issuer, startIssuer } from './support/issuer.ts';
import { answerJson } from './support/loopback.ts';
import { createClock, openWorld, portalCall, tokenOf, type World } from './world.ts';

const clock = createClock();
let issuer: Issuer;
let world: World;

beforeAll(async () => {
  issuer = await startIssuer(clock.now);
  const { issuer: name, jwksUri } = issuer;
  const issuers = [{ issuer: name, jwksUri, audience, accountClaim: 'sub' }];
  world = await openWorld({ clock, env: { PORTICO_JWT_ISSUERS: JSON.stringify(issuers) } });
  await world.db.query(sql`
    insert into account_identities (issuer, subject, account_id)
    select ${name}, 'user-1', id from accounts where email = 'owner@demo.test'`);
});

afterAll(async () => {
  await world?.close();
  await issuer?.stop();
});

beforeEach(() => issuer.answerWith(undefined));

const statusOf = async (token: string) =>
  (await portalCall(world, token, { method: 'GET', url: '/web/v1/auth/me' })).statusCode;
const seconds = () => Math.floor(clock.now() / 1000);

/** Claims as text, in which a number can be one that no program writes. */
const withTimes = (claims: object, times: object) =>
  JSON.stringify({ ...claims, ...times }).replace(/"(-?\d+e\d+)"/g, '$1');

/** Signed by the service's own key, as someone would who holds it for a moment. */
async function ownToken(times: object): Promise<string> {
  const claims = decodeJwt(await tokenOf(world, 'ACC_DEMO_OWNER'));
  const [row] = await world.db.query<{ kid: string; sealed: Buffer }>(
    sql`select kid, private_jwk as sealed from jwt_signing_keys order by created_at desc limit 1`,
  );
  if (row === undefined) throw new Error('there is no signing key');
  const jwk: JWK = JSON.parse(world.services.vault.open(row.sealed, signingKeyOwner(row.kid)));
  return new CompactSign(Buffer.from(withTimes(claims, times)))
    .setProtectedHeader({ alg: 'ES256', kid: row.kid })
    .sign(await importJWK(jwk, 'ES256'));
}

const outsideClaims = () => ({
  sub: 'user-1',
  iss: issuer.issuer,
  aud: audience,
  iat: seconds(),
  exp: seconds() + 300,
});
const outsideToken = (times: object) => issuer.signText(withTimes(outsideClaims(), times));

describe.each([
  ['our own', ownToken, 900],
  ['an outside', outsideToken, 86_400],
] as const)('the times of %s token', (_whose, tokenOf, lifetime) => {
  test.each<[what: string, times: () => object]>([
    ['an end that is infinite', () => ({ exp: '1e400' })],
    ['an end and an issue that are infinite', () => ({ exp: '1e400', iat: '1e400' })],
    ['an issue that is infinitely long ago', () => ({ iat: '-1e400' })],
    ['a begin that is infinitely long ago', () => ({ nbf: '-1e400' })],
    ['a begin that never comes', () => ({ nbf: '1e400' })],
    ['an end in 10^300 s', () => ({ exp: '1e300' })],
    ['an end in milliseconds', () => ({ exp: clock.now() })],
    ['a life one second too long', () => ({ exp: seconds() + lifetime + 1 })],
    ['a long life that began long ago', () => ({ iat: seconds() - lifetime, exp: seconds() + 60 })],
    ['an issue before there was time', () => ({ iat: -1, exp: seconds() + 1 })],
    ['a begin before there was time', () => ({ nbf: -1 })],
    ['an issue in 35 s', () => ({ iat: seconds() + 35 })],
    ['an end that is null', () => ({ exp: null })],
    ['an issue that is a text', () => ({ iat: String(seconds()) })],
    ['a begin that is a list', () => ({ nbf: [0] })],
  ])('%s is refused, again and again', async (_what, times) => {
    const token = await tokenOf(times());
    expect([await statusOf(token), await statusOf(token)]).toEqual([401, 401]);
  });

  test.each<[what: string, times: () => object]>([
    ['the longest life', () => ({ exp: seconds() + lifetime })],
    ['fractions of a second', () => ({ iat: seconds() - 0.5, nbf: seconds() - 0.25, exp: seconds() + 60.5 })],
    ['no begin', () => ({ nbf: undefined })],
    ['an issue in 20 s, by a clock that is ahead', () => ({ iat: seconds() + 20, exp: seconds() + 60 })],
  ])('%s is taken', async (_what, times) => {
    expect(await statusOf(await tokenOf(times()))).toBe(200);
  });
});

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const unsigned = (header: object) => `${base64(header)}.${base64(outsideClaims())}`;

/** Only one key is published; it is fetched anew. */
function publish(key: object): void {
  issuer.answerWith(answerJson({ keys: [key] }));
  clock.advance(601);
}

describe('a key of an outside issuer for which anyone could sign', () => {
  const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
  const prefix = Buffer.from('3031300d060960864801650304020105000420', 'hex');

  test('RSA with the exponent 1 is refused: a signature is its own proof', async () => {
    const { n = '' } = rsa(2048).publicKey.export({ format: 'jwk' });
    publish({ kty: 'RSA', n, e: 'AQ', kid: 'one' });
    const input = unsigned({ alg: 'RS256', kid: 'one' });
    const digest = createHash('sha256').update(input).digest();
    const padding = Buffer.alloc(256 - 3 - prefix.length - digest.length, 0xff);
    const forged = Buffer.concat([Buffer.of(0, 1), padding, Buffer.of(0), prefix, digest]);
    expect(await statusOf(`${input}.${forged.toString('base64url')}`)).toBe(401);
  });

  test.each([
    ['of 1024 bits', 1024, 0],
    ['of 2040 bits', 2040, 0],
    ['of 1024 bits behind zeros', 1024, 128],
  ])('RSA %s is refused, though its signature is right', async (_what, bits, zeros) => {
    const { privateKey, publicKey } = rsa(bits);
    const jwk = publicKey.export({ format: 'jwk' });
    const n = Buffer.concat([Buffer.alloc(zeros), Buffer.from(jwk.n ?? '', 'base64url')]).toString(
      'base64url',
    );
    publish({ ...jwk, n, kid: 'short' });
    const input = unsigned({ alg: 'RS256', kid: 'short' });
    const signature = signBytes('sha256', Buffer.from(input), privateKey).toString('base64url');
    expect(await statusOf(`${input}.${signature}`)).toBe(401);
  });

  test('Ed25519 with a point of small order is refused: one signature fits every text', async () => {
    const identity = Buffer.concat([Buffer.of(1), Buffer.alloc(31)]);
    publish({ kty: 'OKP', crv: 'Ed25519', x: identity.toString('base64url'), kid: 'small' });
    const forged = Buffer.concat([identity, Buffer.alloc(32)]).toString('base64url');
    for (const alg of ['EdDSA', 'Ed25519'])
      expect(await statusOf(`${unsigned({ alg, kid: 'small' })}.${forged}`)).toBe(401);
  });

  test('a sound RSA or Ed25519 key goes on being taken', async () => {
    for (const [kid, alg] of [
      ['r', 'RS256'],
      ['p', 'PS256'],
      ['e', 'EdDSA'],
    ] as const) {
      await issuer.addKey(kid, alg);
      clock.advance(601);
      expect([alg, await statusOf(await issuer.sign({ sub: 'user-1' }, { kid }))]).toEqual([alg, 200]);
    }
  });

  const imported = async (jwk: JsonWebKey, alg: string) => (await importJWK(jwk as JWK, alg)) as CryptoKey; // no shared secret among them

  test.each([
    ['1', 'AQ', false],
    ['2', 'Ag', false],
    ['3', 'Aw', true],
    ['65536', 'AQAA', false],
    ['65537', 'AQAB', true],
  ])('the RSA exponent %s is judged by what it is', async (_number, e, isSound) => {
    const jwk = { ...rsa(2048).publicKey.export({ format: 'jwk' }), e };
    expect(isSoundKey(await imported(jwk, 'RS256'))).toBe(isSound);
  });

  test.each([
    '00'.repeat(32),
    `01${'00'.repeat(30)}80`,
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    `ec${'ff'.repeat(31)}`,
    `ed${'ff'.repeat(30)}7f`,
    `ee${'ff'.repeat(31)}`,
  ])('the Ed25519 point %s is of small order', async (hex) => {
    const x = Buffer.from(hex, 'hex').toString('base64url');
    expect(isSoundKey(await imported({ kty: 'OKP', crv: 'Ed25519', x }, 'Ed25519'))).toBe(false);
  });
});
