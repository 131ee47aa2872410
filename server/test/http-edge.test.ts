import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../src/contract/catalogue.ts';
import { expectError, expectSuccess } from './expect-answer.ts';
import { chunked, exchange, listen, openConnection, requestBytes } from './raw-http.ts';
import { openWorld, signIn, type World } from './world.ts';

let world: World;
let port: number;
let token: string;
beforeAll(async () => {
  world = await openWorld();
  port = await listen(world);
  token = await signIn(world);
});
afterAll(() => world.close());

const host = 'Host: portico.test\r\n';
const good = `GET /web/v1/auth/config HTTP/1.1\r\n${host}\r\n`;
const keysPath = (workspace: string) => `/web/v1/workspaces/${workspace}/api-keys`;
const authorised = () => [['Authorization', `Bearer ${token}`]] as const;
const json = ['Content-Type', 'application/json'] as const;

describe('bytes that are not HTTP get the envelope', () => {
  const tlsHello = Buffer.from('16030100c8010000c40303000102030405060708090a0b0c0d0e0f', 'hex');
  const cases: [name: string, bytes: string | Buffer][] = [
    ['a line of nonsense', 'hello there\r\n\r\n'],
    ['an empty method', ` /healthz HTTP/1.1\r\n${host}\r\n`],
    ['no target', `GET HTTP/1.1\r\n${host}\r\n`],
    ['a version that does not exist', `GET /healthz HTTP/7.3\r\n${host}\r\n`],
    ['another protocol', `GET /healthz FTP/1.1\r\n${host}\r\n`],
    ['a method nobody knows', `BREW /healthz HTTP/1.1\r\n${host}\r\n`],
    ['a method in lower case', `get /healthz HTTP/1.1\r\n${host}\r\n`],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS hello', tlsHello],
    ['NUL in the target', `GET /health\0z HTTP/1.1\r\n${host}\r\n`],
    ['NUL in a header', `GET /healthz HTTP/1.1\r\n${host}X-A: b\0c\r\n\r\n`],
    ['a header without a colon', `GET /healthz HTTP/1.1\r\n${host}nonsense\r\n\r\n`],
    ['a space before the colon', `GET /healthz HTTP/1.1\r\n${host}X-A : b\r\n\r\n`],
    ['a header that is folded', `GET /healthz HTTP/1.1\r\n${host}Transfer-Encoding:\r\n chunked, x\r\n\r\n`],
    ['CR without LF', `GET /healthz HTTP/1.1\r\n${host}X-A: b\rX-C: d\r\n\r\n`],
    ['no Host in HTTP/1.1', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['two Hosts', `GET /healthz HTTP/1.1\r\n${host}Host: other.test\r\n\r\n`],
    ['a Content-Length of letters', `POST /web/v1/auth/login HTTP/1.1\r\n${host}Content-Length: abc\r\n\r\n`],
    ['a negative Content-Length', `POST /web/v1/auth/login HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`],
    ['an endless Content-Length', `POST / HTTP/1.1\r\n${host}Content-Length: ${'9'.repeat(40)}\r\n\r\n`],
    ['two Content-Lengths', `POST / HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    [
      'Content-Length with Transfer-Encoding',
      `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a transfer coding nobody knows', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: xyz\r\n\r\n`],
    [
      'a chunk size of letters',
      `POST /web/v1/auth/refresh HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`,
    ],
  ];
  it.each(cases)('%s is 4000', async (_name, bytes) => {
    expectError(await exchange(port, bytes), '4000');
  });

  it('closes the connection after them, and lets go of a client that does not', async () => {
    const connection = openConnection(port);
    connection.send('nonsense\r\n\r\n');
    const [answer] = await connection.ended();
    expect(answer?.headers['connection']).toEqual(['close']);
    await expect.poll(() => connectionCount()).toBe(0);
    connection.close();
  });

  it('lets no header hide behind a bare LF', async () => {
    const answer = await exchange(
      port,
      `GET /web/v1/errors HTTP/1.1\n${host}X-A: b\nAuthorization: Bearer ${token}\n\n`,
    );
    if (answer.status === 400) expectError(answer, '4000');
    else expectSuccess(answer);
  });
});

async function connectionCount(): Promise<number> {
  return new Promise((resolve, reject) =>
    world.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

describe('an answer reaches a client that reads only after it has sent everything', () => {
  it.each([
    ['a header of 4 MB', Buffer.from(`GET / HTTP/1.1\r\n${host}X-Big: ${'x'.repeat(4_000_000)}`), '4310'],
    ['nonsense without end', Buffer.alloc(4_000_000, 'nonsense '), '4000'],
    ['CONNECT and 4 MB', Buffer.from(`CONNECT a:1 HTTP/1.1\r\n${host}\r\n${'x'.repeat(4_000_000)}`), '4050'],
    [
      'a body of 8 MB',
      requestBytes({ target: '/web/v1/auth/refresh', headers: [json], body: Buffer.alloc(8_000_000, ' ') }),
      '4130',
    ],
    [
      'a body of 8 MB nobody may send',
      requestBytes({ target: '/web/v1/auth/logout', headers: [json], body: Buffer.alloc(8_000_000, ' ') }),
      '4010',
    ],
  ] as [string, Buffer, ErrorCode][])('%s', async (_name, bytes, code) => {
    const connection = openConnection(port);
    connection.socket.pause();
    // A reset would fail the write and take the answer away unread.
    await new Promise<void>((resolve, reject) =>
      connection.socket.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
    connection.socket.resume();
    const [answer] = await connection.answers();
    connection.close();
    expectError(answer as NonNullable<typeof answer>, code);
  });

  it('survives a client that resets the connection at every such moment', async () => {
    const starts = ['CONNECT a:1 HTTP/1.1\r\n\r\n', 'nonsense\r\n\r\n', good, `POST / HTTP/1.1\r\n${host}`];
    for (const start of [...starts, ...starts]) {
      const connection = openConnection(port);
      connection.send(start);
      await new Promise((resolve) => setTimeout(resolve, 5));
      connection.socket.resetAndDestroy();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expectSuccess(await exchange(port, good));
  });
});

describe('methods', () => {
  it.each([
    ['CONNECT', `CONNECT portico.test:443 HTTP/1.1\r\n${host}\r\n`, '4050'],
    ['OPTIONS of everything', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, '4041'],
    ['OPTIONS of an endpoint', `OPTIONS /web/v1/errors HTTP/1.1\r\n${host}\r\n`, '4050'],
    ['TRACE', `TRACE /web/v1/errors HTTP/1.1\r\n${host}\r\n`, '4050'],
    ['PROPFIND', `PROPFIND /web/v1/errors HTTP/1.1\r\n${host}\r\n`, '4050'],
    ['QUERY', `QUERY /web/v1/errors HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\n{}`, '4050'],
    ['DELETE', `DELETE /web/v1/auth/login HTTP/1.1\r\n${host}\r\n`, '4050'],
    ['GET where there is POST', `GET /web/v1/files/query/list HTTP/1.1\r\n${host}\r\n`, '4050'],
    ['POST where there is GET', `POST /api/v1/ping HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`, '4050'],
    ['M-SEARCH of no endpoint', `M-SEARCH /nothing HTTP/1.1\r\n${host}\r\n`, '4041'],
  ] as [string, string, ErrorCode][])('%s is told in the envelope', async (_name, bytes, code) => {
    const answer = await exchange(port, bytes);
    expectError(answer, code);
    if (code === '4050') expect(answer.headers['allow']).toHaveLength(1);
  });

  it.each([
    ['/web/v1/errors', 'GET, HEAD'],
    ['/web/v1/errors?page=1', 'GET, HEAD'],
    ['/web/v1/error%73', 'GET, HEAD'],
    ['/api/v1/transfers', 'GET, HEAD, POST'],
    ['/web/v1/auth/login', 'POST'],
  ])('Allow of %s lists what it takes', async (target, allow) => {
    const answer = await exchange(port, requestBytes({ method: 'DELETE', target }));
    expectError(answer, '4050');
    expect(answer.headers['allow']).toEqual([allow]);
  });

  it('HEAD is GET without the body, for errors too', async () => {
    const get = await exchange(port, requestBytes({ target: '/web/v1/errors' }));
    const head = await exchange(port, requestBytes({ method: 'HEAD', target: '/web/v1/errors' }), {
      toHead: true,
    });
    expect(head.status).toBe(401);
    expect(head.headers['content-type']).toEqual(get.headers['content-type']);
    expect(head.headers['x-request-id']).toHaveLength(1);
    const probe = await exchange(port, requestBytes({ method: 'HEAD', target: '/healthz' }), {
      toHead: true,
    });
    expect(probe.status).toBe(200);
  });
});

describe('expectations and upgrades', () => {
  it('an expectation nobody knows changes nothing', async () => {
    expectSuccess(
      await exchange(port, `GET /web/v1/auth/config HTTP/1.1\r\n${host}Expect: nonsense\r\n\r\n`),
    );
  });

  it('100-continue is answered before the body is sent', async () => {
    const connection = openConnection(port);
    connection.send(
      `POST /web/v1/auth/refresh HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`,
    );
    const [first] = await connection.answers(1);
    expect(first?.status).toBe(100);
    connection.send('{}');
    const [, second] = await connection.answers(2);
    connection.close();
    expectError(second as NonNullable<typeof second>, '4010');
  });

  it.each(['websocket', 'h2c'])('an upgrade to %s is not taken up', async (protocol) => {
    expectSuccess(
      await exchange(
        port,
        `GET /web/v1/auth/config HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`,
      ),
    );
  });
});

describe('the connection', () => {
  it.each([
    ['no route', `GET /nothing HTTP/1.1\r\n${host}\r\n`, '4041'],
    ['no token', `GET /web/v1/errors HTTP/1.1\r\n${host}\r\n`, '4010'],
    [
      'malformed JSON',
      `POST /web/v1/auth/refresh HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{`,
      '4002',
    ],
    [
      'a media type',
      `POST /web/v1/auth/refresh HTTP/1.1\r\n${host}Content-Type: text/plain\r\nContent-Length: 1\r\n\r\n{`,
      '4150',
    ],
    ['a bad path', `GET /web/v1/workspaces/%ff/api-keys HTTP/1.1\r\n${host}\r\n`, '4000'],
    ['a long target', `GET /web/${'x'.repeat(9000)} HTTP/1.1\r\n${host}\r\n`, '4140'],
  ] as [string, string, ErrorCode][])('stays usable after %s', async (_name, bytes, code) => {
    const connection = openConnection(port);
    connection.send(bytes);
    await connection.answers(1);
    connection.send(good);
    const [first, second] = await connection.answers(2);
    connection.close();
    expectError(first as NonNullable<typeof first>, code);
    expectSuccess(second as NonNullable<typeof second>);
  });

  it('answers pipelined requests in their order', async () => {
    const connection = openConnection(port);
    const list = requestBytes({
      target: '/web/v1/files/query/list',
      headers: [...authorised(), json, ['X-Turnstile-Token', 'XXXX.DUMMY.TOKEN.XXXX']],
      body: '{"institutionBizId":"INST_DEMO"}',
    });
    connection.send(Buffer.concat([list, Buffer.from(`GET /nothing HTTP/1.1\r\n${host}\r\n${good}`)]));
    const answers = await connection.answers(3);
    connection.close();
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
  });

  it('answers what was asked before nonsense first', async () => {
    const connection = openConnection(port);
    connection.send(`${good}GET /nothing HTTP/1.1\r\n${host}\r\nnonsense\r\n\r\n`);
    const answers = await connection.ended();
    connection.close();
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400]);
  });

  it('tells an answered request nothing more when its body turns out to be nonsense', async () => {
    const connection = openConnection(port);
    connection.send(`POST /web/v1/auth/logout HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`);
    await connection.answers(1);
    connection.send('zz\r\n');
    const answers = await connection.ended();
    connection.close();
    expect(answers.map(({ status }) => status)).toEqual([401]);
  });

  it.each([
    ['Content-Length', `Content-Length: 100\r\n\r\n{"refreshToken":`],
    ['chunks', `Transfer-Encoding: chunked\r\n\r\n${chunked('{').slice(0, -5)}`],
  ])('a body with %s that is cut off is 4000', async (_name, rest) => {
    const start = `POST /web/v1/auth/refresh HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
    expectError(await exchange(port, `${start}${rest}`, { halfClose: true }), '4000');
  });
});

describe('paths', () => {
  it.each([
    '/nothing',
    '//web/v1/errors',
    '/web//v1/errors',
    '/web/v1/errors/',
    '/web/v1/./errors',
    '/web/v1/auth/../errors',
    '/WEB/v1/errors',
    '/web/v1/Errors',
    '/web/v1/errors%2f',
    '/web/v1/errors;x=1',
    '/web/v1/workspaces/a/b/api-keys',
    '/web/v2/errors',
    '*',
    '*web/v1/errors',
  ])('%s is no endpoint', async (target) => {
    expectError(await exchange(port, requestBytes({ target, headers: authorised() })), '4041');
  });

  it.each(['%', '%z', '%ff', '%c0%80', '%ed%a0%80'])(
    'percent-encoding %s that is not UTF-8 is 4000',
    async (text) => {
      const post = { target: keysPath(text), headers: [...authorised(), json], body: '{"name":"n"}' };
      expectError(await exchange(port, requestBytes(post)), '4000');
    },
  );

  it('NUL in a path parameter is 4000', async () => {
    const post = { target: keysPath('WS%00DEMO'), headers: [...authorised(), json], body: '{"name":"n"}' };
    expectError(await exchange(port, requestBytes(post)), '4000');
  });

  it('a workspace of 5000 characters answers like any that does not exist', async () => {
    const ask = (workspace: string) =>
      exchange(
        port,
        requestBytes({
          target: keysPath(workspace),
          headers: [...authorised(), json],
          body: '{"name":"n"}',
        }),
      );
    const [long, unknown, foreign] = await Promise.all([ask('x'.repeat(5000)), ask('WS_X'), ask('WS_OTHER')]);
    expectError(long, '4030');
    expect([unknown.text, foreign.text]).toEqual([long.text, long.text]);
  });

  it('a target in absolute form is the same target, and as little cached', async () => {
    const answer = await exchange(
      port,
      requestBytes({ target: 'http://portico.test/web/v1/auth/config', headers: [] }),
    );
    expectSuccess(answer);
    expect(answer.headers['cache-control']).toEqual(['no-store']);
  });
});
