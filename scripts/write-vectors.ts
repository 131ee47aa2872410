import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { secretChecksum } from '../server/src/auth/secrets/key-material.ts';
import { canonicalQuery, scheme, sign, stringToSign } from '../server/src/auth/signed/signature.ts';

const test = {
  apiKeyId: 'ak_test_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E',
  secret: 'sk_test_4eC39HqLyjWDarjtT1zdp7dcQ2mVn8XsKb5RfGhZ0aA1tTM6K',
};
/** Made up, as a reader can see; the checksums are right. */
const example = (kind: string, id: string, digits: string) => ({
  apiKeyId: `ak_${kind}_${id}`,
  secret: `sk_${kind}_${digits}${secretChecksum(`sk_${kind}_${digits}`)}`,
});
const live = example('live', '01JGFZ3Q7W00000000000000VE', 'ThisIsNoRealSecretOnlyAnExampleForAVector00');
const other = example('test', '01JGFZ3Q7W00000000000000T2', '0123456789ThisIsTheSecondExampleSecret01234');

type Given = {
  method?: string;
  path?: string;
  query?: string;
  body?: string;
  bodyBase64?: string;
  /** The hash of the body is stated too. */
  states?: true;
  timestamp?: string;
  nonce?: string;
  key?: typeof test;
};

const binary = Buffer.from(Array.from({ length: 256 }, (_none, byte) => byte)).toString('base64');
const long = Array.from({ length: 120 }, (_none, index) => `filter${(index * 37) % 120}=value+${index}`);

