import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import published from '../../docs/signing-vectors.json' with { type: 'json' };
import * as server from '../../server/src/auth/signed/signature.ts';
import { canonicalQuery, sign, signatureHeaders, stringToSign } from '../src/index.ts';
import { someKey } from './service.ts';

const example = {
  method: 'GET',
  path: '/api/v1/transfers',
  query: 'sort=status,desc&page=0&size=20&sort=amount,asc',
  timestamp: 1767225600,
  nonce: '6f1c1f2e-3b0a-4d0e-9a53-0c5a1f7d2b11',
};
const exampleSignature = '17cf555ddf2b8d81575856e2b258dde8fc590c8d8683eb9feb8d5a36862ace10';

/** Texts with many of the characters that mean something in a query. */
const queryText = fc
  .array(
    fc.oneof(
      fc.constantFrom('&', '=', '+', '%', '%20', '%2', '%zz', '%c3%bc', 'a', 'b', 'sort', ',', '~', '?'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => pieces.join(''));

/** What node:http makes of the bytes that a client sends for a text. */
const asReceived = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

describe('signing', () => {
  it('gives the signature of the worked example', async () => {
    const headers = await signatureHeaders(someKey, example);
    expect(headers).toEqual({
      'X-Api-Key': someKey.apiKeyId,
      'X-Signature': exampleSignature,
      'X-Timestamp': '1767225600',
      'X-Nonce': example.nonce,
    });
    const { query, ...rest } = example;
    expect(await signatureHeaders(someKey, { ...rest, path: `${rest.path}?${query}` })).toEqual(headers);
  });

  it('signs with the present time and a fresh nonce unless told otherwise', async () => {
    const request = { method: 'GET', path: '/api/v1/ping' };
    const before = Math.floor(Date.now() / 1000);
    const [one, other] = [await signatureHeaders(someKey, request), await signatureHeaders(someKey, request)];
    expect(one['X-Nonce']).toMatch(/^[0-9a-f-]{36}$/);
    expect(one['X-Nonce']).not.toBe(other['X-Nonce']);
    expect(Number(one['X-Timestamp'])).toBeGreaterThanOrEqual(before);
    expect(Number(one['X-Timestamp'])).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it.each(published.vectors)('agrees with the published vector: $name', async (vector) => {
    const { bodyBase64, ...request } = { bodyBase64: undefined, ...vector.request };
    const parts =
      bodyBase64 === undefined ? request : { ...request, body: Buffer.from(bodyBase64, 'base64') };
    expect(canonicalQuery(request.query)).toBe(vector.canonicalQuery);
    expect(await stringToSign(parts)).toBe(vector.stringToSign);
    expect(await sign(vector.secret, parts)).toBe(vector.signature);
  });

  it('makes the same canonical query as the server', () => {
    const sameAsServer = (query: string) => {
      expect(canonicalQuery(query)).toBe(server.canonicalQuery(asReceived(query)));
    };
    fc.assert(fc.property(queryText, sameAsServer), { numRuns: 2000 });
  });

  it('makes the same signature as the server', async () => {
    const parts = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
      path: fc.webPath().map((path) => `/api/${path}`),
      query: queryText,
      timestamp: fc.nat().map(String),
      nonce: fc.uuid(),
      apiKeyId: fc.stringMatching(/^[\x21-\x7e]{1,64}$/),
      body: fc.uint8Array({ maxLength: 200 }),
    });
    const secrets = fc.string({ unit: 'binary', minLength: 1 });
    const sameAsServer = async (secret: string, given: server.SignedParts) => {
      const text = server.stringToSign({ ...given, query: asReceived(given.query) });
      expect(await stringToSign(given)).toBe(text);
      expect(await sign(secret, given)).toBe(server.sign(secret, text));
    };
    await fc.assert(fc.asyncProperty(secrets, parts, sameAsServer), { numRuns: 300 });
  });

  it('hashes a text as its UTF-8 bytes, and no body as the empty one', async () => {
    const parts = { ...example, apiKeyId: someKey.apiKeyId };
    const [text, bytes] = ['{"name":"Zoë"}', new TextEncoder().encode('{"name":"Zoë"}')];
    expect(await stringToSign({ ...parts, body: text })).toBe(await stringToSign({ ...parts, body: bytes }));
    expect(await stringToSign(parts)).toBe(await stringToSign({ ...parts, body: '' }));
  });
});
