import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  lastRecord,
  newcomer,
  newWorkspace,
  recorded,
  refusal,
  rowsOf,
  run,
} from '../../test/support/operator.ts';
import { openWorld, type World } from '../../test/world.ts';
import { sql } from '../db/sql.ts';
import type { TaskName } from './tasks.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await world.close();
});

describe('members', () => {
  it('are added, given another role and taken out, of the institution too', async () => {
    const { accountId, email } = await newcomer(world);
    const workspace = await newWorkspace(world, 'owner@demo.test');
    const place = { workspaceId: workspace, institutionId: 'INST_DEMO' };
    const member = { workspaceId: workspace, accountId };
    const asViewer = await run(world, 'addMember', { workspace, account: email, role: 'VIEWER' });
    expect(asViewer).toEqual({ ...member, role: 'VIEWER' });
    const added = { role: { from: null, to: 'VIEWER' } };
    expect(await lastRecord(world)).toEqual(recorded('member.added', accountId, added, place));
    const again = { workspace, account: accountId, role: 'OWNER' };
    expect(await refusal(world, 'addMember', again)).toContain('4090 the account is a member');
    await run(world, 'setMemberRole', { workspace, account: accountId, role: 'MEMBER' });
    expect(await lastRecord(world)).toMatchObject({ action: 'member.changed', ...place });
    expect(await rowsOf(world, 'members', { workspace })).toContainEqual({
      accountId,
      email,
      name: expect.any(String),
      role: 'MEMBER',
      status: 'ACTIVE',
      lastSignInAt: null,
      joinedAt: expect.stringMatching(/Z$/),
    });
    await run(world, 'removeMember', { workspace, account: email });
    expect(await lastRecord(world)).toMatchObject({ action: 'member.removed', ...place });
    expect(await run(world, 'showAccount', { account: email })).toMatchObject({ workspaces: [] });
    const [left] = await world.db.query<{ count: number }>(sql`
      select count(*) as count from institution_members m join accounts a on a.id = m.account_id where a.biz_id = ${accountId}`);
    expect(left?.count).toBe(0);
  });

  it('are invited by a link that is in no record', async () => {
    const workspace = await newWorkspace(world, 'owner@demo.test');
    const given = { workspace, email: 'new@acme.test', role: 'MEMBER' };
    const { url, invitationId, ...rest } = await run(world, 'inviteMember', given);
    expect(url).toMatch(/^https:\/\/portal\.test\/invitation#[0-9A-Za-z]{43}$/);
    expect(rest).toEqual({
      workspaceId: workspace,
      email: 'new@acme.test',
      role: 'MEMBER',
      expiresAt: expect.any(String),
    });
    const record = await lastRecord(world);
    expect(record).toMatchObject({
      action: 'member.invited',
      subjectId: invitationId,
      workspaceId: workspace,
    });
    expect(JSON.stringify(record)).not.toContain(String(url).split('#')[1]);
    expect(await refusal(world, 'inviteMember', { ...given, email: 'OWNER@demo.test' })).toContain('4090 ');
  });

  it.each(['members', 'invitations'] as const)('has no %s in a workspace that is not there', async (list) => {
    await expect(rowsOf(world, list, { workspace: 'WS_X' })).rejects.toThrow('there is no workspace WS_X');
  });

  test.each<[TaskName, object, string]>([
    [
      'setMemberRole',
      { workspace: 'WS_OTHER', account: 'outsider@demo.test', role: 'VIEWER' },
      '4094 this is the last',
    ],
    [
      'removeMember',
      { workspace: 'WS_OTHER', account: 'ACC_DEMO_OUTSIDER' },
      '4094 this is the last active owner',
    ],
    [
      'removeMember',
      { workspace: 'WS_OTHER', account: 'owner@demo.test' },
      '4040 the account ACC_DEMO_OWNER is no member',
    ],
    ['addMember', { workspace: 'WS_DEMO', account: 'ACC_NOBODY', role: 'OWNER' }, '4040 there is no account'],
    [
      'addMember',
      { workspace: 'WS_X', account: 'owner@demo.test', role: 'OWNER' },
      '4040 there is no workspace WS_X',
    ],
    [
      'addMember',
      { workspace: 'WS_DEMO', account: 'owner@demo.test', role: 'owner' },
      '4000 role must be one of OWNER,',
    ],
    ['inviteMember', { workspace: 'WS_DEMO', email: 'x', role: 'OWNER' }, '4000 email must be'],
  ])('refuses %s %j', async (name, given, expected) => {
    expect(await refusal(world, name, given)).toContain(expected);
  });

  it('wait as invitations that are listed without links, and end when they are revoked', async () => {
    const [workspace, elsewhere] = [await newWorkspace(world, 'owner@demo.test'), await newWorkspace(world)];
    const invited = { workspace, email: 'late@acme.test', role: 'VIEWER' };
    const { invitationId, expiresAt } = await run(world, 'inviteMember', invited);
    const row = { invitationId, email: 'late@acme.test', role: 'VIEWER', status: 'PENDING', expiresAt };
    expect(await rowsOf(world, 'invitations', { workspace })).toEqual([
      { ...row, createdAt: expect.stringMatching(/Z$/) },
    ]);
    const none = `4040 the workspace has no invitation ${invitationId} that waits`;
    const invitation = invitationId;
    expect(await refusal(world, 'revokeInvitation', { workspace: elsewhere, invitation })).toBe(none);
    expect(await run(world, 'revokeInvitation', { workspace, invitation })).toEqual({
      invitationId,
      email: 'late@acme.test',
      status: 'REVOKED',
    });
    const changes = { status: { from: 'PENDING', to: 'REVOKED' } };
    const place = { workspaceId: workspace, institutionId: 'INST_DEMO' };
    expect(await lastRecord(world)).toEqual(
      recorded('invitation.revoked', String(invitationId), changes, place),
    );
    expect(await refusal(world, 'revokeInvitation', { workspace, invitation })).toBe(none);
    expect(await rowsOf(world, 'invitations', { workspace })).toMatchObject([{ status: 'REVOKED' }]);
  });
});
