import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { expectError, expectSuccess } from './expect-answer.ts';
import { chunked, exchange, listen, requestBytes } from './raw-http.ts';
import { dummyTurnstile, openWorld, signIn, type World } from './world.ts';

let world: World;
let port: number;
let token: string;
beforeAll(async () => {
  world = await openWorld();
  port = await listen(world);
  token = await signIn(world);
});
afterAll(() => world.close());

const known = () =>
  [
    ['Authorization', `Bearer ${token}`],
    ['X-Turnstile-Token', dummyTurnstile],
  ] as const;
const channels = '/web/v1/notification-channel-types/query';
const keys = '/web/v1/workspaces/WS_DEMO/api-keys';
const json = ['Content-Type', 'application/json'] as const;

type Headers = readonly (readonly [string, string])[];
const post = (target: string, body: string | Buffer, headers: Headers = [json]) =>
  exchange(port, requestBytes({ target, headers: [...known(), ...headers], body }));

describe('media types', () => {
  const refused: [name: string, headers: Headers][] = [
    ['none', []],
    ['an empty one', [['Content-Type', '']]],
    ['nonsense', [['Content-Type', 'json']]],
    ['text', [['Content-Type', 'text/plain']]],
    ['a form', [['Content-Type', 'application/x-www-form-urlencoded']]],
    ['a multipart form', [['Content-Type', 'multipart/form-data; boundary=x']]],
    ['one that begins like JSON', [['Content-Type', 'application/jsonx']]],
    ['a kind of JSON', [['Content-Type', 'application/problem+json']]],
    ['JSON in UTF-16', [['Content-Type', 'application/json; charset=utf-16']]],
    ['JSON in Latin-1', [['Content-Type', 'application/json; charset=iso-8859-1']]],
    ['JSON with something else', [['Content-Type', 'application/json, text/plain']]],
    ['JSON said twice', [json, json]],
    ['JSON and text', [json, ['Content-Type', 'text/plain']]],
    ['gzip', [json, ['Content-Encoding', 'gzip']]],
    ['identity and gzip', [json, ['Content-Encoding', 'identity'], ['Content-Encoding', 'gzip']]],
  ];
  it.each(refused)('a body with %s is 4150', async (_name, headers) => {
    expectError(await post(channels, '{}', headers), '4150');
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const start = requestBytes({ method: 'POST', target: channels, headers: known() }).toString('latin1');
    const bytes = `${start.slice(0, -2)}${lines}Transfer-Encoding: chunked\r\n\r\n${chunked('{}')}`;
    expectError(await exchange(port, bytes), '4150');
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ; charset=utf-8',
  ])('%s is taken', async (type) => {
    expectSuccess(await post(channels, '{}', [['Content-Type', type]]));
  });

  it('Content-Encoding identity is taken', async () => {
    expectSuccess(await post(channels, '{}', [json, ['Content-Encoding', 'Identity']]));
  });

  it('a token is judged before the media type, and the media type before the size', async () => {
    const text = [['Content-Type', 'text/plain']] as const;
    expectError(await exchange(port, requestBytes({ target: channels, headers: text, body: '{}' })), '4010');
    expectError(await post(channels, Buffer.alloc(2_000_000, ' '), text), '4150');
  });

  it('a route that does not exist is told before the body is looked at', async () => {
    expectError(await post('/web/v1/nothing', '{', [['Content-Type', 'text/plain']]), '4041');
    expectError(await post('/web/v1/nothing', '{'), '4041');
    expectError(await post('/web/v1/errors', Buffer.alloc(2_000_000, '{')), '4050');
  });
});

