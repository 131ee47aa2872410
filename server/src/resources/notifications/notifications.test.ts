import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionSuite } from '../../../test/suites/collection.ts';
import { openWorld, portalCall, signIn, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { notifications } from './collection.ts';
import { sweepNotifications, sweepOldNotifications } from './queries.ts';

const url = '/web/v1/workspaces/WS_DEMO/notifications';

/** Events of the demo workspace that a channel told, from one sequence to another. */
const tell = ({ db }: World, first: number, last: number, createdAt = '2026-01-01T00:00:00Z') =>
  db.query(sql`
    with told as (
      insert into events (sequence, type, occurred_at, workspace_id, mode, data)
      select n, 'transfer.created', ${createdAt}::timestamptz + n * interval '1 second', 'WS_DEMO',
        case when n % 3 > 0 then 'LIVE'::key_mode end, '{"transferId": "TRF_' || n || '"}'
      from generate_series(${first}::int, ${last}::int) n returning sequence
    )
    insert into notifications (workspace_id, event_sequence, channel_id, created_at)
    select w.id, sequence, 1, ${createdAt}::timestamptz from told join workspaces w on w.biz_id = 'WS_DEMO'`);

const filled = new WeakMap<World, Promise<unknown>>();
collectionSuite({
  name: 'notifications of a workspace',
  shape: 'flat',
  fields: Object.keys(notifications.record.properties),
  sortable: Object.keys(notifications.sortable),
  defaultSort: 'occurredAt,desc',
  id: 'eventId',
  total: async () => 130,
  get: async (world, query, noMatch) => {
    const once = filled.get(world) ?? tell(world, 1, 130);
    filled.set(world, once);
    await once;
    const target = noMatch ? url.replace('WS_DEMO', 'WS_OTHER') : url;
    const who = noMatch ? 'outsider@demo.test' : 'viewer@demo.test';
    return portalCall(world, await signIn(world, who), { method: 'GET', url: `${target}${query}` });
  },
});

let world: World;
let owner: string;
let viewer: string;
beforeAll(async () => {
  world = await openWorld();
  owner = await signIn(world);
  viewer = await signIn(world, 'viewer@demo.test');
});
afterAll(() => world.close());

const get = async (token: string, path = '') =>
  (await portalCall(world, token, { method: 'GET', url: `${url}${path}` })).json().data;
const unread = async (token: string) => (await get(token, '/unread')).count;
const read = (token: string, eventId: unknown) =>
  portalCall(world, token, { url: `${url}/read`, body: { eventId } });

describe('notifications', () => {
  it('are read by each member on their own, up to the one that is named', async () => {
    expect([await unread(owner), (await get(owner)).content]).toEqual([0, []]);
    expect((await read(owner, 'EVT_5')).json().data).toEqual({ count: 0 });
    await tell(world, 1, 10);
    expect([await unread(owner), await unread(viewer)]).toEqual([10, 10]);
    expect((await read(owner, 'EVT_7')).json().data).toEqual({ count: 3 });
    const { content } = await get(owner);
    expect(
      content.map(({ eventId, isRead }: { eventId: string; isRead: boolean }) => [eventId, isRead]),
    ).toEqual(Array.from({ length: 10 }, (_, at) => [`EVT_${10 - at}`, at > 2]));
    expect(content[0]).toEqual({
      eventId: 'EVT_10',
      eventType: 'transfer.created',
      mode: 'LIVE',
      occurredAt: '2026-01-01T00:00:10.000Z',
      data: { transferId: 'TRF_10' },
      isRead: false,
    });
    expect([await unread(owner), await unread(viewer)]).toEqual([3, 10]);
  });

  it('are never unread again, and what is still to come is not read', async () => {
    expect((await read(owner, 'EVT_2')).json().data).toEqual({ count: 3 });
    expect((await read(owner, 'EVT_999999999999999999')).json().data).toEqual({ count: 0 });
    await tell(world, 11, 12);
    expect(await unread(owner)).toBe(2);
  });

  it('are counted to 100 at most', async () => {
    await tell(world, 13, 200);
    expect(await unread(viewer)).toBe(100);
  });

  it('refuse what is no id of an event with 400 4000, and who is no member with 403 4030', async () => {
    for (const eventId of [
      undefined,
      null,
      '',
      5,
      'EVT_',
      'EVT_0',
      'EVT_1e3',
      'evt_1',
      `EVT_${'9'.repeat(19)}`,
      'EVT_1\0',
    ]) {
      const response = await read(owner, eventId);
      expect([eventId, response.statusCode, response.json().code]).toEqual([eventId, 400, '4000']);
      expect(response.json().message).toContain('eventId');
    }
    const outsider = await signIn(world, 'outsider@demo.test');
    expect((await read(outsider, 'EVT_1')).json().code).toBe('4030');
    for (const path of ['', '/unread'])
      expect((await portalCall(world, outsider, { method: 'GET', url: `${url}${path}` })).json().code).toBe(
        '4030',
      );
  });

  it('are the newest 1,000 of a workspace, and of the last 30 days', async () => {
    const nowMs = world.clock.now();
    const lately = new Date(nowMs - 60_000).toISOString();
    await tell(world, 201, 1700, lately);
    while (await sweepNotifications(world.db, nowMs));
    const kept = await world.db.query<{ least: number; count: number }>(
      sql`select min(event_sequence) as least, count(*) as count from notifications`,
    );
    expect(kept).toEqual([{ least: 701, count: 1000 }]);
    while (await sweepOldNotifications(world.db, nowMs + 29 * 86_400_000));
    expect((await get(viewer)).totalElements).toBe(1000);
    while (await sweepOldNotifications(world.db, nowMs + 30 * 86_400_000));
    expect((await get(viewer)).totalElements).toBe(0);
  });
});
