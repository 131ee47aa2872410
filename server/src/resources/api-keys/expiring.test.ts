import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createStillClock, openWorld, portalCall, tokenOf, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { sweep } from '../../sweep.ts';
import { tellExpiring } from './expiring.ts';

const url = '/web/v1/workspaces/WS_DEMO/api-keys';
const [hour, day] = [3600, 86_400];

let world: World;
let other: World;
let token: string;
beforeAll(async () => {
  world = await openWorld({ clock: createStillClock() });
  other = await openWorld({ database: world.database, clock: world.clock });
});
beforeEach(async () => {
  token = await tokenOf(world, 'ACC_DEMO_OWNER');
});
afterAll(async () => {
  await other.close();
  await world.close();
});

const inDays = (days: number) => new Date(world.clock.now() + days * day * 1000).toISOString();
const create = async (expiresAt: string | null, mode = 1): Promise<string> =>
  (await portalCall(world, token, { url, body: { name: 'x', mode, expiresAt } })).json().data.apiKeyId;
const change = (id: string, body: object) =>
  portalCall(world, token, { method: 'PATCH', url: `${url}/${id}`, body });
const tell = (at = world) => tellExpiring(at.db, world.clock.now());

type Told = { days: number; mode: string; actor: string; data: { apiKeyId: string } };
const toldOf = async (id: string): Promise<Told[]> => {
  const rows = await world.db.query<Omit<Told, 'data' | 'days'> & { changes: string; data: string }>(sql`
    select changes, event_mode::text as mode, actor_type || ' ' || actor_id as actor, event_data as data
    from audit_waiting where subject_id = ${id} and event_type = 'api-key.expiring' order by id`);
  return rows.map(({ changes, data, ...row }) => ({
    ...row,
    days: JSON.parse(changes).expiresInDays.to,
    data: JSON.parse(data),
  }));
};
const daysOf = async (id: string) => (await toldOf(id)).map(({ days }) => days);

describe('a key that expires', () => {
  it('is told of 14, 3 and 1 days before, once each, by whichever instance', async () => {
    const id = await create(inDays(20), 2);
    const seen: [number, number[]][] = [];
    for (let hours = 0; hours <= 21 * 24; hours += 6) {
      await Promise.all([tell(), tell(other), tell(), tell(other)]);
      const told = await daysOf(id);
      if (told.length !== (seen.at(-1)?.[1].length ?? 0)) seen.push([20 - hours / 24, told]);
      world.clock.advance(6 * hour);
    }
    expect(seen).toEqual([
      [14, [14]],
      [3, [14, 3]],
      [1, [14, 3, 1]],
    ]);
    const shown = (
      await portalCall(world, await tokenOf(world, 'ACC_DEMO_OWNER'), { method: 'GET', url: `${url}/${id}` })
    ).json().data;
    const [first] = await toldOf(id);
    expect(first).toEqual({
      days: 14,
      mode: 'TEST',
      actor: 'SYSTEM portico',
      data: { ...shown, status: 'ACTIVE' },
    });
  });

  it('is told of the nearest alone when several have passed, and never when it has ended', async () => {
    const ids = [
      await create(inDays(2)),
      await create(inDays(0.5)),
      await create(inDays(14)),
      await create(null),
    ];
    const ended = await create(inDays(1));
    await change(ended, { expiresAt: inDays(-1) });
    await tell();
    expect(await Promise.all(ids.map(daysOf))).toEqual([[3], [1], [14], []]);
    expect(await daysOf(ended)).toEqual([]);
    world.clock.advance(30 * day);
    await tell();
    expect(await Promise.all(ids.map(daysOf))).toEqual([[3], [1], [14], []]);
  });

  it('is told of anew when its end is another, and not when anything else is', async () => {
    const id = await create(inDays(10));
    await tell();
    await change(id, { name: 'y', expiresAt: inDays(10) });
    await tell();
    expect(await daysOf(id)).toEqual([14]);
    await change(id, { expiresAt: inDays(2) });
    await tell();
    await change(id, { expiresAt: inDays(40) });
    await tell();
    expect(await daysOf(id)).toEqual([14, 3]);
    world.clock.advance(27 * day);
    await tell();
    expect(await daysOf(id)).toEqual([14, 3, 14]);
  });

  it('is told of while it works: one that is disabled when it is enabled again', async () => {
    const id = await create(inDays(15));
    await portalCall(world, token, { url: `${url}/${id}/disable` });
    world.clock.advance(2 * day);
    await tell();
    expect(await daysOf(id)).toEqual([]);
    await portalCall(world, await tokenOf(world, 'ACC_DEMO_OWNER'), { url: `${url}/${id}/enable` });
    await sweep(world.services, world.db);
    expect(await daysOf(id)).toEqual([14]);
  });

  it('is told of with all others, however many there are, and past one that somebody holds', async () => {
    await world.db.query(sql`
      insert into api_keys (id, workspace_id, name, mode, scopes, ip_whitelist, created_at, expires_at, expiry_tells_at)
      select 'ak_many_' || n, 1, 'x', 'LIVE', '{}', '{}', now(), to_timestamp(${world.clock.now() / 1000 + 13 * day}), to_timestamp(${world.clock.now() / 1000 - day})
      from generate_series(1, 250) n`);
    await world.db.query(
      sql`insert into api_key_secrets (api_key_id, version, sealed) select id, 1, '' from api_keys where id like 'ak\\_many%'`,
    );
    const count = async () =>
      (
        await world.db.query(
          sql`select 1 from audit_waiting where event_type = 'api-key.expiring' and subject_id like 'ak\\_many%'`,
        )
      ).length;
    await world.db.transaction(async (tx) => {
      await tx.query(sql`select 1 from api_keys where id = 'ak_many_7' for update`);
      const steps = [await tell(), await tell(), await tell()];
      expect([steps, await count()]).toEqual([[true, true, false], 249]);
    });
    await tell();
    expect([await count(), await daysOf('ak_many_7')]).toEqual([250, [14]]);
  });
});
