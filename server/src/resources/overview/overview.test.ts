import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createKey,
  createStillClock,
  type Key,
  openWorld,
  portalCall,
  tokenOf,
  type World,
} from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { latencyBounds, percentileOf } from './calls.ts';
import { readOverview } from './overview.ts';
import { type AttentionKind, attentionKinds } from './schema.ts';

const hourMs = 3_600_000;
const clock = createStillClock();
let world: World;
let owner: string;
let viewer: string;
beforeAll(async () => {
  world = await openWorld({ clock });
  owner = await tokenOf(world, 'ACC_DEMO_OWNER');
  viewer = await tokenOf(world, 'ACC_DEMO_VIEWER');
});
afterAll(() => world.close());

const ask = (query = '', token = owner, workspace = 'WS_DEMO') =>
  portalCall(world, token, { method: 'GET', url: `/web/v1/workspaces/${workspace}/overview${query}` });
const overview = async (query = '', token = owner) => (await ask(query, token)).json().data;

type Call = { key: Key; code?: string; status?: number; ms?: number; agoMs?: number };

/** As the log of requests writes them. */
async function write(calls: readonly Call[]): Promise<void> {
  const place = { id: randomUUID(), method: 'GET', route: '/api/v1/transfers', ip: null };
  for (const { key, code = '2000', status = 200, ms = 4, agoMs = 0 } of calls) {
    const at = clock.now() - agoMs;
    const series = [{ key: key.apiKeyId, code, class: Math.floor(status / 100), n: 1, last: at }];
    const days = [Math.floor(at / (24 * hourMs))];
    const batch = { days, series, rows: [{ ...place, s: 1, at, status, ms }] };
    await world.db.query(sql`select request_write(${randomUUID()}, ${JSON.stringify(batch)}::json)`);
  }
}

type Overview = { totals: object; series: { at: string; ok: number; refused: number; failed: number }[] };

