import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
import { sweepRevokedKeys } from './queries.ts';

const url = '/web/v1/workspaces/WS_DEMO/api-keys';

let world: World;
let token: string;
beforeEach(async () => {
  world = await openWorld();
  token = await signIn(world);
});
afterEach(() => world.close());

/** Keys that were revoked before, the later ones by their number; without a time where nobody wrote it down. */
const addRevoked = (count: number, workspace: string, hasTime = true) =>
  world.db.query(sql`
    with added as (
      insert into api_keys (id, workspace_id, name, status, mode, scopes, ip_whitelist, created_at, revoked_at)
      select 'ak_live_' || w.id || lpad(n::text, 24, '0'), w.id, n::text, 'REVOKED', 'LIVE', '{}', '{}', now(),
        case when ${hasTime} then now() - interval '1 day' + n * interval '1 second' end
      from workspaces w, generate_series(1, ${count}::int) n where w.biz_id = ${workspace} returning id)
    insert into api_key_secrets (api_key_id, version, sealed) select id, 1, '' from added`);
const revoke = ({ apiKeyId }: Key) => portalCall(world, token, { url: `${url}/${apiKeyId}/revoke` });
const list = async (query = '') =>
  (await portalCall(world, token, { method: 'GET', url: `${url}${query}` })).json().data;
const counts = async () => {
  const rows = await world.db.query<{ name: string; count: number }>(sql`
    select w.biz_id as name, count(*) as count from api_keys k join workspaces w on w.id = k.workspace_id
    where k.status = 'REVOKED' group by 1`);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
};

describe('revoked keys', () => {
  it('are kept up to 200 in a workspace: one more, and the one revoked longest ago is gone', async () => {
    await addRevoked(200, 'WS_DEMO');
    const [first, second] = [await createKey(world), await createKey(world)];
    for (const [key, names] of [
      [first, ['1']],
      [second, ['1', '2']],
    ] as const) {
      const revoked = await revoke(key);
      expect([revoked.statusCode, revoked.json().data.status]).toEqual([200, 'REVOKED']);
      expect((await list('?status=REVOKED')).totalElements).toBe(200);
      const { content } = await list('?status=REVOKED&size=100&sort=createdAt,asc');
      for (const name of names)
        expect(content.map((each: Key & { name: string }) => each.name)).not.toContain(name);
    }
    expect((await signedCall(world, second, { url: '/api/v1/transfers' })).json().code).toBe('4015');
    expect(
      await world.db.query(sql`select 1 from api_key_secrets where api_key_id like '%1'`),
    ).not.toHaveLength(0);
    const [orphans] = await world.db.query<{ count: number }>(sql`
      select count(*) as count from api_key_secrets s where not exists (select 1 from api_keys k where k.id = s.api_key_id)`);
    expect(orphans).toEqual({ count: 0 });
  });

  it('are deleted by age of their revocation, not of the key: the key just revoked is always shown', async () => {
    const old = await createKey(world);
    await world.db.query(sql`update api_keys set created_at = '2020-01-01' where id = ${old.apiKeyId}`);
    await addRevoked(200, 'WS_DEMO');
    expect((await revoke(old)).json().data).toMatchObject({ apiKeyId: old.apiKeyId, status: 'REVOKED' });
    expect(
      (await portalCall(world, token, { method: 'GET', url: `${url}/${old.apiKeyId}` })).statusCode,
    ).toBe(200);
  });

  it('from before the bound are swept 500 at a time, in every workspace, and no other key is', async () => {
    await addRevoked(950, 'WS_DEMO', false);
    await addRevoked(260, 'WS_OTHER');
    await addRevoked(150, 'WS_DEMO_2', false);
    const active = await createKey(world);
    const more: boolean[] = [];
    for (let step = 0; step < 3; step += 1) more.push(await sweepRevokedKeys(world.db));
    expect(more).toEqual([true, false, false]);
    expect(await counts()).toEqual({ WS_DEMO: 200, WS_OTHER: 200, WS_DEMO_2: 150 });
    expect((await signedCall(world, active, { url: '/api/v1/transfers' })).statusCode).toBe(200);
    expect((await list()).totalElements).toBe(201);
  });

  it('are found by an index of their own, in its order, however many there are', async () => {
    await addRevoked(5000, 'WS_OTHER');
    await world.db.query(sql`analyze api_keys`);
    const [other] = await world.db.query<{ id: number }>(
      sql`select id from workspaces where biz_id = 'WS_OTHER'`,
    );
    const plan = async (query: ReturnType<typeof sql>) =>
      JSON.stringify(await world.db.query(sql`explain (format json) ${query}`));
    const excess = sql`select id from api_keys where workspace_id = ${other?.id} and status = 'REVOKED'
      order by revoked_at desc nulls last, id desc offset 200 limit 100`;
    expect(await plan(excess)).toMatch(/Index.*api_keys_revoked/);
    expect(await plan(excess)).not.toContain('Sort');
  });
});
