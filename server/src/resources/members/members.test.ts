import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionSuite } from '../../../test/suites/collection.ts';
import { addMember, inviteTo, lookup, membersUrl } from '../../../test/support/people.ts';
import { openWorld, portalCall, signIn, tokenOf, type World } from '../../../test/world.ts';
import { MemberRecord } from '../../auth/portal/member-record.ts';
import { sql } from '../../db/sql.ts';
import { members } from './collection.ts';

const filled = new WeakMap<World, Promise<string>>();

/** The demo world has two members: 60 more, with names beyond ASCII, ties, and some who never signed in. */
async function fill(world: World): Promise<string> {
  await world.db.query(sql`
    with added as (
      insert into accounts (biz_id, email, name, status, last_sign_in_at)
      select 'ACC_' || n, 'p' || n || '@demo.test', (array['Zoë', 'adam', '张伟', 'Ådne'])[1 + n % 4],
        (array['ACTIVE', 'DISABLED'])[1 + n % 2]::account_status, case when n % 3 = 0 then null else '2024-01-01Z'::timestamptz + n * interval '1 hour' end
      from generate_series(1, 60) n returning id)
    insert into workspace_members (account_id, workspace_id, role, joined_at)
    select a.id, w.id, (array['OWNER', 'MEMBER', 'VIEWER'])[1 + a.id % 3]::workspace_role, '2024-01-01Z'::timestamptz + (a.id / 5) * interval '1 day'
    from added a, workspaces w where w.biz_id in ('WS_DEMO', 'WS_OTHER')`);
  return tokenOf(world, 'ACC_DEMO_VIEWER');
}

collectionSuite({
  name: 'the members of a workspace',
  shape: 'flat',
  fields: Object.keys(MemberRecord.properties),
  sortable: Object.keys(members.sortable),
  defaultSort: 'joinedAt,asc',
  id: 'accountId',
  total: async () => 62,
  async get(world, query, noMatch) {
    const token = filled.get(world) ?? fill(world);
    filled.set(world, token);
    if (noMatch) await world.db.query(sql`update workspace_members set role = 'OWNER' where role = 'MEMBER'`);
    const filter = noMatch ? `${query === '' ? '?' : '&'}role=MEMBER` : '';
    return portalCall(world, await token, { method: 'GET', url: `${membersUrl}${query}${filter}` });
  },
});

