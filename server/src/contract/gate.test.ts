import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { shareMax } from './event-loop.ts';
import { admitRequests } from './gate.ts';

const [heavy, light] = ['198.51.100.1', '198.51.100.2'];
const addressOf = ({ headers }: Pick<IncomingMessage, 'headers'>) => String(headers['x-from']);

describe('an address that sends no more, with its line still there', () => {
  it('gets no more at once than before, although for seconds nobody but another has asked', async () => {
    const app = Fastify();
    admitRequests(app, { clientAddress: addressOf }, new Registry());
    let begun = 0;
    app.get('/', async (request) => {
      if (addressOf(request) === heavy) begun += 1;
      await sleep(100);
      return '';
    });
    const ask = (address: string) => app.inject({ url: '/', headers: { 'x-from': address } });
    await Promise.all([ask(heavy), ask(light)]);
    const line = Promise.all(Array.from({ length: 1500 }, () => ask(heavy)));
    const other = setInterval(() => void ask(light), 50);
    await sleep(2500);
    const [before, sinceMs] = [begun, performance.now()];
    await sleep(1000);
    // Each holds its place for 20 ms; a timer may be a millisecond early.
    const most = shareMax * ((performance.now() - sinceMs) / 19 + 1);
    expect(begun - before).toBeGreaterThan(0);
    expect(begun - before).toBeLessThanOrEqual(most);
    clearInterval(other);
    await line;
    await app.close();
  });
});
