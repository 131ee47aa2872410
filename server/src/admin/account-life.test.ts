import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  lastRecord,
  newcomer,
  newWorkspace,
  recorded,
  refusal,
  rowsOf,
  run,
} from '../../test/support/operator.ts';
import { openWorld, portalCall, tokenOf, type World } from '../../test/world.ts';
import { invite } from '../auth/portal/member-changes.ts';
import { sql } from '../db/sql.ts';

let world: World;
let other: World;
beforeAll(async () => {
  world = await openWorld();
  other = await openWorld({ database: world.database, clock: world.clock });
});
afterAll(async () => {
  await other.close();
  await world.close();
});

describe('an account', () => {
  it('is disabled, which ends its sign-ins and tokens at once on every instance, and enabled again', async () => {
    const { accountId, email } = await newcomer(world);
    const workspace = await newWorkspace(world, 'owner@demo.test');
    await run(world, 'addMember', { workspace, account: email, role: 'VIEWER' });
    const token = await tokenOf(world, accountId);
    const codes = () =>
      Promise.all(
        [world, other].map(async (at) => {
          const url = `/web/v1/workspaces/${workspace}/api-keys`;
          return (await portalCall(at, token, { method: 'GET', url })).json().code;
        }),
      );
    expect(await codes()).toEqual(['2000', '2000']);
    expect(await run(world, 'disableAccount', { account: email })).toMatchObject({
      accountId,
      status: 'DISABLED',
    });
    expect(await lastRecord(world)).toEqual(
      recorded('account.disabled', accountId, {
        status: { from: 'ACTIVE', to: 'DISABLED' },
        signIns: { from: 1, to: 0 },
      }),
    );
    expect(await codes()).toEqual(['4010', '4010']);
    expect(await refusal(world, 'disableAccount', { account: email })).toBe(
      '4091 the account is DISABLED already',
    );
    expect(await refusal(world, 'resetPassword', { account: email })).toContain('enable it first');
    await run(world, 'enableAccount', { account: accountId });
    expect(await codes()).toEqual(['4010', '4010']);
    expect(await refusal(world, 'enableAccount', { account: accountId })).toBe(
      '4091 the account is ACTIVE already',
    );
  });

  it('that is the last active owner of a workspace is disabled by force alone', async () => {
    const [one, two] = [await newcomer(world), await newcomer(world)];
    const workspace = await newWorkspace(world, one.email, two.email);
    await run(world, 'disableAccount', { account: one.email });
    const refused = await refusal(world, 'disableAccount', { account: two.email });
    expect(refused).toMatch(new RegExp(`^4094 this is the last active owner of ${workspace}; `));
    const forced = await run(world, 'disableAccount', { account: two.email, force: true });
    expect(forced).toMatchObject({ status: 'DISABLED' });
  });

  it('that is disabled leaves no link behind, neither its own nor those of whom it invited', async () => {
    const { accountId, email } = await newcomer(world);
    const workspace = await newWorkspace(world, 'owner@demo.test', email);
    const [ids] = await world.db.query<{ workspaceId: number; invitedBy: number }>(sql`
      select w.id as "workspaceId", a.id as "invitedBy" from workspaces w, accounts a
      where w.biz_id = ${workspace} and a.biz_id = ${accountId}`);
    if (ids === undefined) throw new Error('both were just made');
    const nowMs = world.clock.now();
    await world.db.transaction((tx) =>
      invite(tx, { ...ids, email: 'accomplice@acme.test', role: 'OWNER' }, nowMs),
    );
    const { url } = await run(world, 'resetPassword', { account: email });
    await run(world, 'inviteMember', { workspace, email: 'colleague@acme.test', role: 'VIEWER' });
    await run(world, 'disableAccount', { account: email });
    expect(await lastRecord(world)).toMatchObject({ changes: { pendingInvitations: { from: 1, to: 0 } } });
    expect(await rowsOf(world, 'invitations', { workspace })).toMatchObject([
      { email: 'accomplice@acme.test', status: 'REVOKED' },
      { email: 'colleague@acme.test', status: 'PENDING' },
    ]);
    await run(world, 'enableAccount', { account: email });
    const body = { token: String(url).split('#')[1], newPassword: 'a password from before' };
    const reset = await portalCall(world, undefined, {
      url: '/web/v1/auth/password-reset/confirm',
      body,
    });
    expect(reset.json().code).toBe('4040');
  });

  it('is signed out everywhere at once, and may sign in again', async () => {
    const { accountId, email } = await newcomer(world);
    const tokens = [await tokenOf(world, accountId), await tokenOf(other, accountId)];
    const codes = () =>
      Promise.all(
        [world, other].flatMap((at) =>
          tokens.map(async (token) => {
            const response = await portalCall(at, token, { method: 'GET', url: '/web/v1/auth/me' });
            return response.json().code;
          }),
        ),
      );
    expect(new Set(await codes())).toEqual(new Set(['2000']));
    const answer = { accountId, email, endedSignIns: 2 };
    expect(await run(world, 'signOutAccount', { account: email.toUpperCase() })).toEqual(answer);
    const changes = { signIns: { from: 2, to: 0 } };
    expect(await lastRecord(world)).toEqual(recorded('account.signed-out', accountId, changes));
    expect(new Set(await codes())).toEqual(new Set(['4010']));
    expect(await run(world, 'signOutAccount', { account: email })).toEqual({ ...answer, endedSignIns: 0 });
    const token = await tokenOf(world, accountId);
    const again = await portalCall(world, token, { method: 'GET', url: '/web/v1/auth/me' });
    expect(again.json().code).toBe('2000');
  });
});

describe('a workspace never loses its last active owner', () => {
  const activeOwners = async (workspace: string) =>
    (await rowsOf(world, 'members', { workspace })).filter(
      ({ role, status }) => role === 'OWNER' && status === 'ACTIVE',
    );

  it.each<[string, (workspace: string, two: string) => Promise<unknown>]>([
    [
      'a demotion',
      (workspace, account) => run(other, 'setMemberRole', { workspace, account, role: 'VIEWER' }),
    ],
    ['a removal', (workspace, account) => run(other, 'removeMember', { workspace, account })],
    ['another disabling', (_workspace, account) => run(other, 'disableAccount', { account })],
  ])('to a disabling and %s at once', async (_what, second) => {
    for (let round = 0; round < 10; round++) {
      const [one, two] = [await newcomer(world), await newcomer(world)];
      const workspace = await newWorkspace(world, one.email, two.email);
      const done = await Promise.allSettled([
        run(world, 'disableAccount', { account: one.email }),
        second(workspace, two.email),
      ]);
      for (const each of done)
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: '4094' });
      expect(await activeOwners(workspace)).toHaveLength(1);
    }
  });
});
