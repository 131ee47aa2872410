import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { shareMax } from './event-loop.ts';
import { admitRequests } from './gate.ts';
import { createHttp } from './http.ts';
import { createPeers } from './peer.ts';

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

/** Whose body never comes. */
function openSlow(port: number, from: string) {
  const headers = { 'x-from': from, 'content-type': 'application/json', 'content-length': 9 };
  const slow = request({ port, method: 'POST', headers });
  slow.on('error', () => {}); // those that are left end with the service
  const status = new Promise<number | undefined>((resolve) => {
    slow.once('response', ({ statusCode }) => resolve(statusCode));
  });
  slow.flushHeaders();
  return { slow, status };
}

describe('a service whose places are all taken by requests that do not arrive', () => {
  it('ends the oldest with 408 for whoever comes', async () => {
    const peers = { ...createPeers([]), clientAddress: addressOf };
    const [logger, timeouts] = [pino({ level: 'silent' }), { headersMs: 15_000, requestMs: 600_000 }];
    const app = createHttp({ peers, basePath: '', logger, timeouts });
    const registry = new Registry();
    admitRequests(app, peers, registry, { atOnceMax: 20, atOnceEach: 8 });
    app.get('/', async () => ({}));
    app.post('/', async () => ({}));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo; // it listens on TCP
    const inFlight = async () =>
      (await registry.getSingleMetric('portico_requests_in_flight')?.get())?.values[0]?.value;
    const oldest = openSlow(port, '198.51.100.1');
    await expect.poll(inFlight).toBe(1);
    const others = Array.from({ length: 19 }, (_none, index) => openSlow(port, `198.51.100.${index % 3}`));
    await expect.poll(inFlight).toBe(20);
    const ask = async () => {
      const { statusCode } = await app.inject({ url: '/', headers: { 'x-from': '203.0.113.1' } });
      return statusCode;
    };
    await expect.poll(ask).toBe(200);
    expect(await oldest.status).toBe(408);
    // Each of the others once it had its second.
    await expect.poll(() => Promise.all(Array.from({ length: 5 }, ask))).toEqual([200, 200, 200, 200, 200]);
    for (const { slow } of [oldest, ...others]) slow.destroy();
    await app.close();
  });
});
