import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionSuite } from '../../../test/suites/collection.ts';
import { channel } from '../../../test/suites/command-targets.ts';
import { addDeliveries, channelsUrl } from '../../../test/support/deliveries.ts';
import { lastRecord } from '../../../test/support/operator.ts';
import { openWorld, portalCall, signIn, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { deliveries } from './delivery-collection.ts';

const filled = new WeakMap<World, Promise<string>>();

async function fill(world: World): Promise<string> {
  const channelId = await channel.make(world, await signIn(world));
  for (const status of ['SUCCEEDED', 'FAILED', 'CANCELLED'])
    await addDeliveries(world, channelId, { status, count: 43 });
  return channelId;
}

collectionSuite({
  name: 'deliveries of a channel',
  shape: 'flat',
  fields: Object.keys(deliveries.record.properties),
  sortable: Object.keys(deliveries.sortable),
  defaultSort: 'createdAt,desc',
  id: 'deliveryId',
  total: async () => 129,
  get: async (world, query, noMatch) => {
    const once = filled.get(world) ?? fill(world);
    filled.set(world, once);
    const filter = noMatch ? `${query === '' ? '?' : '&'}status=PENDING` : '';
    const url = `${channelsUrl}/${await once}/deliveries${query}${filter}`;
    return portalCall(world, await signIn(world, 'viewer@demo.test'), { method: 'GET', url });
  },
});

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld();
  token = await signIn(world);
});
afterAll(() => world.close());

async function open() {
  const channelId = await channel.make(world, token);
  const url = `${channelsUrl}/${channelId}`;
  const post = async (path: string, body?: object) => {
    const response = await portalCall(world, token, { url: `${url}${path}`, ...(body && { body }) });
    return { status: response.statusCode, ...response.json() };
  };
  const list = async (query = '') =>
    (await portalCall(world, token, { method: 'GET', url: `${url}/deliveries${query}` })).json().data;
  const turn = async () => {
    await world.db.query(sql`
      insert into channel_turns (channel_id, due_at) select id, 'infinity' from channels where biz_id = ${channelId}`);
    return async () =>
      (
        await world.db.query<{ isDue: boolean }>(sql`
          select t.due_at <= now() + interval '1 minute' as "isDue" from channel_turns t join channels c on c.id = t.channel_id
          where c.biz_id = ${channelId}`)
      )[0]?.isDue;
  };
  return { channelId, url, post, list, turn };
}

