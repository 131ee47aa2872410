import { ApiError } from '../contract/api-error.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export type Role = 'OWNER' | 'VIEWER';
export type Account = { id: number; bizId: string };

/** A place that does not exist and one that is not the caller's get the same answer. */
const notMember = () => new ApiError('4030', 'the account is not a member of this institution');
const notOwner = () => new ApiError('4030', 'the account is not an owner of this workspace');

export async function institutionOfMember(
  db: Queryable,
  account: Account,
  institutionBizId: string,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    select i.id from institutions i join institution_members m on m.institution_id = i.id
    where i.biz_id = ${institutionBizId} and m.account_id = ${account.id}`);
  if (row === undefined) throw notMember();
  return row.id;
}

export async function workspaceOfOwner(
  db: Queryable,
  account: Account,
  workspaceBizId: string,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    select w.id from workspaces w join workspace_members m on m.workspace_id = w.id
    where w.biz_id = ${workspaceBizId} and m.account_id = ${account.id} and m.role = 'OWNER'`);
  if (row === undefined) throw notOwner();
  return row.id;
}
