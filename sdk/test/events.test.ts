import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { createSealer } from '../../server/src/log/sealer.ts';
import {
  ForbiddenError,
  InvalidInputError,
  Portico,
  type PorticoError,
  type PorticoEvent,
} from '../src/index.ts';
import { latestEvent } from '../src/latest-event.ts';
import {
  allScopes,
  answer,
  envelope,
  openClient,
  openLoopback,
  openService,
  problem,
  type Service,
  someKey,
} from './service.ts';

let service: Service;
let client: Portico;
let seal: () => Promise<void>;
beforeAll(async () => {
  service = await openService();
  seal = createSealer(service.world.db);
  client = await openClient(service, { scopes: allScopes, mode: 2 });
  await seal();
});
afterAll(() => service.close());

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const create = (amount = '5.17') => client.transfers.create({ amount: `${amount}`, currency: 'USD' });

describe('events', () => {
  it('are listed after a place, by type, with the record that they tell of', async () => {
    const after = await client.events.latest();
    const made = await create();
    const cancelled = await client.transfers.cancel(made.transferId);
    await seal();
    const page = await client.events.list({ after });
    expect(page.events.map(({ type, mode, data }) => ({ type, mode, data }))).toEqual([
      { type: 'transfer.created', mode: 'TEST', data: made },
      { type: 'transfer.cancelled', mode: 'TEST', data: cancelled },
    ]);
    expect(page).toMatchObject({ hasMore: false, nextAfter: page.events[1]?.eventId });
    const typed = await client.events.list({
      after,
      types: ['transfer.cancelled', 'transfer.failed'],
      limit: 1,
    });
    expect(typed.events).toEqual(page.events.slice(1));
    expectTypeOf(typed.events[0]).toEqualTypeOf<
      PorticoEvent<'transfer.cancelled'> | PorticoEvent<'transfer.failed'> | undefined
    >();
    expect(await client.events.list({ after: page.nextAfter ?? '' })).toEqual({ ...page, events: [] });
  });

  it('each come once and in order, however small the pages are', async () => {
    const after = await client.events.latest();
    const made: string[] = [];
    for (let count = 0; count < 7; count++) made.push((await create()).transferId);
    await seal();
    for (const limit of [1, 3, 7, 100]) {
      const all = await collect(client.events.each({ after, limit, types: ['transfer.created'] }));
      expect(all.map(({ data }) => data.transferId)).toEqual(made);
    }
    const everything = await collect(client.events.each());
    expect(everything.at(-1)?.eventId).toBe(await client.events.latest());
    expect(new Set(everything.map(({ eventId }) => eventId)).size).toBe(everything.length);
  });

  it('are followed while eight writers write, each once, and from nextAfter after a restart', async () => {
    const start = await client.events.latest();
    const seen: string[] = [];
    let place = start;
    /** Gives up after some, as a process that is ended. */
    const follow = async (enough: number) => {
      const controller = new AbortController();
      const query = { after: place, everyMs: 5, limit: 7 } as const;
      let taken = 0;
      try {
        for await (const { event, nextAfter } of client.events.follow(query, { signal: controller.signal })) {
          seen.push(event.eventId);
          place = nextAfter;
          if (++taken === enough) controller.abort(new Error('enough'));
        }
      } catch (error) {
        expect(error).toEqual(new Error('enough'));
      }
    };
    const write = async () => {
      for (let count = 0; count < 10; count++) {
        await create();
        await seal();
      }
    };
    const writing = Promise.all(Array.from({ length: 8 }, write));
    await follow(11);
    await follow(29);
    await follow(40);
    await writing;
    await seal();
    expect(seen).toEqual((await collect(client.events.each({ after: start }))).map(({ eventId }) => eventId));
    expect(seen).toHaveLength(80);
  });

  it('are refused to who may not see them, and by what is wrong with the question', async () => {
    const other = await openClient(service, { scopes: ['transfers:read'], mode: 2 });
    await expect(other.events.list()).rejects.toThrow(ForbiddenError);
    await expect(collect(other.events.follow())).rejects.toThrow(ForbiddenError);
    const wrong = [{ after: 'EVT_x' }, { limit: 101 }, { types: ['ping' as 'file.created'] }]; // as a caller without types would
    for (const query of wrong) await expect(client.events.list(query)).rejects.toThrow(InvalidInputError);
  });
});

