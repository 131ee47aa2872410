import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { answerJson, answerText, breakOff, endless, hang } from './support/loopback.ts';
import { type LyingProvider, liar, startLyingProvider } from './support/lying-provider.ts';
import { begin, callbackUrl, comeBack, cookieOf, locationOf, settingOf } from './support/oidc-browser.ts';
import { createStillClock, openWorld, signIn, type World, type WorldOptions } from './world.ts';

let provider: LyingProvider;
let world: World;

/** A service that has not met the provider yet. */
const newcomer = (options: WorldOptions = {}) =>
  openWorld({
    ...options,
    env: { ...settingOf(provider.issuer, liar), ...options.env },
    database: world.database,
  });

beforeAll(async () => {
  provider = await startLyingProvider();
  world = await openWorld({ env: settingOf(provider.issuer, liar) });
  await world.db.query(sql`
    insert into account_identities (issuer, subject, account_id)
    select ${provider.issuer}, 'owner-8', id from accounts where biz_id = 'ACC_DEMO_OWNER'`);
});
afterAll(async () => {
  await world?.close();
  await provider?.stop();
});
afterEach(() => {
  provider.lie({});
  provider.describeAs({});
  for (const path of ['/.well-known/openid-configuration', '/jwks', '/token'] as const)
    provider.answerWith(path, undefined);
});

async function outcome(on = world) {
  const { location, cookie } = await begin(on);
  if (!location.startsWith(provider.issuer)) return location;
  const response = await comeBack(on, provider.backFrom(location), cookie);
  const isIn = cookieOf(response, 'portico_refresh') !== '';
  return isIn === locationOf(response).includes('done') ? locationOf(response) : 'a cookie that does not fit';
}

const seconds = () => Math.floor(Date.now() / 1000);