describe('the calls of a workspace', () => {
  let live: Key;
  let test: Key;
  let other: Key;
  beforeAll(async () => {
    live = await createKey(world, { name: 'Live' });
    test = await createKey(world, { name: 'Test', mode: 2 });
    other = await createKey(world, { name: 'Other' }, 'WS_OTHER', 'outsider@demo.test');
    await write([
      { key: live, ms: 2 },
      { key: live, ms: 2 },
      { key: live, ms: 40, agoMs: 23 * hourMs },
      { key: live, code: '4031', status: 403 },
      { key: live, code: '4031', status: 403, agoMs: 2 * hourMs },
      { key: live, code: '4290', status: 429 },
      { key: live, code: '5030', status: 503, ms: 20_000, agoMs: 6 * 24 * hourMs },
      { key: test, code: '4031', status: 403 },
      { key: test, agoMs: 29 * 24 * hourMs },
      { key: test, agoMs: 40 * 24 * hourMs },
      { key: other },
    ]);
  });

  it('are counted by interval, by key and by code, each as far back as was asked', async () => {
    const day = await overview('?days=1');
    expect(day.totals).toEqual({ calls: 7, refused: 4, failed: 0 });
    expect((await overview('?days=7')).totals).toEqual({ calls: 8, refused: 4, failed: 1 });
    expect(await overview()).toEqual(await overview('?days=7'));
    const month = await overview('?days=30');
    expect(month.totals).toEqual({ calls: 9, refused: 4, failed: 1 });
    expect(month.codes).toEqual([
      { code: '4031', count: 3 },
      { code: '4290', count: 1 },
      { code: '5030', count: 1 },
    ]);
    const facts = { lastUsedAt: null };
    expect(month.keys).toEqual([
      { apiKeyId: live.apiKeyId, name: 'Live', mode: 'LIVE', calls: 7, refused: 3, failed: 1, ...facts },
      { apiKeyId: test.apiKeyId, name: 'Test', mode: 'TEST', calls: 2, refused: 1, failed: 0, ...facts },
    ]);
  });

  it.each([
    [1, 3600, 24],
    [7, 6 * 3600, 28],
    [30, 86_400, 30],
  ])(
    'of %i days have an interval of %i s for every point, and the last is that of now',
    async (days, interval, points) => {
      const { from, to, intervalSeconds, series, totals } = await overview(`?days=${days}`);
      expect([intervalSeconds, series.length]).toEqual([interval, points]);
      const starts = (series as Overview['series']).map(({ at }) => Date.parse(at) / 1000);
      expect(
        starts.every(
          (start, index) => start % interval === 0 && start === (starts[0] ?? 0) + index * interval,
        ),
      ).toBe(true);
      expect(series[0].at).toBe(from);
      expect(Date.parse(to)).toBe(clock.now());
      expect((starts.at(-1) ?? 0) * 1000).toBeLessThanOrEqual(clock.now());
      expect(((starts.at(-1) ?? 0) + interval) * 1000).toBeGreaterThan(clock.now());
      expect(series.at(-1)).toMatchObject({ ok: expect.any(Number), refused: expect.any(Number) });
      const all = (series as Overview['series']).reduce(
        (sum, { ok, refused, failed }) => sum + ok + refused + failed,
        0,
      );
      expect(all).toBe(totals.calls);
    },
  );

  it('of one mode are of that mode alone, by code or by name', async () => {
    const { totals, keys, codes } = await overview('?days=30&mode=2');
    expect([totals, keys.length, codes]).toEqual([
      { calls: 2, refused: 1, failed: 0 },
      1,
      [{ code: '4031', count: 1 }],
    ]);
    expect((await overview('?days=30&mode=TEST')).totals).toEqual(totals);
    expect((await overview('?days=30&mode=1')).totals).toEqual({ calls: 7, refused: 3, failed: 1 });
  });

  it('keep the name of a key that is gone, and follow one that was renamed', async () => {
    const [gone, renamed] = [
      await createKey(world, { name: 'Gone' }),
      await createKey(world, { name: 'Before' }),
    ];
    await write([{ key: gone }, { key: renamed }]);
    await world.db.query(sql`update api_keys set name = 'After' where id = ${renamed.apiKeyId}`);
    await world.db.query(sql`delete from api_keys where id = ${gone.apiKeyId}`);
    const names = (await overview('?days=1')).keys.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(['After', 'Gone', 'Live', 'Test']);
  });

  it('took as long as their classes of times say', async () => {
    expect(await overview('?days=30&mode=1')).toMatchObject({
      latency: { p50Ms: expect.any(Number), p95Ms: 10_000 },
    });
    const nobody = await tokenOf(world, 'ACC_DEMO_OUTSIDER');
    const { latency } = (await ask('?mode=2', nobody, 'WS_OTHER')).json().data;
    expect(latency).toEqual({ p50Ms: null, p95Ms: null });
    const times = { bounds: [1, 2, 5], counts: [0, 10, 10, 0] };
    expect([0.25, 0.5, 0.75, 1].map((share) => percentileOf(times, share))).toEqual([1.5, 2, 3.5, 5]);
    expect(percentileOf({ bounds: [1, 2, 5], counts: [0, 0, 0, 3] }, 0.5)).toBe(5);
  });

  it('are classed by the bounds that the database has', async () => {
    expect(await world.db.query(sql`select request_latency_bounds() as bounds`)).toEqual([
      { bounds: latencyBounds },
    ]);
  });

  it.each([1, 7, 30])(
    'are the same by key as by interval for %i days, whatever hour it is, also when a clock is ahead',
    async (days) => {
      const key = await createKey(world, { name: `Of ${days} days` });
      await write([-30, -1, 3, 17, 30, 100].map((hours) => ({ key, agoMs: hours * hourMs })));
      for (let hours = 0; hours < 24; hours += 1) {
        const now = () => clock.now() - hours * hourMs;
        const asked = { workspaceId: 'WS_DEMO', account: 'ACC_DEMO_OWNER', query: { days } };
        const { db } = world.services;
        const means = { db, lanes: db, asker: { id: 'ACC_DEMO_OWNER' }, now };
        const { totals, keys } = await readOverview(means, asked);
        const byKey = keys.reduce((sum, { calls }) => sum + calls, 0);
        expect([hours, byKey]).toEqual([hours, totals.calls]);
      }
    },
  );

  it('are shown to members alone, whatever they ask', async () => {
    const outsider = await tokenOf(world, 'ACC_DEMO_OUTSIDER');
    for (const query of ['', '?days=x'])
      for (const workspace of ['WS_DEMO', 'WS_NONE'])
        expect((await ask(query, outsider, workspace)).json().code).toBe('4030');
    expect((await ask('', viewer)).statusCode).toBe(200);
  });

  it.each([
    'days=2',
    'days=',
    'days=1e0',
    'days=-1',
    'days=7&days=7',
    'mode=3',
    'mode=live',
    'mode=1&mode=2',
    'days=%00',
    'mode=%ff',
  ])('are refused when asked for with %s', async (query) =>
    expect((await ask(`?${query}`)).json().code).toBe('4000'),
  );
});