describe('a body of zero bytes is {}', () => {
  const posts: [target: string, isSuccess: boolean, code: '4000' | '4010' | undefined][] = [
    [channels, true, undefined],
    ['/web/v1/files/query/list', false, '4000'],
    ['/web/v1/auth/login', false, '4000'],
    ['/web/v1/auth/refresh', false, '4010'],
    ['/web/v1/auth/logout', false, '4000'],
    [keys, false, '4000'],
  ];
  const spellings: [name: string, rest: string][] = [
    ['nothing said', '\r\n'],
    ['Content-Length 0', 'Content-Length: 0\r\n\r\n'],
    ['JSON of length 0', 'Content-Type: application/json\r\nContent-Length: 0\r\n\r\n'],
    ['text of length 0', 'Content-Type: text/plain\r\nContent-Length: 0\r\n\r\n'],
    ['nonsense of length 0', 'Content-Type: nonsense\r\nContent-Length: 0\r\n\r\n'],
    ['no chunks', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['no chunks of JSON', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ];
  it.each(spellings)('with %s', async (_name, rest) => {
    for (const [target, isSuccess, code] of posts) {
      const start = requestBytes({ method: 'POST', target, headers: known() }).toString('latin1');
      const answer = await exchange(port, `${start.slice(0, -2)}${rest}`);
      if (isSuccess) expectSuccess(answer);
      else if (code !== undefined) expectError(answer, code);
    }
  });
});

describe('JSON', () => {
  const text = (before: Buffer | string, after: Buffer | string = '') =>
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from(before), Buffer.from(after), Buffer.from('"}')]);

  const malformed: [name: string, body: string | Buffer][] = [
    ['half an object', '{"name":'],
    ['two objects', '{}{}'],
    ['a comment', '{/* */}'],
    ['single quotes', "{'name':'n'}"],
    ['a trailing comma', '{"name":"n",}'],
    ['NaN', '{"mode":NaN}'],
    ['a raw NUL', '{"name":"a\0b"}'],
    ['a raw line break in a string', '{"name":"a\nb"}'],
    ['NUL after the object', '{}\0'],
    ['a byte order mark', Buffer.from('\ufeff{"name":"n"}')],
    ['UTF-16', Buffer.from('{"name":"n"}', 'utf16le')],
    ['a byte that is not UTF-8', text(Buffer.from([0xff]))],
    ['half a character', text(Buffer.from([0xe2, 0x82]))],
    ['an overlong character', text(Buffer.from([0xc0, 0xaf]))],
    ['a surrogate in UTF-8', text(Buffer.from([0xed, 0xa0, 0x80]))],
    ['an array', '[]'],
    ['a string', '"{}"'],
    ['null', 'null'],
    ['true', 'true'],
    ['a number', '1e30'],
    ['a number that is too large', '1e999'],
    ['spaces', '   '],
    ['arrays 100,000 deep that never end', '['.repeat(100_000)],
    ['arrays 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000)],
  ];
  it.each(malformed)('%s is 4002', async (_name, body) => {
    expectError(await post(keys, body), '4002');
  });

  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const deepObject = '{"a":'.repeat(100_000) + 1 + '}'.repeat(100_000);
  const invalid: [name: string, body: string][] = [
    ['NUL in a string', '{"name":"a\\u0000b"}'],
    ['a high surrogate alone', '{"name":"a\\ud83d"}'],
    ['a low surrogate alone', '{"name":"\\ude00b"}'],
    ['surrogates the wrong way round', '{"name":"\\ude00\\ud83d"}'],
    ['NUL in an array', '{"name":"n","ipWhitelist":["\\u0000"]}'],
    ['null where something is required', '{"name":null}'],
    ['10^30', '{"name":"n","mode":1e30}'],
    ['infinity', '{"name":"n","mode":1e999}'],
    ['a fraction', '{"name":"n","mode":1.5}'],
    ['an array 100,000 deep', `{"name":${deep}}`],
    ['an array 100,000 deep in an array', `{"name":"n","ipWhitelist":${deep}}`],
    ['an object 100,000 deep', `{"name":"n","scopes":${deepObject}}`],
    ['a name in the prototype alone', '{"__proto__":{"name":"n"}}'],
    ['a name in the constructor alone', '{"constructor":{"prototype":{"name":"n"}}}'],
  ];
  it.each(invalid)('%s is 4000', async (_name, body) => {
    expectError(await post(keys, body), '4000');
  });

  it.each([
    ['something deep in a field nobody knows', `{"other":${deep}}`],
    ['fields of the prototype', '{"__proto__":1,"constructor":2,"toString":3,"hasOwnProperty":4}'],
    ['null in every optional field', '{"bizId":null,"typeCode":null,"typeStatus":null,"enabledOnly":null}'],
    ['spaces around', ' \r\n\t{} \r\n'],
  ])('%s changes nothing', async (_name, body) => {
    const answer = await post(channels, body);
    expectSuccess(answer);
    expect(JSON.parse(answer.text).data.totalElements).toBe(13);
  });

  it('of a repeated key the last wins: it is validated, stored and answered', async () => {
    expectError(await post(keys, '{"name":"first","name":""}'), '4000');
    const answer = await post(keys, '{"name":7,"mode":9,"name":"last","mode":2}');
    expectSuccess(answer, 201);
    const { apiKeyId, name, mode } = JSON.parse(answer.text).data;
    expect({ name, mode }).toEqual({ name: 'last', mode: 'TEST' });
    const rows = await world.db.query(sql`select name, mode::text from api_keys where id = ${apiKeyId}`);
    expect(rows).toEqual([{ name: 'last', mode: 'TEST' }]);
  });

  it('lengths count code points, and text is stored as sent', async () => {
    const name = `${'\u{1f469}\u200d\u{1f680}e\u0301'.repeat(25)}\u202e`;
    const answer = await post(keys, JSON.stringify({ name }));
    expectSuccess(answer, 201);
    expect(JSON.parse(answer.text).data.name).toBe(name);
    expectSuccess(await post(keys, JSON.stringify({ name: '\u{1f600}'.repeat(128) })), 201);
    expectError(await post(keys, JSON.stringify({ name: '\u{1f600}'.repeat(129) })), '4000');
  });
});
