import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createKey,
  createStillClock,
  type Key,
  openWorld,
  signedCall,
  type World,
} from '../../test/world.ts';
import { sql } from '../db/sql.ts';
import { verifyTally } from '../db/tally.ts';
import { createSettler } from './settle.ts';

const url = '/api/v1/transfers';

let world: World;
let other: World;
let key: Key;
beforeAll(async () => {
  world = await openWorld({ clock: createStillClock() });
  other = await openWorld({ database: world.database, clock: world.clock });
  key = await createKey(world, { mode: 2, scopes: ['transfers:read', 'transfers:write'] });
});
afterAll(async () => {
  await other.close();
  await world.close();
});

const settle = (at = world) => createSettler(at.db, world.clock.now)();
const post = (path: string, body = {}, at = world) =>
  signedCall(
    at,
    key,
    { method: 'POST', url: `${url}${path}`, body: JSON.stringify(body) },
    { 'content-type': 'application/json' },
  );
const create = async (amount: string): Promise<string> =>
  (await post('', { amount, currency: 'USD' })).json().data.transferId;
const show = async (id: string) => (await signedCall(world, key, { url: `${url}/${id}` })).json().data;
const movesOf = async (id: string) => {
  const rows = await world.db.query<{
    actor: string;
    changes: string;
    told: string;
    mode: string;
    data: string;
  }>(sql`
    select actor_type || ' ' || actor_id as actor, changes, event_type as told, event_mode::text as mode, event_data as data
    from audit_waiting where subject_id = ${id} and action not in ('transfer.created', 'transfer.cancelled') order by id`);
  return rows.map(({ changes, data, ...row }) => ({
    ...row,
    data: JSON.parse(data),
    ...JSON.parse(changes),
  }));
};

describe('a TEST transfer', () => {
  it.each([
    ['12.50', 'PROCESSING', 'COMPLETED'],
    ['13.00', 'PROCESSING', 'FAILED'],
    ['1913.99', 'PROCESSING', 'FAILED'],
    ['0.13', 'PROCESSING', 'COMPLETED'],
    ['130.00', 'PROCESSING', 'COMPLETED'],
    ['17.00', 'PENDING', 'PENDING'],
    ['999999999999917.00', 'PENDING', 'PENDING'],
    ['19.00', 'PROCESSING', 'PROCESSING'],
  ])('of %s is %s and then %s, within ten seconds, and stays so', async (amount, first, last) => {
    const id = await create(amount);
    const seen = [await show(id)];
    for (let second = 0; second < 10; second++) {
      world.clock.advance(1);
      await settle();
      seen.push(await show(id));
    }
    const statuses = [...new Set(seen.map(({ status }) => status))];
    expect(statuses).toEqual([...new Set(['PENDING', first, last])]);
    const times = [...new Set(seen.map(({ updatedAt }) => updatedAt))];
    expect(times).toHaveLength(statuses.length);
    expect(times).toEqual([...times].sort());
    const moves = await movesOf(id);
    expect(moves.map(({ actor, status }) => ({ actor, ...status }))).toEqual(
      statuses.slice(1).map((to, index) => ({ actor: 'SYSTEM settlement', from: statuses[index], to })),
    );
    expect(moves.map(({ told, mode, data }) => [told, mode, data])).toEqual(
      statuses
        .slice(1)
        .map((status) => [
          `transfer.${status.toLowerCase()}`,
          'TEST',
          seen.find((record) => record.status === status),
        ]),
    );
    expect(moves.map(({ failureReason }) => failureReason?.to !== undefined)).toEqual(
      statuses.slice(1).map((status) => status === 'FAILED'),
    );
    world.clock.advance(3600);
    await settle();
    expect((await show(id)).status).toBe(last);
  });

  it('that ends in 17 is cancelled at any time, and one that ends in 19 is not', async () => {
    const [waiting, stuck] = [await create('17.00'), await create('19.00')];
    world.clock.advance(5);
    await settle();
    expect((await post(`/${waiting}/cancel`)).json().data.status).toBe('CANCELLED');
    const refused = await post(`/${stuck}/cancel`);
    expect([refused.statusCode, refused.json().code]).toEqual([409, '4091']);
  });

  it('is either cancelled or settled, never both, when both happen at once on two instances', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => create('12.50')));
    world.clock.advance(3);
    const cancels = ids.map((id, index) => post(`/${id}/cancel`, {}, index % 2 === 0 ? world : other));
    const [answers] = await Promise.all([Promise.all(cancels), settle(), settle(other)]);
    world.clock.advance(3);
    await settle();
    for (const [index, id] of ids.entries()) {
      const isCancelled = answers[index]?.statusCode === 200;
      expect((await show(id)).status).toBe(isCancelled ? 'CANCELLED' : 'COMPLETED');
      expect((await movesOf(id)).length).toBe(isCancelled ? 0 : 2);
      if (!isCancelled) expect(answers[index]?.json().code).toBe('4091');
    }
  });
});

describe('settling', () => {
  it('leaves LIVE transfers and those from before alone', async () => {
    const live = sql`select biz_id, status::text, updated_at from transfers where mode = 'LIVE' or biz_id not like 'TRF_0%' order by id`;
    const before = await world.db.query(live);
    world.clock.advance(60);
    await settle();
    expect(await world.db.query(live)).toEqual(before);
  });

  it('gives each workspace its turn, however many transfers another has, and counts stay exact', async () => {
    const many = 2000;
    await world.db.query(sql`
      insert into transfers (biz_id, workspace_id, mode, amount, currency, status, created_at, updated_at, moves_at)
      select w.biz_id || n, w.id, 'TEST', 1.00, 'EUR', 'PENDING', at, at, at from (select to_timestamp(${world.clock.now() / 1000}::float8) - interval '1 minute' as at) a,
        workspaces w cross join lateral generate_series(1, case w.biz_id when 'WS_DEMO' then ${many}::int else 1 end) n`);
    let begun: number | undefined;
    const left = sql`select count(*) filter (where w.biz_id = 'WS_DEMO') as here, count(*) filter (where w.biz_id <> 'WS_DEMO') as elsewhere
      from transfers t join workspaces w on w.id = t.workspace_id where t.moves_at is not null and t.status = 'PENDING'`;
    const watched = {
      ...world.db,
      async transaction<Result>(work: Parameters<typeof world.db.transaction<Result>>[0]) {
        const result = await world.db.transaction(work);
        const [row] = await world.db.query<{ here: number; elsewhere: number }>(left);
        if (row?.elsewhere === 0) begun ??= many - row.here;
        return result;
      },
    };
    await createSettler(watched, world.clock.now)();
    expect(begun).toBeLessThanOrEqual(50);
    world.clock.advance(3);
    await Promise.all([settle(), settle(other)]);
    const [rest] = await world.db.query<{ count: number }>(
      sql`select count(*) as count from transfers where moves_at is not null`,
    );
    expect(rest?.count).toBe(0);
    expect([
      ...(await verifyTally(world.db, 'transfers')),
      ...(await verifyTally(world.db, 'transfers_updated')),
    ]).toEqual([]);
  });
});
