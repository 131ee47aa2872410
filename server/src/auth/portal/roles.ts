import { ApiError } from '../../contract/api-error.ts';
import type { Place } from '../../contract/collection.ts';
import { given } from '../../contract/page-values.ts';
import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Mode } from '../signed/api-key-lookup.ts';

type Role = 'OWNER' | 'VIEWER';
export type Account = { id: number; bizId: string };

// A place that does not exist and one that is not the caller's get the same answer.

/** Also for an account that is gone while its token still holds. */
export function invalidToken(): ApiError {
  return new ApiError('4010', 'the access token is invalid or has expired', {
    headers: { 'www-authenticate': 'Bearer realm="portico", error="invalid_token"' },
  });
}

const notOwner = () => new ApiError('4030', 'the account is not an owner of this workspace');
const notMember = (place: string) => new ApiError('4030', `the account is not a member of this ${place}`);

/** The institution of which the account is a member, as `place.institution_id`. */
export const memberOfInstitution: Place<{ account: string; institution: string }> = {
  select: sql`
    select m.institution_id, case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
    from (values (1)) asked left join accounts a on a.biz_id = ${given('place', 'account')}
    left join institutions i on i.biz_id = ${given('place', 'institution')}
    left join institution_members m on m.account_id = a.id and m.institution_id = i.id`,
  refusal: (missing) => (missing === 'account' ? invalidToken() : notMember('institution')),
  asker: ({ account }) => account,
};

/** The workspace in which the account has any role, as `place.workspace_id`. */
export const memberOfWorkspace: Place<{ account: string; workspace: string }> = {
  select: sql`
    select m.workspace_id, case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
    from (values (1)) asked left join accounts a on a.biz_id = ${given('place', 'account')}
    left join workspaces w on w.biz_id = ${given('place', 'workspace')}
    left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id`,
  refusal: (missing) => (missing === 'account' ? invalidToken() : notMember('workspace')),
  asker: ({ account }) => account,
};

/** The workspace of which the account is an owner, as `place.workspace_id` and `place.workspace_biz_id`. */
export const ownerOfWorkspace: Place<{ account: string; workspace: string }> = {
  select: sql`
    select m.workspace_id, case when m.account_id is not null then w.biz_id end as workspace_biz_id,
      case when a.id is null then 'account' when m.account_id is null then 'owner' end as missing
    from (values (1)) asked left join accounts a on a.biz_id = ${given('place', 'account')}
    left join workspaces w on w.biz_id = ${given('place', 'workspace')}
    left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id and m.role = 'OWNER'`,
  refusal: (missing) => (missing === 'account' ? invalidToken() : notOwner()),
  asker: ({ account }) => account,
};

/** Everything that is the same for every account. */
export const anyAccount: Place<{ account: string }> = {
  select: sql`
    select case when a.id is null then 'account' end as missing
    from (values (1)) asked left join accounts a on a.biz_id = ${given('place', 'account')}`,
  refusal: invalidToken,
  asker: ({ account }) => account,
};

/** The workspace and mode of an API key, which its signature has proved, as `place.workspace_id` and `place.mode`. */
export const workspaceOfKey: Place<{ workspaceId: number; mode: Mode }> = {
  select: sql`
    select w.id as workspace_id, w.institution_id, ${given('place', 'mode')}::key_mode as mode, null as missing
    from workspaces w where w.id = ${given('place', 'workspaceId')}::int8`,
  refusal: () => new ApiError('4012', 'the workspace of the API key is gone'),
  asker: ({ workspaceId }) => `workspace ${workspaceId}`,
};

export async function workspaceOfOwner(
  db: Queryable,
  account: Account,
  workspaceBizId: string,
): Promise<number> {
  const workspace = await findMembership(db, account, workspaceBizId);
  if (workspace?.role !== 'OWNER') throw notOwner();
  return workspace.id;
}

export async function workspaceOfMember(
  db: Queryable,
  account: Account,
  workspaceBizId: string,
): Promise<number> {
  const workspace = await findMembership(db, account, workspaceBizId);
  if (workspace === undefined) throw notMember('workspace');
  return workspace.id;
}

async function findMembership(db: Queryable, account: Account, workspaceBizId: string) {
  const [row] = await db.query<{ id: number; role: Role }>(sql`
    select w.id, m.role::text as role from workspaces w join workspace_members m on m.workspace_id = w.id
    where w.biz_id = ${workspaceBizId} and m.account_id = ${account.id}`);
  return row;
}
