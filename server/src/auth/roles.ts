import { ApiError } from '../contract/api-error.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

type Role = 'OWNER' | 'VIEWER';
export type Account = { id: number; bizId: string };

// A place that does not exist and one that is not the caller's get the same answer.

export async function institutionOfMember(
  db: Queryable,
  account: Account,
  institutionBizId: string,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    select i.id from institutions i join institution_members m on m.institution_id = i.id
    where i.biz_id = ${institutionBizId} and m.account_id = ${account.id}`);
  if (row === undefined) throw new ApiError('4030', 'the account is not a member of this institution');
  return row.id;
}

export async function workspaceOfOwner(
  db: Queryable,
  account: Account,
  workspaceBizId: string,
): Promise<number> {
  const workspace = await findMembership(db, account, workspaceBizId);
  if (workspace?.role !== 'OWNER')
    throw new ApiError('4030', 'the account is not an owner of this workspace');
  return workspace.id;
}

export async function workspaceOfMember(
  db: Queryable,
  account: Account,
  workspaceBizId: string,
): Promise<number> {
  const workspace = await findMembership(db, account, workspaceBizId);
  if (workspace === undefined) throw new ApiError('4030', 'the account is not a member of this workspace');
  return workspace.id;
}

async function findMembership(db: Queryable, account: Account, workspaceBizId: string) {
  const [row] = await db.query<{ id: number; role: Role }>(sql`
    select w.id, m.role::text as role from workspaces w join workspace_members m on m.workspace_id = w.id
    where w.biz_id = ${workspaceBizId} and m.account_id = ${account.id}`);
  return row;
}
