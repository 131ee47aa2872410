import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen } from './raw-http.ts';
import { openWorld, type World } from './world.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

let world: World;
let port: number;
beforeAll(async () => {
  world = await openWorld();
  port = await listen(world);
});
afterAll(() => world.close());

/** On a connection of its own. */
const ask = () =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/nothing', agent: false }, (answer) =>
      answer.resume().once('close', resolve),
    ).once('error', reject);
  });

const connections = 400;
const bytesEach = 10_000;

/** How many of the connections are still there after short collections alone. What these free is given back by another thread. */
async function leftOf(): Promise<number> {
  collect();
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < connections; count += 1) await ask();
  for (let count = 0; count < 3; count += 1) {
    collect({ type: 'minor' });
    await sleep(50);
  }
  return (process.memoryUsage().arrayBuffers - before) / bytesEach;
}

it('a connection that has ended is gone by the next short collections, with its request', async () => {
  world.app.server.on('connection', (socket) => Object.assign(socket, { load: new ArrayBuffer(bytesEach) }));
  // Something old and dead that leads to one connection keeps it and what it leads to, by chance; what the service keeps, it keeps nearly every time.
  const left = [await leftOf(), await leftOf(), await leftOf(), await leftOf(), await leftOf()];
  expect(left.sort((a, b) => a - b)[2]).toBeLessThan(connections / 4);
});
