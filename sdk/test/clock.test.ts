import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClock, createKey } from '../../server/test/world.ts';
import { ClockError, Portico } from '../src/index.ts';
import { answer, openLoopback, openService, problem, type Service, someKey } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await openService({ clock: createClock() });
});
afterAll(() => service.close());

/** A client that counts its requests. */
async function countedClient(now: () => number) {
  const sent: string[] = [];
  const counted: typeof fetch = (input, init) => {
    sent.push(new Headers(init?.headers).get('x-nonce') ?? '');
    return fetch(input, init);
  };
  const key = await createKey(service.world);
  return { sent, client: new Portico({ baseUrl: service.url, ...key, now, retries: 0, fetch: counted }) };
}

describe('a clock that is wrong', () => {
  it.each([-86_400, -301, 301, 86_400 * 365])('by %i s is corrected once and for all', async (seconds) => {
    const { client, sent } = await countedClient(() => service.world.clock.now() + seconds * 1000);
    expect((await client.ping()).pong).toBe(true);
    expect(sent).toHaveLength(2);
    expect(sent[0]).not.toBe(sent[1]);
    await client.ping();
    await client.transfers.list();
    expect(sent).toHaveLength(4);
  });

  it('is corrected anew when it changes', async () => {
    const { client, sent } = await countedClient(Date.now);
    await client.ping();
    service.world.clock.advance(3600);
    expect((await client.ping()).pong).toBe(true);
    expect(sent).toHaveLength(3);
  });

  it('by a little is left alone', async () => {
    const { client, sent } = await countedClient(() => service.world.clock.now() - 200_000);
    await client.ping();
    expect(sent).toHaveLength(1);
  });

  it('that a correction does not mend is told', async () => {
    const message = "X-Timestamp is more than 300 s away from the server's time, 1767225600";
    const loopback = await openLoopback(answer(401, problem('4013', message)));
    const client = new Portico({ baseUrl: loopback.url, ...someKey });
    const error = await client.ping().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ClockError);
    expect(error).toMatchObject({ serverTime: 1767225600, code: '4013' });
    expect(loopback.requests).toHaveLength(2);
    await loopback.close();
  });

  it('is told when the answer has no time', async () => {
    const loopback = await openLoopback(answer(401, problem('4013', 'wrong by more than 300 s')));
    await expect(new Portico({ baseUrl: loopback.url, ...someKey }).ping()).rejects.toThrow(ClockError);
    expect(loopback.requests).toHaveLength(1);
    await loopback.close();
  });
});
