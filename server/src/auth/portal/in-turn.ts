import type { WritePlace } from '../../contract/command.ts';
import { reader } from '../../contract/validate.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { AccountCaller } from '../identity.ts';
import { lockedAccount } from './accounts.ts';
import { MemberPath } from './member-path.ts';
import { ownerOfWorkspace, type Person, type WorkspaceGround } from './roles.ts';

/** A share of the account that names a workspace's row, which is null or locked: no plan can take it before that lock. */
export const shareAfter = (workspaceId: Sql) => sql`and ${workspaceId} is distinct from 0 for share`;

type Asked = Person & { workspace: string };

/**
 * The workspace before the membership: whoever is at it changes memberships of others, which all have their own locked by then.
 * Strangers lock nothing.
 */
const lockInTurn = ({ account, signIn, workspace }: Asked, may: Sql) => sql`
  select w.id as "workspaceId", w."institutionId", a.id as "accountId", a.name as "accountName",
    case when a.id is null then 'account' when m.role is null then 'owner' end as missing
  from (values (1)) asked
  left join lateral (
    select w.id, w.institution_id as "institutionId" from workspaces w where w.biz_id = ${workspace} and exists (
      select 1 from workspace_members m join accounts a on a.id = m.account_id where m.workspace_id = w.id and a.biz_id = ${account})
    for no key update of w
  ) w on true
  left join ${lockedAccount(account, signIn, shareAfter(sql`w.id`))} on true
  left join lateral (
    select m.role from workspace_members m where m.workspace_id = w.id and m.account_id = a.id and ${may} for share
  ) m on true`;

/** Owners one after another: what was counted in the workspace stays so. */
export const ownerInTurn: WritePlace<AccountCaller, Asked, WorkspaceGround> = {
  ...ownerOfWorkspace,
  lock: (asked) => lockInTurn(asked, sql`m.role = 'OWNER'`),
};

const readMember = reader(MemberPath);

/** The same, and every member for what concerns themselves. */
export const ownerOrSelfInTurn: WritePlace<AccountCaller, Asked & { member: string }, WorkspaceGround> = {
  ...ownerInTurn,
  at: (caller, asked) => ({
    ...ownerOfWorkspace.at(caller, asked),
    member: readMember(asked.params).accountId,
  }),
  lock: ({ member, ...asked }) => lockInTurn(asked, sql`(m.role = 'OWNER' or ${member === asked.account})`),
};