describe('an ID token', () => {
  it('that is as it should be signs in, also with several audiences when it names us as its client', async () => {
    expect(await outcome()).toBe('/sign-in?oidc=done');
    provider.lie({ aud: [liar.clientId, 'other'], azp: liar.clientId });
    expect(await outcome()).toBe('/sign-in?oidc=done');
  });

  it.each<[string, Record<string, unknown>]>([
    ['another nonce', { nonce: 'forged' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://other.example' }],
    ['another audience', { aud: 'other' }],
    ['several audiences and no client', { aud: [liar.clientId, 'other'] }],
    ['another client', { azp: 'other' }],
    ['an end that has passed', { exp: seconds() - 3600 }],
    ['no end', { exp: undefined }],
    ['a beginning that is to come', { nbf: seconds() + 3600 }],
    ['no subject', { sub: undefined }],
    ['a subject that is no text', { sub: 8 }],
    ['a subject that cannot be stored', { sub: 'owner-8\u0000' }],
    ['a subject without end', { sub: 'o'.repeat(256) }],
  ])('with %s signs nobody in', async (_kind, claims) => {
    provider.lie(claims);
    expect(await outcome()).toBe('/sign-in?oidc=failed');
  });

  it('with no algorithm, of a key that nobody knows, or of a stranger under a known key signs nobody in', async () => {
    provider.lie({}, {}, 'nobody');
    expect(await outcome()).toBe('/sign-in?oidc=failed');
    provider.lie({}, { kid: 'unknown' });
    expect(await outcome()).toBe('/sign-in?oidc=failed');
    provider.lie({}, {}, 'stranger');
    expect(await outcome()).toBe('/sign-in?oidc=failed');
  });

  it('is asked for once with the verifier of its attempt, and never with another', async () => {
    provider.forms.length = 0;
    const { location, cookie } = await begin(world);
    await comeBack(world, provider.backFrom(location), cookie);
    expect(provider.forms.map((form) => [form.get('grant_type'), form.get('code')])).toEqual([
      ['authorization_code', 'c'],
    ]);
    const { searchParams } = new URL(location);
    const verifier = new TextEncoder().encode(provider.forms[0]?.get('code_verifier') ?? '');
    const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', verifier)).toString('base64url');
    expect(searchParams.get('code_challenge')).toBe(challenge);
  });
});

describe('a provider that is away', () => {
  it('stops nothing at start, is told of as unavailable, and is found once it is back', async () => {
    await provider.stop();
    const late = await newcomer();
    expect(await outcome(late)).toBe('/sign-in?oidc=unavailable');
    await provider.start();
    late.clock.advance(1.1); // after a failure it is left alone for a second
    expect(await outcome(late)).toBe('/sign-in?oidc=done');
    await late.close();
  });

  it('at the callback is told of as unavailable, and is no failed sign-in', async () => {
    const records = () =>
      world.db.query(sql`select 1 from audit_waiting where action = 'account.sign-in-failed'`);
    const before = (await records()).length;
    await outcome();
    await provider.stop();
    expect(await outcome()).toBe('/sign-in?oidc=unavailable');
    await provider.start();
    expect((await records()).length).toBe(before);
  });

  it.each([
    ['fails', answerText('no', 'text/plain', 502)],
    ['breaks off', breakOff],
    ['never ends', endless],
  ])('for a code, as its answer %s, is unavailable', async (_kind, answer) => {
    await outcome();
    provider.answerWith('/token', answer);
    expect(await outcome()).toBe('/sign-in?oidc=unavailable');
  });

  it('for its keys is unavailable', async () => {
    const late = await newcomer();
    provider.answerWith('/jwks', breakOff);
    expect(await outcome(late)).toBe('/sign-in?oidc=unavailable');
    await late.close();
  });

  it('while it hangs, holds up nobody but those who sign in there', async () => {
    await outcome();
    const late = await newcomer();
    provider.answerWith('/token', hang);
    provider.answerWith('/.well-known/openid-configuration', hang);
    let isOver = false;
    const hanging = Promise.all([outcome(), ...Array.from({ length: 30 }, () => outcome(late))]);
    const over = hanging.then((outcomes) => {
      isOver = true;
      return outcomes;
    });
    expect(await signIn(late)).toMatch(/^eyJ/);
    expect(isOver).toBe(false);
    expect(new Set(await over)).toEqual(new Set(['/sign-in?oidc=unavailable']));
    await late.close();
  });

  it('is refused what it tells, as long as that is not about itself, safe and readable', async () => {
    const late = await newcomer();
    for (const metadata of [
      { issuer: 'https://other.example' },
      { issuer: `${provider.issuer}/` },
      { token_endpoint: 'http://other.example/token' },
      { authorization_endpoint: 'javascript:alert(1)' },
      { jwks_uri: undefined },
    ]) {
      provider.describeAs(metadata);
      expect([metadata, await outcome(late)]).toEqual([metadata, '/sign-in?oidc=unavailable']);
      late.clock.advance(1.1);
    }
    await late.close();
  });
});

describe('what the provider says of a sign-in', () => {
  it.each([
    ['access_denied', 'cancelled'],
    ['temporarily_unavailable', 'unavailable'],
    ['login_required', 'failed'],
  ])('%s leads to %s', async (error, reason) => {
    const { location, cookie } = await begin(world);
    const back = provider
      .backFrom(location)
      .replace('code=c', `error=${error}&error_description=%3Cscript%3E`);
    const response = await comeBack(world, back, cookie);
    expect(locationOf(response)).toBe(`/sign-in?oidc=${reason}`);
  });

  it('counts for the browser alone that went there', async () => {
    const { location } = await begin(world);
    const back = provider.backFrom(location).replace('code=c', 'error=access_denied');
    expect(locationOf(await comeBack(world, back, ''))).toBe('/sign-in?oidc=failed');
  });

  it('about the client is told to the operator, not to the browser', async () => {
    provider.answerWith('/token', answerJson({ error: 'invalid_client' }, 401));
    expect(await outcome()).toBe('/sign-in?oidc=failed');
    expect(world.logs()).toContain('invalid_client');
    expect(world.logs()).not.toContain(liar.clientSecret);
  });
});

describe('one address', () => {
  it('may begin and end so many a minute; beyond that nothing is asked of the provider', async () => {
    const limited = await newcomer({ env: { PORTICO_LIMIT_SIGN_IN: '5/5' }, clock: createStillClock() });
    const { location, cookie } = await begin(limited);
    provider.forms.length = 0;
    for (let count = 1; count < 240; count += 1) await begin(limited);
    expect((await begin(limited)).location).toBe('/sign-in?oidc=unavailable');
    expect(locationOf(await comeBack(limited, provider.backFrom(location), cookie))).toBe(
      '/sign-in?oidc=unavailable',
    );
    expect(provider.forms).toEqual([]);
    expect(locationOf(await comeBack(limited, callbackUrl, ''))).toBe('/sign-in?oidc=failed');
    await limited.close();
  });
});
