import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError, expectSuccess } from './expect-answer.ts';
import { exchange, listen, openConnection } from './raw-http.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let port: number;
beforeAll(async () => {
  world = await openWorld();
  port = await listen(world);
});
afterAll(() => world.close());

const host = 'Host: portico.test\r\n';
/** Of RFC 2326, as far as node's parser takes them. */
const rtspMethods = [
  'DESCRIBE',
  'ANNOUNCE',
  'SETUP',
  'PLAY',
  'PAUSE',
  'TEARDOWN',
  'GET_PARAMETER',
  'SET_PARAMETER',
  'REDIRECT',
  'RECORD',
  'FLUSH',
];
const targets = ['/', '/web/v1/errors', '*', 'rtsp://portico.test/stream'];

const ask = (line: string, toHead = false) => exchange(port, `${line}\r\n${host}CSeq: 1\r\n\r\n`, { toHead });
const codeOf = (text: string) => JSON.parse(text).code;

describe('a method', () => {
  it.each(rtspMethods)('%s of RTSP is 4000, ends the connection, and fills no log', async (method) => {
    const before = world.logs().length;
    for (const version of ['RTSP/1.0', 'RTSP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'ICE/1.0']) {
      for (const target of targets) {
        const answer = await ask(`${method} ${target} ${version}`);
        expectError(answer, '4000');
        expect(answer.headers['connection']).toEqual(['close']);
      }
    }
    expect(world.logs().slice(before)).toBe('');
  });

  const others = METHODS.filter((method) => !['GET', 'HEAD', 'CONNECT'].includes(method));
  it.each(others)('%s is told apart from a path that is not there', async (method) => {
    for (const version of ['HTTP/1.1', 'HTTP/1.0']) {
      expectError(await ask(`${method} /web/v1/errors ${version}`), '4050');
      expectError(await ask(`${method} /nothing ${version}`), '4041');
    }
  });

  it.each(METHODS)(
    '%s in another protocol or version is never a 5xx, and is logged as no error',
    async (method) => {
      for (const protocol of ['RTSP/1.0', 'ICE/1.0', 'HTTP/2.0', 'HTTP/0.9', 'SIP/2.0', 'HTTP/1.2']) {
        const answer = await ask(`${method} /web/v1/errors ${protocol}`, method === 'HEAD');
        expect([protocol, answer.status]).toEqual([
          protocol,
          expect.toSatisfy((status) => status >= 400 && status < 500),
        ]);
        if (method !== 'HEAD') expectError(answer, codeOf(answer.text));
      }
      expect(world.logs()).not.toContain('"level":50');
    },
  );
});

it.each(['HTTP/0.9', 'HTTP/2.0', 'RTSP/2.0'])(
  '%s is 4000, also where the endpoint exists',
  async (version) => {
    expectError(await ask(`GET /web/v1/auth/config ${version}`), '4000');
  },
);

it('a request of another protocol waits for the answer of the one before it', async () => {
  const connection = openConnection(port);
  connection.send(`GET /web/v1/auth/config HTTP/1.1\r\n${host}\r\nPLAY / RTSP/1.0\r\n${host}\r\n`);
  const [first, second] = await connection.ended();
  connection.close();
  expectSuccess(first as NonNullable<typeof first>);
  expectError(second as NonNullable<typeof second>, '4000');
});
