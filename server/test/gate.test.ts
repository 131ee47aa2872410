import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createKey, openWorld, portalCall, signedCall, signIn, type World } from './world.ts';

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

/** Many of one address, eight at once, and how long all of them took. */
async function askOn(count: number, ask: () => Promise<{ statusCode: number }>) {
  let left = count;
  const statuses: number[] = [];
  const askInTurn = async () => {
    while (left-- > 0) statuses.push((await ask()).statusCode);
  };
  const { ms } = await timed(Promise.all(Array.from({ length: 8 }, askInTurn)));
  return { statuses: new Set(statuses), ms };
}

/** As the gate has it: so many at once, then one in so many milliseconds. */
const paced = (count: number) => (count - 50) * 20;

describe('who is refused on and on', () => {
  it('for asking too often is refused ever more slowly; who asks once is not held back', async () => {
    world = await openWorld({ env: { PORTICO_LIMIT_PORTAL: '0.01/1' } });
    const [token, other] = [await signIn(world), await signIn(world, 'viewer@demo.test')];
    await Promise.all([me(token, '198.51.100.1'), me(other, '198.51.100.2')]);
    const rude = await askOn(120, () => me(token, '198.51.100.1'));
    expect(rude.statuses).toEqual(new Set([429]));
    expect(rude.ms).toBeGreaterThan(paced(120) * 0.9);
    const polite = await timed(me(other, '198.51.100.2'));
    expect(polite.value.statusCode).toBe(429);
    expect(polite.ms).toBeLessThan(rude.ms);
  });

  it('for who it is, is refused no faster while others are there', async () => {
    world = await openWorld();
    const token = await signIn(world);
    const other = setInterval(() => void me(token, '198.51.100.2'), 100);
    expect((await me(token, '198.51.100.2')).statusCode).toBe(200);
    const rude = await askOn(120, () => me('nobody', '198.51.100.1'));
    clearInterval(other);
    expect(rude.statuses).toEqual(new Set([401]));
    expect(rude.ms).toBeGreaterThan(paced(120) * 0.9);
  });
});

/** A request whose body never arrives in full. */
const unfinished = (remoteAddress: string) =>
  world.app
    .inject({
      method: 'POST',
      url: '/web/v1/auth/refresh',
      remoteAddress,
      headers: { 'content-type': 'application/json', 'content-length': '9' },
      payload: new Readable({ read() {} }),
    })
    .then((answer) => answer);

const inFlight = async () => {
  const { body } = await world.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
  return Number(/^portico_requests_in_flight (\d+)$/m.exec(body)?.[1]);
};

describe('requests that never arrive in full', () => {
  it('are 2,000 of one address at most; one more is 503 5030 with Retry-After at once, and other addresses are served', async () => {
    world = await openWorld();
    const held = Array.from({ length: 2000 }, () => unfinished('198.51.100.1'));
    void Promise.all(held);
    await expect.poll(inFlight).toBe(2000);
    const answer = await unfinished('198.51.100.1');
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
      503,
      '5030',
      '1',
    ]);
    const other = { url: '/web/v1/auth/config', remoteAddress: '198.51.100.7' };
    expect((await world.app.inject(other)).statusCode).toBe(200);
  });
});

describe('who asks for what no endpoint is', () => {
  it.each([
    ['a path', '/web/v1/nothing'],
    ['a method', '/web/v1/files/query/list'],
    ['a target too long', `/web/v1/${'x'.repeat(8200)}`],
    ['a target of no characters', '/web/v1/%ff'],
  ])('%s, is refused no faster while others are there, and waits for its turn', async (_what, url) => {
    world = await openWorld();
    const token = await signIn(world);
    const other = setInterval(() => void me(token, '198.51.100.2'), 100);
    await me(token, '198.51.100.2');
    const rude = await askOn(120, () => world.app.inject({ url, remoteAddress: '198.51.100.1' }));
    clearInterval(other);
    expect([...rude.statuses].every((status) => status >= 400 && status < 500)).toBe(true);
    expect(rude.ms).toBeGreaterThan(paced(120) * 0.9);
  });
});

describe('an address with a long line', () => {
  it('keeps no other address waiting: its first request is begun before most of the line', async () => {
    world = await openWorld();
    const [heavy, light] = [await signIn(world), await signIn(world, 'viewer@demo.test')];
    await Promise.all([me(heavy, '198.51.100.1'), me(light, '198.51.100.2')]);
    let answered = 0;
    const line = Array.from({ length: 1000 }, () =>
      me(heavy, '198.51.100.1').then(({ statusCode }) => {
        answered += 1;
        return statusCode;
      }),
    );
    const all = Promise.all(line);
    await turn();
    expect((await me(light, '198.51.100.2')).statusCode).toBe(200);
    expect(answered).toBeLessThan(500);
    // Whoever of the line has waited too long is refused; nobody is left without an answer.
    expect(new Set([200, 503, ...(await all)])).toEqual(new Set([200, 503]));
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
    const key = await createKey(world);
    const list = () =>
      portalCall(world, token, { url: '/web/v1/files/query/list', body: { institutionBizId: 'INST_DEMO' } });
    const credentials = { email: 'owner@demo.test', password: 'portico-demo' };
    await keepBusy(14);
    const [refused, refusedToo, ...urgent] = await Promise.all([
      list(),
      signedCall(world, key, { url: '/api/v1/transfers' }),
      me(token, '127.0.0.1'),
      portalCall(world, undefined, { url: '/web/v1/auth/login', body: credentials }),
      signedCall(world, key, { url: '/api/v1/ping' }),
      signedCall(world, key, { url: '/api/v1/whoami' }),
      world.app.inject('/readyz'),
    ]);
    for (const answer of [refused, refusedToo])
      expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
        503,
        '5030',
        '1',
      ]);
    expect(urgent.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    await expect.poll(async () => (await list()).statusCode).toBe(200);
  });
});