describe('following', () => {
  const page = (...eventIds: string[]) =>
    answer(
      200,
      envelope({
        events: eventIds.map((eventId) => ({ eventId })),
        nextAfter: eventIds.at(-1) ?? null,
        hasMore: false,
      }),
    );
  const away = answer(503, problem('5030', 'away'));

  it('goes on when the service was away meanwhile, and tells of it', async () => {
    const loopback = await openLoopback(page('EVT_1'), away, away, page('EVT_2'), page());
    const other = new Portico({ baseUrl: loopback.url, ...someKey, retries: 0 });
    const controller = new AbortController();
    const told: PorticoError[] = [];
    const query = { everyMs: 1, onAway: (error: PorticoError) => void told.push(error) };
    const seen: string[] = [];
    const following = (async () => {
      for await (const { nextAfter } of other.events.follow(query, { signal: controller.signal })) {
        seen.push(nextAfter);
        if (seen.length === 2) controller.abort(new Error('enough'));
      }
    })();
    await expect(following).rejects.toThrow('enough');
    expect([seen, told.map(({ code }) => code)]).toEqual([
      ['EVT_1', 'EVT_2'],
      ['5030', '5030'],
    ]);
    const asked = loopback.requests.map(({ url }) => url);
    expect(asked.slice(0, 2)).toEqual(['/api/v1/events?limit=100', '/api/v1/events?after=EVT_1&limit=100']);
    await loopback.close();
  });

  it('fails at once when the service never answered, or refuses', async () => {
    const refused = answer(403, problem('4031', 'no'));
    for (const [listeners, message] of [
      [[away], 'away'],
      [[page('EVT_1'), refused], 'no'],
    ] as const) {
      const loopback = await openLoopback(...listeners);
      const other = new Portico({ baseUrl: loopback.url, ...someKey, retries: 0 });
      await expect(collect(other.events.follow({ everyMs: 1 }))).rejects.toThrow(message);
      await loopback.close();
    }
  });
});

describe('the latest event', () => {
  const limit = 100;
  const asking = (numbers: number[]) => {
    let questions = 0;
    const ask = async (after: string | undefined) => {
      questions += 1;
      const from = after === undefined ? 0 : Number(after.slice(4));
      const rest = numbers.filter((each) => each > from);
      const events = rest.slice(0, limit).map((each) => ({ eventId: `EVT_${each}` }) as PorticoEvent); // its id is all that matters here
      return { events: events as never[], nextAfter: null, hasMore: rest.length > limit };
    };
    return { ask, questions: () => questions };
  };

  it('is found among any number of them, with any gaps', async () => {
    const gaps = fc.array(fc.oneof(fc.nat(3), fc.nat(5000)), { maxLength: 400 });
    const found = async (steps: number[]) => {
      let at = 0;
      const numbers = steps.map((step) => (at += step + 1));
      const last = numbers.at(-1);
      const { ask } = asking(numbers);
      expect(await latestEvent(ask)).toBe(last === undefined ? undefined : `EVT_${last}`);
    };
    await fc.assert(fc.asyncProperty(gaps, found), { numRuns: 300 });
  });

  it('is found with few questions among very many', async () => {
    const { ask, questions } = asking(Array.from({ length: 200_000 }, (_none, index) => index * 50 + 7));
    expect(await latestEvent(ask)).toBe(`EVT_${199_999 * 50 + 7}`);
    expect(questions()).toBeLessThan(30);
  });

  it('is none before any that came while it was looked for', async () => {
    const numbers = Array.from({ length: 1000 }, (_none, index) => index * 10 + 1);
    const { ask } = asking(numbers);
    const growing = async (after: string | undefined) => {
      const page = await ask(after);
      if (numbers.length < 1500) numbers.push((numbers.at(-1) ?? 0) + 10);
      return page;
    };
    const at = Number((await latestEvent(growing))?.slice(4));
    expect(at).toBeGreaterThanOrEqual(9991);
    expect(numbers.filter((each) => each > at).length).toBeLessThanOrEqual(1);
  });
});
