import { ApiError } from '../../contract/api-error.ts';
import { type Changes, changesOf } from '../../contract/changes.ts';
import type { Transaction } from '../../db/database.ts';
import type { RecordEvent } from '../../log/append.ts';
import { selectInvitationRecord } from './invitation-record.ts';
import {
  type IssuedInvitation,
  insertInvitation,
  type NewInvitation,
  pendingInvitationsMax,
} from './invitations.ts';
import { type MemberRecord, selectMemberRecord } from './member-record.ts';
import {
  deleteMember,
  endInvitationsBy,
  hasOtherOwner,
  hasRoomForMember,
  insertMember,
  isMemberAddress,
  type LockedMember,
  membersPerWorkspaceMax,
  updateRole,
} from './members.ts';
import type { WorkspaceRole } from './roles.ts';

// What owners do in the portal and operators on the command line. Who calls holds the lock of the workspace's row.

type Workspace = { workspaceId: number; institutionId: number };

/** What the log is told, and others. Members have no mode. */
type Told = { changes: Changes; event: RecordEvent };
type Done = { record: MemberRecord; told: Told };

const toldOf = (record: MemberRecord, changes: Changes): Done => ({
  record,
  told: { changes, event: { mode: null, data: record } },
});

const full = (count: number, what: string) =>
  new ApiError('4096', `the workspace has ${count} ${what}, which is the limit`);

/** Someone must be left who can let others in. */
async function requireOtherOwner(tx: Transaction, workspaceId: number, { accountId, role }: LockedMember) {
  if (role !== 'OWNER' || (await hasOtherOwner(tx, workspaceId, accountId))) return;
  throw new ApiError(
    '4094',
    'this is the last active owner of the workspace; make someone else an owner first',
  );
}

export async function changeRole(
  tx: Transaction,
  { workspaceId }: Workspace,
  member: LockedMember,
  role: WorkspaceRole,
  nowMs: number,
): Promise<Done> {
  const { accountId } = member;
  if (role !== 'OWNER') await requireOtherOwner(tx, workspaceId, member);
  await updateRole(tx, workspaceId, { accountId, role });
  const pendingInvitations = role === 'OWNER' ? 0 : await endInvitationsBy(tx, workspaceId, accountId);
  const changes = changesOf({ role: member.role, pendingInvitations }, { role, pendingInvitations: 0 });
  return toldOf(await selectMemberRecord(tx, workspaceId, accountId, nowMs), changes);
}

/** What is told of one who is gone is the record as it last was. */
export async function takeOut(
  tx: Transaction,
  workspace: Workspace,
  member: LockedMember,
  nowMs: number,
): Promise<Done> {
  const { workspaceId } = workspace;
  await requireOtherOwner(tx, workspaceId, member);
  const record = await selectMemberRecord(tx, workspaceId, member.accountId, nowMs);
  await deleteMember(tx, workspace, member.accountId);
  const pendingInvitations = await endInvitationsBy(tx, workspaceId, member.accountId);
  const changes = changesOf({ role: member.role, pendingInvitations }, { role: null, pendingInvitations: 0 });
  return toldOf(record, changes);
}

export async function takeIn(
  tx: Transaction,
  workspace: Workspace,
  member: LockedMember,
  nowMs: number,
): Promise<Done> {
  if (!(await hasRoomForMember(tx, workspace.workspaceId))) throw full(membersPerWorkspaceMax, 'members');
  if (!(await insertMember(tx, workspace, member, nowMs)))
    throw new ApiError('4090', 'the account is a member of the workspace already');
  const record = await selectMemberRecord(tx, workspace.workspaceId, member.accountId, nowMs);
  return toldOf(record, changesOf({}, { role: member.role }));
}

/** The token is for the link alone. */
export async function invite(
  tx: Transaction,
  invitation: NewInvitation,
  nowMs: number,
): Promise<IssuedInvitation & { expiresAt: string; told: Told }> {
  const { workspaceId, email, role } = invitation;
  if (await isMemberAddress(tx, workspaceId, email))
    throw new ApiError('4090', 'this address is a member of the workspace already');
  if (!(await hasRoomForMember(tx, workspaceId))) throw full(membersPerWorkspaceMax, 'members');
  const issued = await insertInvitation(tx, invitation, nowMs);
  if (issued === undefined) throw full(pendingInvitationsMax, 'invitations that wait');
  const expiresAt = new Date(issued.expiresAtMs).toISOString();
  const changes = changesOf({}, { email, role, expiresAt, replaces: issued.replacedId });
  const data = await selectInvitationRecord(tx, issued.invitationId, nowMs);
  return { ...issued, expiresAt, told: { changes, event: { mode: null, data } } };
}
