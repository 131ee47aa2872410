import { get } from 'node:http';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
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

/** What lives on after as many requests, unless a full collection looks for it. */
async function bytesLeft(requests: number): Promise<number> {
  collect();
  const before = getHeapStatistics().used_heap_size;
  for (let count = 0; count < requests; count += 1) await ask();
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  return getHeapStatistics().used_heap_size - before;
}

it('a connection that has ended is gone by the next short collection, with its request', async () => {
  await bytesLeft(200); // what is made once
  const bytesEach = (await bytesLeft(400)) / 400;
  expect(bytesEach).toBeLessThan(4000);
});
