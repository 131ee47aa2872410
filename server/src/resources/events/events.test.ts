import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createKey,
  type Key,
  openWorld,
  portalCall,
  signedCall,
  signIn,
  type World,
} from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { keptDays, sweepEvents } from '../../events/sweep.ts';
import { createSealer } from '../../log/sealer.ts';

const url = '/api/v1/events';
type Told = { eventId: string; type: string; mode: string | null };
type Page = { events: Told[]; nextAfter: string | null; hasMore: boolean };

let world: World;
const keys = {} as Record<'live' | 'test' | 'foreign', Key>;
beforeAll(async () => {
  world = await openWorld();
  const scopes = ['events:read'];
  keys.live = await createKey(world, { scopes });
  keys.test = await createKey(world, { scopes, mode: 2 });
  keys.foreign = await createKey(world, { scopes }, 'WS_OTHER', 'outsider@demo.test');
});
afterAll(() => world.close());

const get = (query = '', key = keys.live) => signedCall(world, key, { url: `${url}${query}` });
const pull = async (query = '', key = keys.live): Promise<Page> => (await get(query, key)).json().data;

type Row = {
  sequence: number;
  type?: string;
  mode?: string | null;
  workspace?: string;
  channel?: number;
  daysAgo?: number;
};

/** Events as a sealer leaves them, in place of all that were there. */
async function hold(rows: readonly Row[]): Promise<void> {
  await world.db.query(sql`delete from events`);
  for (const {
    sequence,
    type = 'transfer.created',
    mode = 'LIVE',
    workspace = 'WS_DEMO',
    channel = null,
    daysAgo = 0,
  } of rows)
    await world.db.query(sql`
      insert into events (sequence, type, occurred_at, workspace_id, mode, channel_id, data)
      values (${sequence}, ${type}, now() - make_interval(days => ${daysAgo}, secs => 1), ${workspace}, ${mode}::key_mode, ${channel}, ${`{"n":${sequence}}`})`);
}

const idsOf = ({ events }: Page) => events.map(({ eventId }) => eventId);
const numbered = (...numbers: number[]) => numbers.map((number) => `EVT_${number}`);

