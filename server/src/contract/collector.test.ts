import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { shortenPauses } from './collector.ts';

let wanted = false;
const pauses = shortenPauses(() => wanted);
afterEach(() => pauses.end());

/** How often what is new was collected while so much of it was made, a little in each turn. */
async function collectionsDuring(turns: number): Promise<number> {
  let count = 0;
  const observer = new PerformanceObserver((list) => {
    count += list.getEntries().length;
  });
  observer.observe({ entryTypes: ['gc'] });
  for (let each = 0; each < turns; each += 1) {
    Array.from({ length: 4000 }, (_none, index) => ({ index }));
    await turn();
  }
  await sleep(20); // entries are told later
  observer.disconnect();
  return count;
}

it('pauses are more than twice as many while they are wanted short as afterwards', async () => {
  await collectionsDuring(4000); // the room for what is new has grown
  wanted = true;
  await sleep(250);
  const short = await collectionsDuring(2000);
  wanted = false;
  await sleep(250);
  const after = await collectionsDuring(2000);
  expect(short).toBeGreaterThan(after * 2);
});
