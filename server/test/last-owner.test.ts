import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { addMember, inviteTo, membersUrl } from './support/people.ts';
import { type Call, openWorld, portalCall, tokenOf, type World } from './world.ts';

const rounds = 200;

let database: TestDatabase;
let here: World;
let there: World;
beforeAll(async () => {
  database = await createDatabase();
  [here, there] = [await openWorld({ database }), await openWorld({ database })];
});
afterAll(async () => {
  await here.close();
  await there.close();
  await database.drop();
});

const demote = (id: string): Call => ({
  method: 'PATCH',
  url: `${membersUrl}/${id}`,
  body: { role: 'VIEWER' },
});
const remove = (id: string): Call => ({ method: 'DELETE', url: `${membersUrl}/${id}` });
const newKey: Call = { url: '/web/v1/workspaces/WS_DEMO/api-keys', body: { name: 'x' } };

const activeOwners = async () =>
  (
    await here.db.query(sql`
      select 1 from workspace_members m join accounts a on a.id = m.account_id join workspaces w on w.id = m.workspace_id
      where w.biz_id = 'WS_DEMO' and m.role = 'OWNER' and a.status = 'ACTIVE'`)
  ).length;

describe('two owners who act at once on two instances', () => {
  it(`leave an owner, ${rounds} times out of ${rounds}, and meet no failure of the service`, async () => {
    const a = await tokenOf(here, 'ACC_DEMO_OWNER');
    const b = await addMember(here, 'ACC_B', 'OWNER');
    const [one, other] = ['ACC_DEMO_OWNER', 'ACC_B'];
    /** By the first owner and by the second: each other, and themselves. */
    const fights: [Call, Call][] = [
      [demote(other), remove(one)],
      [remove(other), remove(one)],
      [demote(other), demote(one)],
      [demote(one), remove(other)],
      [remove(one), demote(other)],
    ];
    const outcomes = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      await addMember(here, one, 'OWNER');
      await addMember(here, other, 'OWNER');
      const [first, second] = fights[round % fights.length] as [Call, Call]; // the rest of a division by its length
      const answers = await Promise.all([
        portalCall(here, a, first),
        portalCall(there, b, second),
        // What locks the workspace after its owner would wait for them in a circle.
        portalCall(round % 2 === 0 ? here : there, round % 4 < 2 ? a : b, newKey),
      ]);
      const told = answers.slice(0, 2).map(({ statusCode }) => statusCode);
      expect(answers.filter(({ statusCode }) => statusCode >= 500).map(({ body }) => body)).toEqual([]);
      expect([round, await activeOwners()]).toEqual([round, expect.toSatisfy((count: number) => count >= 1)]);
      outcomes.set(told.join(), (outcomes.get(told.join()) ?? 0) + 1);
      await here.db.query(sql`delete from api_keys where name = 'x'`);
    }
    // Each of them won some, and nobody ever both.
    expect(outcomes.get('200,200')).toBeUndefined();
    expect(outcomes.size).toBeGreaterThanOrEqual(2);
    const [deadlocks] = await here.db.query<{ count: number }>(
      sql`select deadlocks as count from pg_stat_database where datname = current_database()`,
    );
    expect(deadlocks?.count).toBe(0);
  });

  it('take someone out of two workspaces of an institution at once, and out of the institution with them', async () => {
    await addMember(here, 'ACC_DEMO_OWNER', 'OWNER');
    await addMember(here, 'ACC_DEMO_OWNER', 'OWNER', 'WS_DEMO_2');
    const owner = await tokenOf(here, 'ACC_DEMO_OWNER');
    const second = (path: string) => `/web/v1/workspaces/WS_DEMO_2/${path}`;
    const institutions = () =>
      here.db.query<{ is_in: boolean; workspaces: number }>(sql`
        select exists (select 1 from institution_members i where i.account_id = a.id) as is_in,
          (select count(*) from workspace_members m where m.account_id = a.id) as workspaces
        from accounts a where a.biz_id = 'ACC_C'`);
    for (let round = 0; round < 25; round += 1) {
      await addMember(here, 'ACC_C', 'MEMBER');
      await addMember(here, 'ACC_C', 'MEMBER', 'WS_DEMO_2');
      await Promise.all([
        portalCall(here, owner, remove('ACC_C')),
        portalCall(there, owner, { method: 'DELETE', url: second('members/ACC_C') }),
      ]);
      expect(await institutions()).toEqual([{ is_in: false, workspaces: 0 }]);
    }
    for (let round = 0; round < 25; round += 1) {
      const token = await addMember(here, 'ACC_C', 'MEMBER');
      const link = await inviteTo(here, owner, 'acc_c@demo.test', 'MEMBER', second('invitations'));
      const answers = await Promise.all([
        portalCall(here, owner, remove('ACC_C')),
        portalCall(there, token, { url: '/web/v1/invitations/accept', body: { token: link.token } }),
      ]);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      expect(await institutions()).toEqual([{ is_in: true, workspaces: 1 }]);
      await portalCall(here, owner, { method: 'DELETE', url: second('members/ACC_C') });
    }
  });
});