describe('deliveries of a channel', () => {
  it('are shown as they stand, and counted by status', async () => {
    const { channelId, list } = await open();
    const [deliveryId] = await addDeliveries(world, channelId);
    await addDeliveries(world, channelId, {
      status: 'SUCCEEDED',
      count: 2,
      createdAt: '2026-02-01T00:00:00Z',
    });
    const { content } = await list('?status=FAILED');
    expect(content).toEqual([
      {
        deliveryId,
        eventId: expect.stringMatching(/^EVT_[1-9][0-9]*$/),
        eventType: 'transfer.created',
        status: 'FAILED',
        attempts: 10,
        nextAttemptAt: null,
        responseStatus: 503,
        durationMs: 12,
        responseBody: 'busy',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    const counts = async (query: string) => (await list(query)).totalElements;
    expect([await counts(''), await counts('?status=SUCCEEDED'), await counts('?status=PENDING')]).toEqual([
      3, 2, 0,
    ]);
  });

  it('are for members of the workspace; a channel of another is 404 4040, a workspace of another 403 4030', async () => {
    const outsider = await signIn(world, 'outsider@demo.test');
    const { url } = await open();
    const get = async (target: string, who = outsider) =>
      (await portalCall(world, who, { method: 'GET', url: target })).json().code;
    expect(await get(`${url}/deliveries`)).toBe('4030');
    expect(await get(url.replace('WS_DEMO', 'WS_OTHER').concat('/deliveries'))).toBe('4040');
    for (const id of ['NCH_NONE', '%27', '%F0%9F%94%91'])
      expect(await get(`${channelsUrl}/${id}/deliveries`, token)).toBe('4040');
    expect(await get(`${channelsUrl}/%00/deliveries`, token)).toBe('4000');
    expect(await get(`${url}/deliveries?status=NOPE`, token)).toBe('4000');
  });
});

describe('redeliver', () => {
  it.each(['FAILED', 'CANCELLED', 'SUCCEEDED'])(
    'makes one that is %s PENDING as if it were new',
    async (status) => {
      const { channelId, post, turn } = await open();
      const isDue = await turn();
      const [deliveryId] = await addDeliveries(world, channelId, { status });
      const { data } = await post(`/deliveries/${deliveryId}/redeliver`);
      expect(data).toMatchObject({
        deliveryId,
        status: 'PENDING',
        attempts: 0,
        nextAttemptAt: expect.any(String),
      });
      expect(await isDue()).toBe(true);
      expect((await lastRecord(world))?.['changes']).toEqual({
        deliveryId: { from: null, to: deliveryId },
        status: { from: status, to: 'PENDING' },
      });
    },
  );

  it('makes one that waits for its next attempt due at once, with the attempts that it had', async () => {
    const { channelId, post } = await open();
    const [deliveryId] = await addDeliveries(world, channelId, { status: 'PENDING' });
    const { data } = await post(`/deliveries/${deliveryId}/redeliver`);
    expect(data).toMatchObject({ status: 'PENDING', attempts: 10 });
    expect(Date.parse(data.nextAttemptAt)).toBeLessThanOrEqual(world.clock.now());
  });

  it('refuses what is no delivery of the channel with 404 4040', async () => {
    const { post } = await open();
    const { channelId } = await open();
    const [foreign] = await addDeliveries(world, channelId);
    for (const id of [foreign, 'DLV_0', 'DLV_99999999999999999999', 'DLV_1e3', 'DLV_-1', 'x', '%27'])
      expect([id, (await post(`/deliveries/${id}/redeliver`)).code]).toEqual([id, '4040']);
  });

  it('is refused with 409 4091 when its event is no longer kept, or its channel is DISABLED', async () => {
    const { channelId, post, list } = await open();
    const [gone, kept] = await addDeliveries(world, channelId, { count: 2 });
    await world.db.query(
      sql`delete from events where sequence = (select event_sequence from deliveries where 'DLV_' || id = ${gone})`,
    );
    expect(await post(`/deliveries/${gone}/redeliver`)).toMatchObject({ status: 409, code: '4091' });
    await post('/disable');
    expect(await post(`/deliveries/${kept}/redeliver`)).toMatchObject({ status: 409, code: '4091' });
    const from = '2020-01-01T00:00:00Z';
    expect(await post('/deliveries/redeliver-failed', { from })).toMatchObject({ status: 409, code: '4091' });
    expect((await list('?status=PENDING')).totalElements).toBe(0);
  });
});

describe('redeliver-failed', () => {
  it('makes all that FAILED or was CANCELLED since then PENDING, and leaves the rest alone', async () => {
    const { channelId, post, list, turn } = await open();
    const isDue = await turn();
    const since = '2026-03-01T00:00:00Z';
    await addDeliveries(world, channelId, { createdAt: '2026-01-01T00:00:00Z' });
    const wanted = [
      ...(await addDeliveries(world, channelId, { status: 'FAILED', count: 2, createdAt: since })),
      ...(await addDeliveries(world, channelId, { status: 'CANCELLED', count: 2, createdAt: since })),
    ];
    const [gone] = await addDeliveries(world, channelId, { createdAt: since });
    await world.db.query(
      sql`delete from events where sequence = (select event_sequence from deliveries where 'DLV_' || id = ${gone})`,
    );
    await addDeliveries(world, channelId, { status: 'SUCCEEDED', createdAt: since });
    const [waiting] = await addDeliveries(world, channelId, { status: 'PENDING', createdAt: since });
    const { data } = await post('/deliveries/redeliver-failed', { from: since });
    expect(data).toEqual({ count: 4, hasMore: false });
    const { content } = await list('?status=PENDING&size=100');
    expect(content.map(({ deliveryId }: { deliveryId: string }) => deliveryId).sort()).toEqual(
      [...wanted, waiting].sort(),
    );
    const untouched = content.find(({ deliveryId }: { deliveryId: string }) => deliveryId === waiting);
    expect(untouched).toMatchObject({ attempts: 10 });
    expect(Date.parse(untouched.nextAttemptAt)).toBeGreaterThan(world.clock.now());
    expect(await isDue()).toBe(true);
    expect((await post('/deliveries/redeliver-failed', { from: since })).data).toEqual({
      count: 0,
      hasMore: false,
    });
  });

  it('takes at most 10,000 in one call, the oldest, and says that there are more', async () => {
    const { channelId, post, list } = await open();
    const newest = (await addDeliveries(world, channelId, { count: 10_002 })).slice(-2);
    const ask = async () =>
      (await post('/deliveries/redeliver-failed', { from: '2020-01-01T00:00:00Z' })).data;
    expect(await ask()).toEqual({ count: 10_000, hasMore: true });
    const left = (await list('?status=FAILED')).content.map(
      ({ deliveryId }: { deliveryId: string }) => deliveryId,
    );
    expect(left.sort()).toEqual(newest.sort());
    expect(await ask()).toEqual({ count: 2, hasMore: false });
  });

  it('refuses a time that is none with 400 4000', async () => {
    const { post } = await open();
    for (const from of [undefined, '', 'yesterday', '2026-02-30T00:00:00Z', 5, '2026-01-01'])
      expect(await post('/deliveries/redeliver-failed', { from })).toMatchObject({
        status: 400,
        code: '4000',
      });
  });
});