describe('members of a workspace', () => {
  let world: World;
  let owner: string;
  beforeAll(async () => {
    world = await openWorld();
    owner = await signIn(world);
  });
  afterAll(() => world.close());

  const list = (token: string, query = '') =>
    portalCall(world, token, { method: 'GET', url: `${membersUrl}${query}` });
  const change = (token: string, id: string, body: unknown) =>
    portalCall(world, token, { method: 'PATCH', url: `${membersUrl}/${id}`, body });
  const remove = (token: string, id: string) =>
    portalCall(world, token, { method: 'DELETE', url: `${membersUrl}/${id}` });
  const signOut = (token: string, id: string) =>
    portalCall(world, token, { url: `${membersUrl}/${id}/sign-out` });
  const told = async (answer: ReturnType<typeof change>) => {
    const { statusCode, ...rest } = await answer;
    return [statusCode, rest.json().code];
  };
  const rolesOf = (id: string) =>
    world.db.query<{ workspace: string; role: string }>(sql`
      select w.biz_id as workspace, m.role::text as role from workspace_members m join workspaces w on w.id = m.workspace_id
      join accounts a on a.id = m.account_id where a.biz_id = ${id} order by 1`);
  const institutionsOf = async (id: string) =>
    (
      await world.db.query(sql`
      select 1 from institution_members m join accounts a on a.id = m.account_id where a.biz_id = ${id}`)
    ).length;
  const lastRecord = async () =>
    (
      await world.db.query<{ action: string; subject_type: string; subject_id: string; changes: string }>(sql`
      select action, subject_type, subject_id, changes from audit_waiting order by id desc limit 1`)
    )[0];

  it('are shown to every role, and to nobody else', async () => {
    const viewer = await signIn(world, 'viewer@demo.test');
    const { content } = (await list(viewer, '?sort=email,asc')).json().data;
    expect(content).toEqual([
      {
        accountId: 'ACC_DEMO_OWNER',
        email: 'owner@demo.test',
        name: 'Demo Owner',
        role: 'OWNER',
        status: 'ACTIVE',
        lastSignInAt: expect.stringMatching(/Z$/),
        joinedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/),
      },
      expect.objectContaining({ accountId: 'ACC_DEMO_VIEWER', role: 'VIEWER' }),
    ]);
    const outsider = await signIn(world, 'outsider@demo.test');
    expect(await told(list(outsider))).toEqual([403, '4030']);
  });

  it('are given another role by an owner, which counts with the next request and is written down', async () => {
    const token = await addMember(world, 'ACC_A', 'VIEWER');
    const answer = await change(owner, 'ACC_A', { role: 'MEMBER' });
    expect([answer.statusCode, answer.json().data]).toEqual([
      200,
      expect.objectContaining({ accountId: 'ACC_A', role: 'MEMBER' }),
    ]);
    expect(await lastRecord()).toEqual({
      action: 'member.changed',
      subject_type: 'MEMBER',
      subject_id: 'ACC_A',
      changes: '{"role":{"from":"VIEWER","to":"MEMBER"}}',
    });
    expect(await told(change(token, 'ACC_DEMO_VIEWER', { role: 'OWNER' }))).toEqual([403, '4030']);
    await change(owner, 'ACC_A', { role: 'OWNER' });
    expect(await told(change(token, 'ACC_DEMO_VIEWER', { role: 'VIEWER' }))).toEqual([200, '2000']);
    await change(owner, 'ACC_A', { role: 'VIEWER' });
    expect(await told(change(token, 'ACC_A', { role: 'OWNER' }))).toEqual([403, '4030']);
  });

  it('are refused roles that are none, in lower case, or absent with 400 4000', async () => {
    for (const role of [
      'owner',
      'ADMIN',
      '',
      ' OWNER',
      'OWNER\0',
      'OWNER,VIEWER',
      null,
      1,
      ['OWNER'],
      { a: 1 },
    ])
      expect([role, ...(await told(change(owner, 'ACC_A', { role })))]).toEqual([role, 400, '4000']);
    expect(await told(change(owner, 'ACC_A', {}))).toEqual([400, '4000']);
    expect(await rolesOf('ACC_A')).toEqual([{ workspace: 'WS_DEMO', role: 'VIEWER' }]);
  });

  it('are not found by ids of other tenants, of nobody, or of the database', async () => {
    for (const id of ['ACC_DEMO_OUTSIDER', 'ACC_NOBODY', '1', 'acc_a', '%00', '%27%20or%201=1']) {
      const refusal = id === '%00' ? [400, '4000'] : [404, '4040'];
      expect([id, ...(await told(change(owner, id, { role: 'VIEWER' })))]).toEqual([id, ...refusal]);
      expect([id, ...(await told(remove(owner, id)))]).toEqual([id, ...refusal]);
    }
    expect(await rolesOf('ACC_DEMO_OUTSIDER')).toEqual([{ workspace: 'WS_OTHER', role: 'OWNER' }]);
  });

  it('are removed by owners alone, leave by themselves, and have no access from the next request on', async () => {
    const token = await addMember(world, 'ACC_B', 'MEMBER');
    expect((await list(token)).statusCode).toBe(200);
    for (const role of ['VIEWER', 'MEMBER'])
      expect(await told(remove(await addMember(world, 'ACC_C', role), 'ACC_B'))).toEqual([403, '4030']);
    const answer = await remove(owner, 'ACC_B');
    expect([answer.statusCode, answer.json().data]).toEqual([200, null]);
    expect(await lastRecord()).toEqual({
      action: 'member.removed',
      subject_type: 'MEMBER',
      subject_id: 'ACC_B',
      changes: '{"role":{"from":"MEMBER","to":null}}',
    });
    expect(await told(list(token))).toEqual([403, '4030']);
    expect(await told(remove(token, 'ACC_B'))).toEqual([403, '4030']);
    expect(await told(remove(await tokenOf(world, 'ACC_C'), 'ACC_C'))).toEqual([200, '2000']);
    expect(await rolesOf('ACC_C')).toEqual([]);
  });

  it('are signed out by owners alone, at once and everywhere, and sign in anew', async () => {
    const before = await addMember(world, 'ACC_S', 'MEMBER');
    const [tokens, others] = [
      [before, await tokenOf(world, 'ACC_S')],
      await addMember(world, 'ACC_T', 'MEMBER'),
    ];
    expect(await told(signOut(others, 'ACC_S'))).toEqual([403, '4030']);
    expect(await told(signOut(before, 'ACC_S'))).toEqual([403, '4030']);
    expect(await told(signOut(owner, 'ACC_DEMO_OUTSIDER'))).toEqual([404, '4040']);
    expect(await told(list(before))).toEqual([200, '2000']);
    expect(await told(signOut(owner, 'ACC_S'))).toEqual([200, '2000']);
    expect(await lastRecord()).toEqual({
      action: 'member.signed-out',
      subject_type: 'MEMBER',
      subject_id: 'ACC_S',
      changes: '{"signIns":{"from":2,"to":0}}',
    });
    for (const token of tokens) expect(await told(list(token))).toEqual([401, '4010']);
    expect(await told(list(others))).toEqual([200, '2000']);
    expect(await told(list(await tokenOf(world, 'ACC_S')))).toEqual([200, '2000']);
  });

  it('lose the institution with the last of its workspaces, and not before', async () => {
    await addMember(world, 'ACC_D', 'MEMBER');
    await addMember(world, 'ACC_D', 'VIEWER', 'WS_DEMO_2');
    await addMember(world, 'ACC_D', 'VIEWER', 'WS_OTHER');
    expect(await institutionsOf('ACC_D')).toBe(2);
    await remove(owner, 'ACC_D');
    expect(await institutionsOf('ACC_D')).toBe(2);
    const leave = { method: 'DELETE' as const, url: '/web/v1/workspaces/WS_DEMO_2/members/ACC_D' };
    expect((await portalCall(world, await tokenOf(world, 'ACC_D'), leave)).statusCode).toBe(200);
    expect(await institutionsOf('ACC_D')).toBe(1);
    expect(await rolesOf('ACC_D')).toEqual([{ workspace: 'WS_OTHER', role: 'VIEWER' }]);
  });

  it('keep their last active owner, who cannot be demoted, removed or leave: 409 4094', async () => {
    const other = await addMember(world, 'ACC_E', 'OWNER');
    await world.db.query(sql`update accounts set status = 'DISABLED' where biz_id = 'ACC_E'`);
    for (const role of ['MEMBER', 'VIEWER'])
      expect(await told(change(owner, 'ACC_DEMO_OWNER', { role }))).toEqual([409, '4094']);
    expect(await told(remove(owner, 'ACC_DEMO_OWNER'))).toEqual([409, '4094']);
    expect(await told(change(owner, 'ACC_DEMO_OWNER', { role: 'OWNER' }))).toEqual([200, '2000']);
    await world.db.query(sql`update accounts set status = 'ACTIVE' where biz_id = 'ACC_E'`);
    expect(await told(remove(other, 'ACC_DEMO_OWNER'))).toEqual([200, '2000']);
    expect(await told(remove(other, 'ACC_E'))).toEqual([409, '4094']);
    expect(await told(change(owner, 'ACC_E', { role: 'VIEWER' }))).toEqual([403, '4030']);
    await addMember(world, 'ACC_DEMO_OWNER', 'OWNER');
    await world.db.query(sql`update accounts set status = 'DISABLED' where biz_id = 'ACC_E'`);
    expect(await told(remove(owner, 'ACC_E'))).toEqual([200, '2000']);
  });

  it('who are no owners any more leave no way in: what they invited is revoked', async () => {
    const rogue = await addMember(world, 'ACC_F', 'OWNER');
    const first = await inviteTo(world, rogue, 'second-self@demo.test', 'OWNER');
    const kept = await inviteTo(world, owner, 'colleague@demo.test');
    await change(owner, 'ACC_F', { role: 'MEMBER' });
    expect((await lookup(world, first.token)).statusCode).toBe(404);
    expect((await lastRecord())?.changes).toBe(
      '{"pendingInvitations":{"from":1,"to":0},"role":{"from":"OWNER","to":"MEMBER"}}',
    );
    await change(owner, 'ACC_F', { role: 'OWNER' });
    const second = await inviteTo(world, rogue, 'second-self@demo.test', 'OWNER');
    await remove(owner, 'ACC_F');
    expect((await lookup(world, second.token)).statusCode).toBe(404);
    expect((await lookup(world, kept.token)).statusCode).toBe(200);
  });
});
