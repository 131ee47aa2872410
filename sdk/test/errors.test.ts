import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../server/src/contract/catalogue.ts';
import { createKey, dummyTurnstile, signIn } from '../../server/test/world.ts';
import * as sdk from '../src/index.ts';
import * as portalSdk from '../src/portal/index.ts';
import { answer, openClient, openLoopback, openService, problem, type Service, someKey } from './service.ts';

const { Portico, PorticoError } = sdk;

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

async function errorOf(call: Promise<unknown>): Promise<sdk.PorticoError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PorticoError);
  return error as sdk.PorticoError; // just expected
}

const openPortal = async (email: string) =>
  new portalSdk.PorticoPortal({
    baseUrl: service.url,
    turnstileToken: dummyTurnstile,
    accessToken: await signIn(service.world, email),
  });

describe('a refusal of a signed call', () => {
  it('of the signature is a SignatureError, with what a TEST key is told', async () => {
    const { key } = await openClient(service, { mode: 2 });
    const secret = `${key.secret}\n`;
    const error = await errorOf(new Portico({ baseUrl: service.url, ...key, secret }).ping());
    expect(error).toBeInstanceOf(sdk.SignatureError);
    expect(error).toMatchObject({ name: 'SignatureError', status: 401, code: '4012', fields: [] });
    expect(error.message).toContain('newline');
    expect(error.problem?.['stringToSign']).toContain('PORTICO1-HMAC-SHA256\nGET\n/api/v1/ping');
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(error.requestId).toBe(error.response?.headers.get('x-request-id'));
  });

  it('of a header is a SignatureError', async () => {
    const client = await openClient(service, {}, { nonce: () => 'no-uuid' });
    const error = await errorOf(client.ping());
    expect([error.constructor, error.code]).toEqual([sdk.SignatureError, '4011']);
  });

  it('of a nonce that was used is a ReplayError', async () => {
    const nonce = crypto.randomUUID();
    const client = await openClient(service, {}, { nonce: () => nonce });
    await client.ping();
    const error = await errorOf(client.ping());
    expect([error.constructor, error.code]).toEqual([sdk.ReplayError, '4014']);
  });

  it('of a key that was disabled or has expired is a KeyStatusError', async () => {
    const portal = await openPortal('owner@demo.test');
    const client = await openClient(service);
    const { apiKeyId } = client.key;
    await portal.disableApiKey('WS_DEMO', apiKeyId);
    const disabled = await errorOf(client.ping());
    await portal.enableApiKey('WS_DEMO', apiKeyId);
    await portal.changeApiKey('WS_DEMO', apiKeyId, { expiresAt: '2020-01-01T00:00:00Z' });
    const expired = await errorOf(client.ping());
    expect([disabled.constructor, disabled.code]).toEqual([sdk.KeyStatusError, '4015']);
    expect([expired.constructor, expired.code]).toEqual([sdk.KeyStatusError, '4016']);
  });

  it('of scope or address is a ForbiddenError', async () => {
    const scope = await errorOf((await openClient(service, { scopes: [] })).ping());
    const address = await errorOf((await openClient(service, { ipWhitelist: ['203.0.113.7'] })).ping());
    expect([scope.constructor, scope.code]).toEqual([sdk.ForbiddenError, '4031']);
    expect([address.constructor, address.code]).toEqual([sdk.ForbiddenError, '4032']);
  });

  it('of a parameter is an InvalidInputError that names the field', async () => {
    const client = await openClient(service);
    const filter = await errorOf(client.transfers.list({ status: 'LOST' as 'FAILED' })); // the compiler would refuse it
    expect(filter).toBeInstanceOf(sdk.InvalidInputError);
    expect(filter.fields).toEqual([
      { field: 'status', message: expect.stringContaining('must be one of PENDING') },
    ]);
    const page = await errorOf(client.transfers.list({ page: -1 }));
    expect(page).toMatchObject({ code: 'VALIDATION.INVALID_PARAMETER', fields: [{ field: 'page' }] });
    expect(page.problem?.alias).toBe('S012');
  });

  it('of a route is a NotFoundError, and of a method a PorticoError', async () => {
    const client = await openClient(service);
    const route = await errorOf(client.call('GET', '/api/v1/nothing'));
    expect([route.constructor, route.code]).toEqual([sdk.NotFoundError, '4041']);
    const method = await errorOf(client.call('DELETE', '/api/v1/ping'));
    expect([method.constructor, method.code]).toEqual([PorticoError, '4050']);
  });

  it('of too many is a RateLimitError that says when to come back', async () => {
    const limited = await openService({ env: { PORTICO_LIMIT_TEST: '1/1' } });
    const key = await createKey(limited.world, { mode: 2 });
    const client = new Portico({ baseUrl: limited.url, ...key, retries: 0 });
    await client.ping();
    const error = await errorOf(client.ping());
    expect([error.constructor, error.code, error.retryAfterSeconds]).toEqual([sdk.RateLimitError, '4290', 1]);
    await limited.close();
  });
});

