import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newKeyId, newSecret, secretChecksum } from '../src/auth/secrets/key-material.ts';
import { canonicalQuery, sign, signatureMatches, stringToSign } from '../src/auth/signed/signature.ts';

const parts = {
  method: 'GET',
  path: '/api/v1/transfers',
  query: 'sort=status,desc&page=0&size=20&sort=amount,asc',
  timestamp: '1767225600',
  nonce: '6f1c1f2e-3b0a-4d0e-9a53-0c5a1f7d2b11',
  apiKeyId: 'ak_test_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E',
  body: Buffer.alloc(0),
};
const secret = 'sk_test_4eC39HqLyjWDarjtT1zdp7dcQ2mVn8XsKb5RfGhZ0aA1tTM6K';

describe('the signature', () => {
  it('of the published vector is the published one', () => {
    expect(sign(secret, stringToSign(parts))).toBe(
      '17cf555ddf2b8d81575856e2b258dde8fc590c8d8683eb9feb8d5a36862ace10',
    );
  });

  it('is over eight lines joined by LF, without one at the end', () => {
    const emptyHash = createHash('sha256').digest('hex');
    expect(stringToSign(parts).split('\n')).toEqual([
      'PORTICO1-HMAC-SHA256',
      'GET',
      '/api/v1/transfers',
      'page=0&size=20&sort=status%2Cdesc&sort=amount%2Casc',
      '1767225600',
      parts.nonce,
      parts.apiKeyId,
      emptyHash,
    ]);
  });

  it('is compared exactly: another case, length, encoding or text does not match', () => {
    const text = stringToSign(parts);
    const good = sign(secret, text);
    const base64 = createHmac('sha256', secret).update(text).digest('base64');
    expect(signatureMatches(secret, text, good)).toBe(true);
    for (const wrong of [
      '',
      good.toUpperCase(),
      good.slice(0, -1),
      `${good}0`,
      `${good}\n`,
      base64,
      '0'.repeat(64),
      'é'.repeat(64),
    ]) {
      expect([wrong, signatureMatches(secret, text, wrong)]).toEqual([wrong, false]);
    }
  });
});

describe('the canonical query', () => {
  const cases: [string, string][] = [
    ['', ''],
    ['b=2&a=1', 'a=1&b=2'],
    ['a=2&a=1&b=0&a=3', 'a=2&a=1&a=3&b=0'],
    ['&&a=1&&', 'a=1'],
    ['a', 'a='],
    ['=', '='],
    ['a=b=c', 'a=b%3Dc'],
    ['a=b+c', 'a=b%20c'],
    ['a=b%2Bc', 'a=b%2Bc'],
    ['a=%e2%82%ac', 'a=%E2%82%AC'],
    ['%61=1', 'a=1'],
    ['a=%', 'a=%25'],
    ['a=%4', 'a=%254'],
    ['a=%zz', 'a=%25zz'],
    ['a=%FF', 'a=%FF'],
    ['a=~-._', 'a=~-._'],
    ["a=!'()*", 'a=%21%27%28%29%2A'],
    ['a=%2F/', 'a=%2F%2F'],
    ['A=1&a=2&_=3', 'A=1&_=3&a=2'],
    ['é=1', '%E9=1'],
  ];

  it('decodes, encodes again and sorts by name alone', () => {
    for (const [query, canonical] of cases)
      expect([query, canonicalQuery(query)]).toEqual([query, canonical]);
  });

  it('of a canonical query is itself', () => {
    for (const [, canonical] of cases) expect(canonicalQuery(canonical)).toBe(canonical);
  });
});

describe('key material', () => {
  it('has the checksum of the published secret', () => {
    expect(secretChecksum(secret.slice(0, -6))).toBe(secret.slice(-6));
  });

  it('is never the same twice, and ids of later keys sort after earlier ones', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newSecret('live'))).size).toBe(1000);
    expect(newKeyId('live', 1_700_000_000_001) > newKeyId('live', 1_700_000_000_000)).toBe(true);
  });
});
