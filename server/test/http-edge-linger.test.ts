import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../src/contract/catalogue.ts';
import { expectError } from './expect-answer.ts';
import { type Connection, chunked, listen, openConnection, requestBytes } from './raw-http.ts';
import { createKey, type Key, openWorld, signatureHeaders, type World } from './world.ts';

let world: World;
let port: number;
let key: Key;
beforeAll(async () => {
  world = await openWorld();
  port = await listen(world);
  key = await createKey(world);
});
afterAll(() => world.close());

type Headers = (readonly [string, string])[];
const body = ' '.repeat(8_000_000);
const json = ['Content-Type', 'application/json'] as const;
const close = ['Connection', 'close'] as const;

const sized = (target: string, version: string, headers: Headers, method = 'POST') =>
  requestBytes({ method, target, version, headers: [json, ...headers], body });

function inChunks(target: string, version: string, headers: Headers, method = 'POST'): Buffer {
  const head = requestBytes({
    method,
    target,
    version,
    headers: [json, ...headers, ['Transfer-Encoding', 'chunked']],
  });
  return Buffer.concat([head, Buffer.from(chunked(...(body.match(/.{1,60000}/g) ?? [])))]);
}

/** Sends all of it before it reads anything: a reset would fail the write, or take the answer away unread. */
async function sendThenRead(bytes: Buffer): Promise<Connection> {
  const connection = openConnection(port);
  connection.socket.pause();
  await new Promise<void>((resolve, reject) =>
    connection.socket.write(bytes, (error) => (error ? reject(error) : resolve())),
  );
  connection.socket.resume();
  return connection;
}

const connectionCount = () =>
  new Promise<number>((resolve, reject) =>
    world.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

const portal = '/web/v1/auth/refresh';
const signed = '/api/v1/transfers';
const signature = (): Headers => Object.entries(signatureHeaders(world, key, { url: signed, body }));

describe('an answer reaches a client that goes on sending, also when it is the last of its connection', () => {
  it.each<[string, () => Buffer, ErrorCode]>([
    ['413, Connection: close', () => sized(portal, '1.1', [close]), '4130'],
    ['413, Connection: close, in chunks', () => inChunks(portal, '1.1', [close]), '4130'],
    ['413, HTTP/1.0', () => sized(portal, '1.0', []), '4130'],
    ['413, kept alive, in chunks', () => inChunks(portal, '1.1', []), '4130'],
    ['413, signed, Connection: close', () => sized(signed, '1.1', [...signature(), close], 'GET'), '4130'],
    ['413, signed, in chunks', () => inChunks(signed, '1.1', [...signature(), close], 'GET'), '4130'],
    ['413, signed, HTTP/1.0', () => sized(signed, '1.0', signature(), 'GET'), '4130'],
    ['401, Connection: close', () => sized('/web/v1/auth/logout', '1.1', [close]), '4010'],
    ['404, Connection: close', () => sized('/nothing', '1.1', [close]), '4041'],
    ['405, HTTP/1.0, in chunks', () => inChunks('/web/v1/errors', '1.0', []), '4050'],
    [
      'another protocol',
      () =>
        Buffer.concat([
          Buffer.from(`PLAY / RTSP/1.0\r\nContent-Length: ${body.length}\r\n\r\n`),
          Buffer.from(body),
        ]),
      '4000',
    ],
  ])('%s', async (_name, bytesOf, code) => {
    const connection = await sendThenRead(bytesOf());
    const [answer] = await connection.answers();
    connection.close();
    expectError(answer as NonNullable<typeof answer>, code);
  });
});

describe('a client that was answered is let go', () => {
  const head = (length: number) =>
    `POST ${portal} HTTP/1.1\r\nHost: portico.test\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  it('when it sends nothing more and does not leave either', async () => {
    const connection = openConnection(port);
    connection.send(head(8_000_000));
    const [answer] = await connection.ended();
    expectError(answer as NonNullable<typeof answer>, '4130');
    await expect.poll(connectionCount).toBe(0);
    connection.close();
  });

  it('when it sends without end', async () => {
    const connection = openConnection(port);
    connection.send(head(100_000_000_000));
    const [answer] = await connection.answers();
    expectError(answer as NonNullable<typeof answer>, '4130');
    const piece = Buffer.alloc(1024 * 1024);
    const pour = (error?: Error | null) => {
      if (!error) connection.socket.write(piece, pour);
    };
    pour();
    await expect.poll(connectionCount).toBe(0);
    connection.close();
  });

  it('when it sends a byte now and then', async () => {
    const connection = openConnection(port);
    connection.send(head(8_000_000));
    await connection.answers();
    const drip = setInterval(() => connection.socket.write(' ', () => {}), 200);
    await expect
      .poll(connectionCount)
      .toBe(0)
      .finally(() => clearInterval(drip));
    connection.close();
  });
});