describe('pulled events', () => {
  it('are told once the change is sealed, as the API shows the record, in the order of their fields', async () => {
    await hold([]);
    const token = await signIn(world);
    const body = { amount: '12.50', currency: 'USD', reference: 'ü "1"' };
    const made = await portalCall(world, token, { url: '/web/v1/workspaces/WS_DEMO/transfers', body });
    expect((await pull()).events).toEqual([]);
    await createSealer(world.db)();
    const response = await get('?types=transfer.created');
    const record = made.json().data;
    const [event] = response.json().data.events;
    expect(event).toEqual({
      eventId: expect.stringMatching(/^EVT_[1-9][0-9]*$/),
      type: 'transfer.created',
      occurredAt: record.createdAt,
      mode: 'LIVE',
      workspaceId: 'WS_DEMO',
      data: record,
    });
    expect(response.body).toContain(
      `"data":{"events":[${JSON.stringify({ ...event, data: record })}],"nextAfter"`,
    );
    const [row] = await world.db.query<{ sequence: number }>(
      sql`select sequence from audit_log where subject_id = ${record.transferId}`,
    );
    expect(event.eventId).toBe(`EVT_${row?.sequence}`);
  });

  it('are those of the workspace and mode of the key, and those that have none; a test of a channel is nobody’s', async () => {
    await hold([
      { sequence: 1 },
      { sequence: 2, mode: 'TEST' },
      { sequence: 3, mode: null, type: 'member.added' },
      { sequence: 4, workspace: 'WS_OTHER' },
      { sequence: 5, workspace: 'WS_OTHER', mode: null, type: 'member.added' },
      { sequence: 6, type: 'ping', channel: 1 },
      { sequence: 7, mode: null, type: 'member.removed' },
      { sequence: 8 },
    ]);
    expect(idsOf(await pull())).toEqual(numbered(1, 3, 7, 8));
    expect(idsOf(await pull('', keys.test))).toEqual(numbered(2, 3, 7));
    expect(idsOf(await pull('', keys.foreign))).toEqual(numbered(4, 5));
    const types = '?types=member.removed,transfer.created,member.added,transfer.created';
    expect(idsOf(await pull(types))).toEqual(numbered(1, 3, 7, 8));
    expect(idsOf(await pull('?types=member.added,transfer.created', keys.test))).toEqual(numbered(2, 3));
    expect((await pull()).events.map(({ mode }) => mode)).toEqual(['LIVE', null, null, 'LIVE']);
  });

  it('are read to their end by who keeps nextAfter, by pages of any size', async () => {
    const held = Array.from({ length: 25 }, (_, index) => ({
      sequence: 10 + index * 3,
      mode: index % 4 === 0 ? null : 'LIVE',
    }));
    await hold(held);
    const all = numbered(...held.map(({ sequence }) => sequence));
    for (const limit of [1, 7, 24, 25, 100]) {
      const seen: string[] = [];
      let after = '';
      for (let hasMore = true; hasMore; ) {
        const page: Page = await pull(`?limit=${limit}${after}`);
        expect(page.nextAfter).toBe(page.events.at(-1)?.eventId);
        expect(page.events.length === limit || !page.hasMore).toBe(true);
        seen.push(...idsOf(page));
        after = `&after=${page.nextAfter}`;
        hasMore = page.hasMore;
      }
      expect(seen).toEqual(all);
      expect(await pull(`?limit=${limit}${after}`)).toEqual({
        events: [],
        nextAfter: all.at(-1),
        hasMore: false,
      });
    }
    expect((await pull()).events).toHaveLength(20);
    expect(idsOf(await pull('?after=EVT_11&limit=2'))).toEqual(numbered(13, 16));
  });

  it('are none: what was sent comes back as nextAfter, and nothing where nothing was sent', async () => {
    await hold([]);
    expect(await pull()).toEqual({ events: [], nextAfter: null, hasMore: false });
    for (const after of ['EVT_0', 'EVT_7', 'EVT_999999999999999999'])
      expect(await pull(`?after=${after}`)).toEqual({ events: [], nextAfter: after, hasMore: false });
  });

  it.each([
    ...[
      '',
      'EVT_',
      'EVT_-1',
      'EVT_01',
      'evt_1',
      '1',
      'EVT_1e3',
      'EVT_1.0',
      'EVT_٣',
      'EVT_1%00',
      "EVT_1'",
      ' EVT_1',
    ],
    `EVT_${'9'.repeat(19)}`,
    'EVT_1&after=EVT_2',
  ])('are refused after %j, with 400 4000 that names it', async (after) => {
    const response = await get(
      `?after=${after.includes('&') || after.includes('%') ? after : encodeURIComponent(after)}`,
    );
    expect([response.statusCode, response.json().code]).toEqual([400, '4000']);
    expect(response.json().message).toMatch(/^after /);
  });

  it.each(['0', '-1', '101', '1.5', '1e1', '01', '', 'x', '9'.repeat(30), '5&limit=5'])(
    'are refused with the limit %j, with 400 4000 that names it',
    async (limit) => {
      const response = await get(`?limit=${limit}`);
      expect([response.statusCode, response.json().code]).toEqual([400, '4000']);
      expect(response.json().message).toMatch(/^limit /);
    },
  );

  it.each([
    [
      'transfer.crated',
      /^types has transfer\.crated, which is not a type of event: did you mean transfer\.created\?$/,
    ],
    ['ping', /^types has ping, which is not/],
    ['', /^types must be types of events, separated by commas$/],
    ['transfer.created,', /^types must be/],
    ['transfer.created;file.created', /^types has/],
    ['TRANSFER.CREATED', /^types has/],
    ['__proto__', /^types has/],
    [encodeURIComponent('transfer.created,\0'), /^types /],
    ['x'.repeat(41), /^types has something that is not a type of event/],
    ['file.created&types=file.deleted', /^types must be a string/],
  ])('are refused of the types %j, with 400 4000 that names them', async (types, message) => {
    const response = await get(`?types=${types}`);
    expect([response.statusCode, response.json().code]).toEqual([400, '4000']);
    expect(response.json().message).toMatch(message);
  });
});

describe('old events', () => {
  it(`are kept for ${keptDays} days, and deleted in small steps`, async () => {
    await hold([
      { sequence: 1, daysAgo: keptDays },
      { sequence: 2, daysAgo: keptDays - 1 },
      { sequence: 3, daysAgo: keptDays },
      { sequence: 4 },
    ]);
    expect(await sweepEvents(world.db, world.clock.now())).toBe(true);
    expect(await sweepEvents(world.db, world.clock.now())).toBe(false);
    expect(idsOf(await pull())).toEqual(numbered(2, 4));
    await world.db.query(sql`
      insert into events (sequence, type, occurred_at, workspace_id, data)
      select n, 'member.added', now() - interval '31 days', 'WS_DEMO', '{}' from generate_series(101, 2300) n`);
    const left = async () => (await world.db.query(sql`select 1 from events`)).length;
    const steps: number[] = [];
    for (let more = true; more; steps.push(await left()))
      more = await sweepEvents(world.db, world.clock.now());
    expect(steps).toEqual([2 + 1202, 2 + 204, 2, 2]);
  });
});
