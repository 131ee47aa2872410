import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openWorld, portalCall, signIn, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

const me = (token: string, remoteAddress: string) =>
  world.app.inject({
    url: '/web/v1/auth/me',
    remoteAddress,
    headers: { authorization: `Bearer ${token}` },
  });

async function timed<Value>(work: Promise<Value>): Promise<{ value: Value; ms: number }> {
  const begun = performance.now();
  return { value: await work, ms: performance.now() - begun };
}

describe('who asks on and on', () => {
  it('is answered 429 at once at first, then a second later; who asks once is not held back', async () => {
    world = await openWorld({ env: { PORTICO_LIMIT_PORTAL: '0.01/1' } });
    const [token, other] = [await signIn(world), await signIn(world, 'viewer@demo.test')];
    await Promise.all([me(token, '198.51.100.1'), me(other, '198.51.100.2')]);
    const ask = async () => timed(me(token, '198.51.100.1').then(({ statusCode }) => statusCode));
    const askOn = async () => {
      const all = [];
      for (let count = 0; count < 20; count += 1) all.push(await ask());
      return all;
    };
    const answers = (await Promise.all(Array.from({ length: 8 }, askOn))).flat();
    expect(new Set(answers.map(({ value }) => value))).toEqual(new Set([429]));
    const held = answers.filter(({ ms }) => ms >= 990);
    expect(held.length).toBeGreaterThan(0);
    expect(held.length).toBeLessThanOrEqual(110);
    const polite = await timed(me(other, '198.51.100.2').then(({ statusCode }) => statusCode));
    expect(polite.value).toBe(429);
    expect(polite.ms).toBeLessThan(Math.max(...held.map(({ ms }) => ms)));
  });
});

/** A request whose body never arrives. Resolves with what it is answered. */
function openRequest(port: number, sockets: Socket[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.write(
    'POST /web/v1/auth/refresh HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
  );
  return new Promise((resolve, reject) => {
    socket.once('data', (data) => resolve(String(data))).once('error', reject);
  });
}

describe('more requests of one address than there are places', () => {
  it('wait a second, then are 503 5030 with Retry-After, while other addresses and probes are served', async () => {
    world = await openWorld();
    await world.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = world.app.server.address() as AddressInfo; // a TCP server has one
    const sockets: Socket[] = [];
    const first = await Promise.any(Array.from({ length: 300 }, () => openRequest(port, sockets)));
    expect(first).toMatch(/^HTTP\/1\.1 503 /);
    expect(first).toMatch(/retry-after: 1\r\n/i);
    expect(first).toContain('"code":"5030"');
    const others = await Promise.all([
      world.app.inject({ url: '/web/v1/auth/config', remoteAddress: '198.51.100.7' }),
      world.app.inject('/healthz'),
    ]);
    expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    for (const socket of sockets) socket.on('error', () => {}).destroy();
    const status = async () => (await world.app.inject('/web/v1/auth/config')).statusCode;
    await expect.poll(status, { timeout: 30_000 }).toBe(200);
  });
});

/** Keeps the event loop late for a while, a long turn after the other. */
async function keepBusy(turns: number): Promise<void> {
  for (let count = 0; count < turns; count += 1) {
    const endMs = performance.now() + 400;
    while (performance.now() < endMs);
    await turn();
  }
}

describe('a service that is late all the time', () => {
  it('refuses lists before it refuses pings and sign-ins, and takes them again when it is on time', async () => {
    world = await openWorld();
    const token = await signIn(world);
    const list = () =>
      portalCall(world, token, { url: '/web/v1/files/query/list', body: { institutionBizId: 'INST_DEMO' } });
    await keepBusy(14);
    const [refused, urgent, probe] = await Promise.all([
      list(),
      me(token, '127.0.0.1'),
      world.app.inject('/readyz'),
    ]);
    expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([
      503,
      '5030',
      '1',
    ]);
    expect([urgent.statusCode, probe.statusCode]).toEqual([200, 200]);
    await expect.poll(async () => (await list()).statusCode, { timeout: 30_000 }).toBe(200);
  });
});
