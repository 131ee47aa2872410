import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyBytesMax } from '../src/contract/body.ts';
import { expectError, expectSuccess } from './expect-answer.ts';
import { type Answer, chunked, exchange, listen, openConnection, requestBytes } from './raw-http.ts';
import { createKey, openWorld, signatureHeaders, type World } from './world.ts';

let world: World;
let port: number;
beforeAll(async () => {
  world = await openWorld();
  port = await listen(world);
});
afterAll(() => world.close());

const host = 'Host: portico.test\r\n';
const configPath = '/web/v1/auth/config';
const refresh = `POST /web/v1/auth/refresh HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('targets', () => {
  it.each([
    ['a path of 9 KB', `/web/${'x'.repeat(9 * 1024)}`],
    ['a query of 9 KB', `${configPath}?q=${'x'.repeat(9 * 1024)}`],
    ['a path parameter of 9 KB', `/web/v1/workspaces/${'x'.repeat(9 * 1024)}/api-keys`],
    ['40 KB, beyond the limit of the parser', `/web/${'x'.repeat(40 * 1024)}`],
  ])('%s is 4140', async (_name, target) => {
    expectError(await exchange(port, requestBytes({ target })), '4140');
    expectError(await exchange(port, requestBytes({ method: 'POST', target })), '4140');
  });

  it('8 KB is taken, one byte more is not', async () => {
    const target = (length: number) => `${configPath}?${'x'.repeat(length - configPath.length - 1)}`;
    expectSuccess(await exchange(port, requestBytes({ target: target(8192) })));
    expectError(await exchange(port, requestBytes({ target: target(8193) })), '4140');
  });

  it('500 parameters are taken, one more is not', async () => {
    const target = (count: number) => `${configPath}?${Array.from({ length: count }, () => 'a=%').join('&')}`;
    expectSuccess(await exchange(port, requestBytes({ target: target(500) })));
    expectError(await exchange(port, requestBytes({ target: target(501) })), '4140');
  });
});

describe('headers', () => {
  const named = (count: number, value: string) =>
    Array.from({ length: count }, (_, index) => [`X-H-${index}`, value] as const);

  it('one of 40 KB is 4310', async () => {
    const headers = [['X-Big', 'x'.repeat(40 * 1024)]] as const;
    expectError(await exchange(port, requestBytes({ target: configPath, headers })), '4310');
  });

  it('40 KB in many is 4310', async () => {
    const headers = named(400, 'x'.repeat(100));
    expectError(await exchange(port, requestBytes({ target: configPath, headers })), '4310');
  });

  it('40 KB that arrive piece by piece are 4310', async () => {
    const connection = openConnection(port);
    connection.send(`GET ${configPath} HTTP/1.1\r\n${host}`);
    for (let piece = 0; piece < 40; piece++) {
      connection.send(`X-${piece}: ${'x'.repeat(1024)}\r\n`);
      await sleep(1);
    }
    const [answer] = await connection.answers();
    connection.close();
    expectError(answer as Answer, '4310');
  });

  it('more than 2000, however small, are 4310, and none is dropped without a word', async () => {
    const small = (count: number) => `GET ${configPath} HTTP/1.1\r\n${host}${'a:\r\n'.repeat(count - 1)}\r\n`;
    expectSuccess(await exchange(port, small(2000)));
    expectError(await exchange(port, small(2001)), '4310');
    expectError(await exchange(port, small(9000)), '4310');
  });
});

describe('bodies', () => {
  const body = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
  const json = [['Content-Type', 'application/json']] as const;
  const sized = (length: number) =>
    requestBytes({ target: '/web/v1/auth/refresh', headers: json, body: body(length) });
  const inChunks = (length: number) =>
    `${refresh}Transfer-Encoding: chunked\r\n\r\n${chunked(...(body(length).match(/.{1,60000}/g) ?? []))}`;

  it.each([
    ['Content-Length', sized],
    ['chunks', inChunks],
  ])('1 MiB with %s is taken, one byte more is 4130', async (_name, bytesOf) => {
    expectError(await exchange(port, bytesOf(bodyBytesMax)), '4010');
    expectError(await exchange(port, bytesOf(bodyBytesMax + 1)), '4130');
  });

  it('a length is refused before the body is sent, and the connection stays usable', async () => {
    const connection = openConnection(port);
    connection.send(`${refresh}Content-Length: ${bodyBytesMax + 1}\r\n\r\n`);
    await connection.answers(1);
    connection.send(`${'x'.repeat(bodyBytesMax + 1)}GET ${configPath} HTTP/1.1\r\n${host}\r\n`);
    const [first, second] = await connection.answers(2);
    connection.close();
    expectError(first as Answer, '4130');
    expectSuccess(second as Answer);
  });

  it.each([bodyBytesMax + 1, 8_000_000])('a signed request with %i bytes is 4130', async (length) => {
    const key = await createKey(world);
    const url = '/api/v1/transfers';
    const headers = Object.entries(signatureHeaders(world, key, { url, body: body(length) }));
    const bytes = requestBytes({ method: 'GET', target: url, headers, body: body(length) });
    expectError(await exchange(port, bytes), '4130');
  });
});

describe('slow requests', () => {
  // Not for the others: a slow machine takes its time over a large body.
  const timeouts = { headersMs: 500, requestMs: 1000 };
  let hurried: World;
  let hurriedPort: number;
  beforeAll(async () => {
    hurried = await openWorld({ timeouts });
    hurriedPort = await listen(hurried);
  });
  afterAll(() => hurried.close());

  const pieces: [name: string, bytes: string][] = [
    ['a request line', 'GET /web'],
    ['headers', `GET ${configPath} HTTP/1.1\r\n${host}X-A: b`],
    ['a body with Content-Length', `${refresh}Content-Length: 20\r\n\r\n{"a":`],
    ['a body in chunks', `${refresh}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n`],
  ];
  it.each(pieces)('%s that never ends is 4080, and the connection ends', async (_name, bytes) => {
    const connection = openConnection(hurriedPort);
    connection.send(bytes);
    const [answer] = await connection.ended();
    connection.close();
    expectError(answer as Answer, '4080');
    expect(answer?.headers['connection']).toEqual(['close']);
  });

  it('one byte now and then buys no time', async () => {
    const connection = openConnection(hurriedPort);
    connection.send(`${refresh}Content-Length: 10000\r\n\r\n`);
    const drip = setInterval(() => connection.send(' '), 50);
    const [answer] = await connection.answers().finally(() => clearInterval(drip));
    connection.close();
    expectError(answer as Answer, '4080');
  });

  it('a request that was answered before its body came is told nothing more', async () => {
    const connection = openConnection(hurriedPort);
    connection.send(`POST /web/v1/auth/logout HTTP/1.1\r\n${host}Content-Length: 20\r\n\r\n`);
    const answers = await connection.ended();
    connection.close();
    expect(answers.map(({ status }) => status)).toEqual([401]);
  });

  it('a connection that asks nothing for a while is not a slow request', async () => {
    const connection = openConnection(hurriedPort);
    const good = `GET ${configPath} HTTP/1.1\r\n${host}\r\n`;
    connection.send(good);
    await connection.answers(1);
    await sleep(2 * timeouts.requestMs);
    connection.send(good);
    const answers = await connection.answers(2);
    connection.close();
    for (const answer of answers) expectSuccess(answer);
  });
});