describe('a refusal of the portal', () => {
  it('is a class as well', async () => {
    const visitor = new portalSdk.PorticoPortal({ baseUrl: service.url, turnstileToken: dummyTurnstile });
    const password = await errorOf(visitor.login({ email: 'owner@demo.test', password: 'wrong' }));
    expect([password.constructor, password.code]).toEqual([portalSdk.AuthenticationError, '4017']);
    const token = await errorOf(visitor.me());
    expect([token.constructor, token.code]).toEqual([portalSdk.AuthenticationError, '4010']);
    const viewer = await openPortal('viewer@demo.test');
    const role = await errorOf(viewer.createApiKey('WS_DEMO', { name: 'x' }));
    expect([role.constructor, role.code]).toEqual([portalSdk.ForbiddenError, '4030']);
    const missing = await errorOf(viewer.getApiKey('WS_DEMO', 'ak_live_none'));
    expect([missing.constructor, missing.code]).toEqual([portalSdk.NotFoundError, '4040']);
    const owner = await openPortal('owner@demo.test');
    const invalid = await errorOf(owner.createApiKey('WS_DEMO', { name: ' ', ipWhitelist: ['nowhere'] }));
    expect(invalid).toBeInstanceOf(portalSdk.InvalidInputError);
    expect(invalid.fields.map(({ field }) => field)).toEqual(['name', 'ipWhitelist[0]']);
  });
});

describe('every error of the catalogue', () => {
  it.each(Object.entries(catalogue))('%s arrives as a class of its own kind', async (code, { status }) => {
    const loopback = await openLoopback(answer(status, problem(code, 'told')));
    const error = await errorOf(new Portico({ baseUrl: loopback.url, ...someKey, retries: 0 }).ping());
    expect(error).toMatchObject({ code, status, message: 'told' });
    const plain = [405, 408, 413, 414, 415, 416, 422, 431].includes(status);
    expect(error.constructor === PorticoError).toBe(plain);
    expect(error.name).toBe(error.constructor.name);
    await loopback.close();
  });
});

describe('an answer that is not Portico’s', () => {
  it.each([
    ['HTML with 502', 502, '<html>Bad Gateway</html>', 'UnavailableError'],
    ['nothing with 500', 500, '', 'UnavailableError'],
    ['HTML with 200', 200, '<html>Sign in to the Wi-Fi</html>', 'PorticoError'],
    ['nothing with 200', 200, '', 'PorticoError'],
    ['nothing with 204', 204, '', 'PorticoError'],
    ['half an envelope', 200, '{"code":"2000","data":', 'PorticoError'],
    ['another JSON', 200, '{"ok":true}', 'PorticoError'],
    ['null', 200, 'null', 'PorticoError'],
    ['an error with 200', 200, '{"success":false,"code":"5000","message":"x"}', 'PorticoError'],
    ['another error', 403, '{"error":"forbidden"}', 'ForbiddenError'],
    ['a code that is a number', 404, '{"code":404,"message":"x"}', 'NotFoundError'],
    ['errors that are no list', 400, '{"code":"4000","message":"x","errors":7}', 'InvalidInputError'],
  ])('%s is an error with its status', async (_name, status, body, expected) => {
    const loopback = await openLoopback(answer(status, body));
    const error = await errorOf(new Portico({ baseUrl: loopback.url, ...someKey, retries: 0 }).ping());
    expect(error).toMatchObject({ name: expected, status, fields: [] });
    if (status < 300) expect([error.code, error.problem]).toEqual([undefined, undefined]);
    expect(error.message).not.toContain('html');
    await loopback.close();
  });

  it('a redirect is not followed, as it would carry the signature along', async () => {
    const elsewhere = await openLoopback(answer(200, ''));
    const loopback = await openLoopback(answer(307, '', { location: `${elsewhere.url}/api/v1/ping` }));
    const error = await errorOf(new Portico({ baseUrl: loopback.url, ...someKey }).ping());
    expect(error).toMatchObject({ status: 307, message: expect.stringContaining('baseUrl') });
    expect(elsewhere.requests).toEqual([]);
    await Promise.all([elsewhere.close(), loopback.close()]);
  });
});
