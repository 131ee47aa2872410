import { get } from 'node:http';
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

it('a connection that has ended is gone by the next short collection, with its request', async () => {
  world.app.server.on('connection', (socket) => Object.assign(socket, { load: new ArrayBuffer(bytesEach) }));
  collect();
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < connections; count += 1) await ask();
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  const left = (process.memoryUsage().arrayBuffers - before) / bytesEach;
  expect(left).toBeLessThan(connections / 4);
});