type Entry = {
  kind: AttentionKind;
  subjectId: string;
  name: string;
  mode: string | null;
  at: string | null;
  message: string;
};

describe('what wants someone to look at it', () => {
  const dayMs = 24 * hourMs;
  const iso = (inMs: number) => new Date(clock.now() + inMs).toISOString();
  const set = (key: Key, change: ReturnType<typeof sql>) =>
    world.db.query(sql`update api_keys set ${change} where id = ${key.apiKeyId}`);
  const attention = async (query = '', token = owner): Promise<Entry[]> =>
    (await overview(query, token)).attention;
  const about = async ({ apiKeyId }: Key) =>
    (await attention()).filter(({ subjectId }) => subjectId === apiKeyId).map(({ kind, at }) => [kind, at]);

  async function addChannel(name: string, status: string, reason: string | null): Promise<void> {
    await world.db.query(sql`
      insert into channels (biz_id, workspace_id, type_code, name, mode, event_types, config, status, disabled_reason, failing_since, created_at, updated_at)
      select ${`NCH_${name}`}, id, 'WEBHOOK', ${name}, 'TEST', '{}', '{}', ${status}::channel_status, ${reason}, ${iso(-dayMs)}, ${iso(-dayMs)}, ${iso(-hourMs)}
      from workspaces where biz_id = 'WS_DEMO'`);
  }

  it('are keys that end within 14 days, and none that ended, end later or were ended by someone', async () => {
    const key = await createKey(world, { name: 'Ending' });
    const kinds = [];
    for (const inMs of [14 * dayMs, 14 * dayMs + 1, 1, 0]) {
      await set(key, sql`expires_at = ${iso(inMs)}`);
      kinds.push((await about(key)).map(([kind]) => kind));
    }
    expect(kinds).toEqual([['KEY_EXPIRES'], [], ['KEY_EXPIRES'], []]);
    await set(key, sql`expires_at = ${iso(dayMs)}, status = 'DISABLED'`);
    expect(await about(key)).toEqual([]);
    await set(key, sql`status = 'ACTIVE'`);
    expect(await about(key)).toEqual([['KEY_EXPIRES', iso(dayMs)]]);
  });

  it('are keys that nobody used for 90 days, from when they were made or used last', async () => {
    const key = await createKey(world, { name: 'Idle' });
    await set(key, sql`created_at = ${iso(-90 * dayMs)}`);
    expect(await about(key)).toEqual([]);
    await set(key, sql`created_at = ${iso(-90 * dayMs - 1)}`);
    expect(await about(key)).toEqual([['KEY_UNUSED', null]]);
    await set(key, sql`last_used_at = ${iso(-dayMs)}`);
    expect(await about(key)).toEqual([]);
    await set(key, sql`last_used_at = ${iso(-91 * dayMs)}`);
    expect(await about(key)).toEqual([['KEY_UNUSED', iso(-91 * dayMs)]]);
  });

  it('are keys without a scope, and rotations whose previous secret still works', async () => {
    const [bare, rotated] = [await createKey(world, { name: 'Bare', scopes: [] }), await createKey(world)];
    expect(await about(bare)).toEqual([['KEY_WITHOUT_SCOPE', null]]);
    const url = `/web/v1/workspaces/WS_DEMO/api-keys/${rotated.apiKeyId}`;
    await portalCall(world, owner, { url: `${url}/rotate`, body: { graceSeconds: 60 } });
    expect(await about(rotated)).toEqual([['ROTATION_OPEN', iso(60_000)]]);
    await portalCall(world, owner, { method: 'DELETE', url: `${url}/previous-secret` });
    expect(await about(rotated)).toEqual([]);
  });

  it('are channels that fail or were disabled for that, not those that someone disabled', async () => {
    await addChannel('works', 'ACTIVE', null);
    await addChannel('fails', 'FAILING', null);
    await addChannel('gone', 'DISABLED', 'GONE');
    await addChannel('off', 'DISABLED', 'OWNER');
    const failing = (await attention()).filter(({ kind }) => kind === 'CHANNEL_FAILING');
    expect(failing.map(({ subjectId, at, mode }) => [subjectId, at, mode])).toEqual([
      ['NCH_fails', iso(-dayMs), 'TEST'],
      ['NCH_gone', iso(-hourMs), 'TEST'],
    ]);
    expect((await attention('?mode=1')).filter(({ kind }) => kind === 'CHANNEL_FAILING')).toEqual([]);
    await world.db.query(sql`update channels set deleted_at = now() where name = 'gone'`);
    expect((await attention('?mode=2')).filter(({ kind }) => kind === 'CHANNEL_FAILING')).toHaveLength(1);
  });

  it('are owners without a second factor, who are named to owners alone', async () => {
    const owners = async (token: string) =>
      (await attention('', token)).filter(({ kind }) => kind === 'OWNER_WITHOUT_SECOND_FACTOR');
    expect(await owners(owner)).toMatchObject([
      { subjectId: 'ACC_DEMO_OWNER', name: 'owner@demo.test', mode: null, at: null },
    ]);
    expect(await owners(viewer)).toEqual([]);
    expect(JSON.stringify(await attention('', viewer))).not.toContain('@demo.test');
    const confirm = (at: string | null) =>
      world.db.query(sql`
      insert into second_factors (account_id, sealed, confirmed_at) select id, '', ${at} from accounts where biz_id = 'ACC_DEMO_OWNER'
      on conflict (account_id) do update set confirmed_at = excluded.confirmed_at`);
    await confirm(null);
    expect(await owners(owner)).toHaveLength(1);
    await confirm(iso(0));
    expect(await owners(owner)).toEqual([]);
    await world.db.query(sql`delete from second_factors`);
    // Who has no password signs in elsewhere.
    await world.db.query(sql`update accounts set password_hash = null where biz_id = 'ACC_DEMO_OWNER'`);
    expect(await owners(owner)).toEqual([]);
  });

  it('comes with the most urgent first, says what it is about, and has an end', async () => {
    const entries = await attention();
    const ranks = entries.map(({ kind }) => attentionKinds.indexOf(kind));
    expect(ranks).toEqual([...ranks].sort((one, other) => one - other));
    expect(ranks[0]).toBe(0);
    for (const { message, name } of entries) expect(message).toContain(name);
    expect(entries.map(({ message }) => message)).toContain(
      'The key Bare has no scope, so all that it asks for is refused',
    );
    await world.db.query(sql`
      insert into api_keys (id, workspace_id, name, mode, scopes, ip_whitelist, created_at)
      select 'ak_test_many' || n, w.id, 'Many', 'TEST', '{}', '{}', now() from workspaces w, generate_series(1, 150) n where w.biz_id = 'WS_DEMO'`);
    expect(await attention()).toHaveLength(100);
  });
});
