import type { Transaction } from '../../db/database.ts';
import { instant, type Sql, sql } from '../../db/sql.ts';
import { isAddress } from './accounts.ts';
import type { WorkspaceRole } from './roles.ts';

// All who write here hold the lock of the workspace's row, which they took before any other.

export const membersPerWorkspaceMax = 1000;

/** A workspace and its institution, by ids of the database. */
type Workspace = { workspaceId: number; institutionId: number };

export type LockedMember = { accountId: number; role: WorkspaceRole };

/** The membership as it is and stays until the transaction ends. */
export async function lockMember(
  tx: Transaction,
  workspaceId: number,
  accountBizId: string,
): Promise<LockedMember | undefined> {
  const [row] = await tx.query<LockedMember>(sql`
    select m.account_id as "accountId", m.role::text as role from workspace_members m join accounts a on a.id = m.account_id
    where m.workspace_id = ${workspaceId} and a.biz_id = ${accountBizId} for update of m`);
  return row;
}

/** Whether someone could still manage the workspace without this account. */
export async function hasOtherOwner(
  tx: Transaction,
  workspaceId: number,
  accountId: number,
): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from workspace_members m join accounts a on a.id = m.account_id
    where m.workspace_id = ${workspaceId} and m.role = 'OWNER' and a.status = 'ACTIVE' and a.id <> ${accountId} limit 1`);
  return rows.length > 0;
}

export async function isMemberAddress(tx: Transaction, workspaceId: number, email: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from accounts a join workspace_members m on m.account_id = a.id
    where ${isAddress(sql`a.email`, email)} and m.workspace_id = ${workspaceId}`);
  return rows.length > 0;
}

export async function hasRoomForMember(tx: Transaction, workspaceId: number): Promise<boolean> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*) as count from workspace_members where workspace_id = ${workspaceId}`,
  );
  return (row?.count ?? 0) < membersPerWorkspaceMax;
}

/** What an owner who is none any more has invited, or what waits for who has come, must not be a way in later. */
async function endInvitations(tx: Transaction, workspaceId: number, whose: Sql) {
  const rows = await tx.query(sql`
    update invitations i set status = 'REVOKED' where i.workspace_id = ${workspaceId} and i.status = 'PENDING' and ${whose} returning 1`);
  return rows.length;
}

/** The invitations of who is no owner any more; gives how many there were. */
export function endInvitationsBy(tx: Transaction, workspaceId: number, accountId: number): Promise<number> {
  return endInvitations(tx, workspaceId, sql`i.invited_by = ${accountId}`);
}

/**
 * Of the workspace and of its institution; false for who is a member already. The institution first, and locked where it was
 * there: who is being taken out of another of its workspaces is out of it, or stays.
 */
export async function insertMember(
  tx: Transaction,
  { workspaceId, institutionId }: Workspace,
  { accountId, role }: LockedMember,
  nowMs: number,
): Promise<boolean> {
  await tx.query(sql`
    insert into institution_members as m (account_id, institution_id) values (${accountId}, ${institutionId})
    on conflict (account_id, institution_id) do update set account_id = m.account_id`);
  const rows = await tx.query(sql`
    insert into workspace_members (account_id, workspace_id, role, joined_at)
    values (${accountId}, ${workspaceId}, ${role}::workspace_role, ${instant(nowMs)}) on conflict do nothing returning 1`);
  const email = sql`(select a.email from accounts a where a.id = ${accountId})`;
  await endInvitations(tx, workspaceId, isAddress(sql`i.email`, email));
  return rows.length > 0;
}

export async function updateRole(
  tx: Transaction,
  workspaceId: number,
  { accountId, role }: LockedMember,
): Promise<void> {
  await tx.query(sql`
    update workspace_members set role = ${role}::workspace_role where workspace_id = ${workspaceId} and account_id = ${accountId}`);
}

/** Also of the institution, when this was the last of its workspaces. Which are left is asked once nobody can add one. */
export async function deleteMember(
  tx: Transaction,
  { workspaceId, institutionId }: Workspace,
  accountId: number,
): Promise<void> {
  await tx.query(sql`
    delete from workspace_members where workspace_id = ${workspaceId} and account_id = ${accountId}`);
  await tx.query(sql`
    select 1 from institution_members where account_id = ${accountId} and institution_id = ${institutionId} for update`);
  await tx.query(sql`
    delete from institution_members where account_id = ${accountId} and institution_id = ${institutionId} and not exists (
      select 1 from workspace_members m join workspaces w on w.id = m.workspace_id
      where m.account_id = ${accountId} and w.institution_id = ${institutionId})`);
}