const cases: Record<string, Given> = {
  'the worked example of the guide': { query: 'sort=status,desc&page=0&size=20&sort=amount,asc' },
  'no query': {},
  'names are sorted': { query: 'size=20&page=0&currency=USD' },
  'a repeated name keeps its order, against the order of its values': { query: 'sort=b,asc&sort=a,asc' },
  'a repeated name keeps its order around other names': { query: 'a=3&b=0&a=1&B=9&a=2' },
  'a plus is a space': { query: 'reference=Invoice+2025' },
  '%20 is a space': { query: 'reference=Invoice%202025' },
  '%2B is a plus': { query: 'createdFrom=2025-01-01T00:00:00%2B02:00' },
  'plus, %20 and %2B together': { query: 'q=a+b%20c%2Bd' },
  'a plus in a name': { query: 'b+c=1&b=2' },
  'UTF-8 encoded in upper-case hex': { query: 'reference=Z%C3%BCrich' },
  'UTF-8 encoded in lower-case hex': { query: 'reference=Z%c3%bcrich' },
  'UTF-8 sent raw': { query: 'reference=Zürich' },
  'UTF-8 of three and four bytes, raw and encoded': { query: 'q=送金%F0%9F%92%B8€' },
  'bytes that are not UTF-8': { query: 'q=%FF%fe%80' },
  'a NUL byte and line breaks stay encoded': { query: 'q=%00%0D%0a' },
  'empty values': { query: 'status=&currency=' },
  'bare names get an equals sign': { query: 'status&currency' },
  'an empty name': { query: '=1&=&a=2' },
  'empty pieces are dropped': { query: '&&page=1&&size=5&' },
  'only empty pieces are no query': { query: '&&&' },
  'an equals sign inside a value': { query: 'q=a=b==c' },
  'an encoded equals sign and ampersand': { query: 'a%3Db=c%26d' },
  'an invalid percent stands for itself': { query: 'q=%&r=%4&s=%zz&t=100%' },
  'a percent before an encoded byte': { query: 'q=%%41&r=%2541' },
  'a letter that need not be encoded is decoded': { query: '%73ort=%61mount%2Cas%63' },
  'unreserved characters stay': { query: 'q=AZaz09-._~' },
  'reserved characters are encoded': { query: "q=!$'()*,;:@/?[]" },
  'slashes in a query, raw and encoded': { query: 'q=a/b%2Fc%2fd' },
  'a question mark and a hash sign in a value': { query: 'q=what?%23' },
  'upper case sorts before underscore, underscore before lower case': { query: 'b=1&_=2&B=3&a=4&A=5&0=6' },
  'names sort by their encoded bytes': { query: 'z=1&%C3%A9=2&-=3&~=4&a=5&%21=6' },
  'a name sorts before a longer one that begins with it': { query: 'ab=1&a-=2&a=3&a%20=4' },
  'a long query': { query: long.join('&') },
  'an encoded slash in the path stays as it was sent': { path: '/api/v1/transfers/a%2Fb' },
  'the path is not decoded, not even in lower-case hex': { path: '/api/v1/files/%e2%82%ac%41+x' },
  'another endpoint': { path: '/api/v1/whoami' },
  'an empty body is hashed too': { method: 'POST', body: '' },
  'a JSON body': { method: 'POST', body: '{"amount":"12.50","currency":"USD"}' },
  'a JSON body with spaces is hashed as it was sent': {
    method: 'POST',
    body: '{ "amount": "12.50",\n  "currency": "USD" }\n',
  },
  'a body in UTF-8': { method: 'POST', body: '{"reference":"Zürich 送金 💸"}' },
  'a body with quotes and backslashes': { method: 'PUT', body: '{"path":"C:\\\\new","say":"\\"hi\\""}' },
  'a binary body': { method: 'PUT', bodyBase64: binary },
  'a body and a query': { method: 'PATCH', query: 'b=2&a=1', body: '{}' },
  'GET with a body': { body: '{"a":1}' },
  HEAD: { method: 'HEAD', query: 'size=1' },
  DELETE: { method: 'DELETE', path: '/api/v1/transfers/TRF_1' },
  'the hash of a body is stated, and the string to sign is the same': {
    method: 'POST',
    body: '{"amount":"12.50","currency":"USD"}',
    states: true,
  },
  'the hash of a file is stated': {
    method: 'POST',
    path: '/api/v1/files',
    query: 'filename=Z%C3%BCrich.bin&fileCategory=8',
    bodyBase64: binary,
    states: true,
  },
  'the hash of an empty file is stated': {
    method: 'POST',
    path: '/api/v1/files',
    query: 'fileCategory=99&filename=empty+file.txt',
    states: true,
  },
  'the hash of a body of GET is stated': { body: '{"a":1}', states: true },
  'a timestamp of the year 2001': { timestamp: '999999999' },
  'a timestamp of the year 2286': { timestamp: '9999999999' },
  'a timestamp with leading zeros is signed as it was sent': { timestamp: '0001767225600' },
  'a nonce in upper case is signed as it was sent': { nonce: 'A0B1C2D3-E4F5-4A6B-8C7D-9E8F7A6B5C4D' },
  'a LIVE key': { key: live, query: 'page=0&size=100' },
  'a LIVE key with a body': { key: live, method: 'POST', body: '{"amount":"1.00"}' },
  'another TEST key': { key: other, query: 'sort=createdAt,desc&size=5' },
};

const vectors = Object.entries(cases).map(([name, given]) => {
  const { apiKeyId, secret } = given.key ?? test;
  const body =
    given.bodyBase64 === undefined ? Buffer.from(given.body ?? '') : Buffer.from(given.bodyBase64, 'base64');
  const statedHash = given.states && createHash('sha256').update(body).digest('hex');
  const request = {
    method: given.method ?? 'GET',
    path: given.path ?? '/api/v1/transfers',
    query: given.query ?? '',
    ...(given.bodyBase64 === undefined ? { body: given.body ?? '' } : { bodyBase64: given.bodyBase64 }),
    ...(statedHash === undefined ? {} : { contentSha256: statedHash }),
    timestamp: given.timestamp ?? '1767225600',
    nonce: given.nonce ?? '6f1c1f2e-3b0a-4d0e-9a53-0c5a1f7d2b11',
    apiKeyId,
  };
  const query = Buffer.from(request.query).toString('latin1'); // as a server sees it: one character a byte
  const text = stringToSign({ ...request, query, body, statedHash });
  const [canonical, signature] = [canonicalQuery(query), sign(secret, text)];
  return { name, secret, request, canonicalQuery: canonical, stringToSign: text, signature };
});

const file = new URL('../docs/signing-vectors.json', import.meta.url);
writeFileSync(file, `${JSON.stringify({ scheme, vectors }, null, 2)}\n`);
