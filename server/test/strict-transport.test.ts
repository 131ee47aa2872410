import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from './database.ts';
import { exchange, listen, requestBytes } from './raw-http.ts';
import { openWorld, type World } from './world.ts';

let database: TestDatabase;
const worlds: World[] = [];
afterAll(async () => {
  for (const world of worlds) await world.close();
  await database.drop();
});

async function portOf(publicUrl: string): Promise<number> {
  const world = await openWorld({ database, env: { PORTICO_PUBLIC_URL: publicUrl } });
  worlds.push(world);
  return listen(world);
}

let ports: { https: number; http: number };
beforeAll(async () => {
  database = await createDatabase();
  ports = { https: await portOf('https://portal.example'), http: await portOf('http://portal.example') };
});

/** Given by routes, by hooks before them, by the router, by the parser, and on the bare socket. */
const requests: [string, number, string | Buffer][] = [
  ['a page', 200, requestBytes({ method: 'GET', target: '/' })],
  ['an answer', 200, requestBytes({ method: 'GET', target: '/web/v1/auth/config' })],
  ['a refusal', 401, requestBytes({ method: 'GET', target: '/web/v1/auth/me' })],
  ['a probe', 200, requestBytes({ method: 'GET', target: '/healthz' })],
  ['no route', 404, requestBytes({ method: 'GET', target: '/none' })],
  ['a path that is none', 400, requestBytes({ method: 'GET', target: '/%ff' })],
  ['a method of another protocol', 400, 'DESCRIBE / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['what is no HTTP', 400, 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n'],
  ['CONNECT', 405, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
];

describe('Strict-Transport-Security', () => {
  it.each(requests)('stands once on %s under https, for this host alone', async (_what, status, bytes) => {
    const answer = await exchange(ports.https, bytes);
    expect([answer.status, answer.headers['strict-transport-security']]).toEqual([
      status,
      ['max-age=31536000'],
    ]);
  });

  it.each(requests)('stands not on %s under http', async (_what, status, bytes) => {
    const answer = await exchange(ports.http, bytes);
    expect([answer.status, answer.headers['strict-transport-security']]).toEqual([status, undefined]);
  });
});
