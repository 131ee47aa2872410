import { type ClientRequest, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSession } from './database.ts';
import { listen } from './raw-http.ts';
import { openWorld, shippedTimes, signIn, type World } from './world.ts';

const path = '/web/v1/workspaces/WS_DEMO/transfers?sort=status,asc&sort=amount,desc&page=3';
/** Longer than the service waits before it refuses who asks on and on. */
const heldBackMs = 1600;

let world: World;
let token: string;
let locker: pg.Client;
let port: number;
let arrived = 0;
let endedForNobody = 0;
beforeAll(async () => {
  world = await openWorld({ env: shippedTimes });
  token = await signIn(world);
  locker = await openSession(world.database);
  world.app.server.prependListener('request', (_request, response: ServerResponse) => {
    arrived += 1;
    const end = response.end.bind(response);
    response.end = ((...given: Parameters<typeof end>) => {
      if (response.destroyed) endedForNobody += 1;
      return end(...given);
    }) as typeof response.end; // declared once for each way to call it
  });
  port = await listen(world);
});
afterAll(async () => {
  await locker.end();
  await world.close();
});

const open = (count: number): ClientRequest[] =>
  Array.from({ length: count }, () =>
    request({ port, path, agent: false, headers: { authorization: `Bearer ${token}` } })
      .on('error', () => {})
      .end(),
  );

async function leaveAll(count: number, pauseMs: number): Promise<void> {
  arrived = 0;
  const clients = open(count);
  await expect.poll(() => arrived, { interval: 1 }).toBe(count);
  await sleep(pauseMs);
  for (const client of clients) client.destroy();
}

const lines = () =>
  world
    .logs()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"') && line.includes('/transfers"'))
    .map((line) => JSON.parse(line) as { status: number; code?: string });

it('clients who leave together are answered nothing, wherever they waited, and the log tells that they broke off', async () => {
  await locker.query('begin; lock table transfers in access exclusive mode');
  await leaveAll(150, 0); // most wait to be let in
  await leaveAll(150, 300); // some are in the database, some wait for it, and most to be refused
  await expect.poll(() => lines().length).toBe(300);
  await sleep(heldBackMs);
  await locker.query('rollback');
  expect(endedForNobody).toBe(0);
  const codes = lines().map(({ code, status }) => `${status} ${code}`);
  // Some were refused before they left: beyond their share, or on a machine that is busy with others.
  const refused = ['429 4290', '503 5030'];
  expect(new Set([...codes, ...refused])).toEqual(new Set(['400 4000', ...refused]));
});
