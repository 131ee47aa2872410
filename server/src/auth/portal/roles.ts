import { Type } from 'typebox';
import { ApiError } from '../../contract/api-error.ts';
import type { WritePlace } from '../../contract/command.ts';
import { given } from '../../contract/page-values.ts';
import type { Place } from '../../contract/place.ts';
import { reader, required } from '../../contract/validate.ts';
import { named, type Sql, sql } from '../../db/sql.ts';
import type { Actor } from '../../log/actor.ts';
import type { AccountCaller, KeyCaller } from '../identity.ts';
import type { Mode } from '../signed/api-key-lookup.ts';
import { lockedAccount, mayAct } from './accounts.ts';
import { WorkspacePath } from './workspace-path.ts';

/** OWNER: everything. MEMBER: reads, and works with files and transfers. VIEWER: reads. */
export const workspaceRoles = ['OWNER', 'MEMBER', 'VIEWER'] as const;
export type WorkspaceRole = (typeof workspaceRoles)[number];

// A place that does not exist and one that is not the caller's get the same answer.

/** Also for an account that is gone while its token still holds. */
export function invalidToken(): ApiError {
  return new ApiError('4010', 'the access token is invalid or has expired', {
    headers: { 'www-authenticate': 'Bearer realm="portico", error="invalid_token"' },
  });
}

const notMember = (place: string) => new ApiError('4030', `the account is not a member of this ${place}`);

const readWorkspace = reader(WorkspacePath);

/** Who an access token speaks for, as values of a place. */
export type Person = { account: string; signIn: string | null };

export const personOf = ({ bizId, signIn }: AccountCaller): Person => ({ account: bizId, signIn });

/** The account of the token, as `a`; null where it may not act. */
export const person = sql`(values (1)) asked
    left join accounts a on a.biz_id = ${given('place', 'account')} and ${mayAct(given('place', 'signIn'))}`;

/** How a body names its institution. */
export const InstitutionOfBody = Type.Object({
  institutionBizId: Type.String({
    ...required,
    description: 'Business identifier of the institution.',
    examples: ['INST_DEMO'],
  }),
});
const readInstitution = reader(InstitutionOfBody);

/** The institution of which the account is a member, as `place.institution_id`. */
export const memberOfInstitution: Place<AccountCaller, Person & { institution: string }> = {
  at: (caller, { body }) => ({ ...personOf(caller), institution: readInstitution(body).institutionBizId }),
  select: sql`
    select m.institution_id, case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
    from ${person}
    left join institutions i on i.biz_id = ${given('place', 'institution')}
    left join institution_members m on m.account_id = a.id and m.institution_id = i.id`,
  errors: ['4030'],
  refusal: (missing) => (missing === 'account' ? invalidToken() : notMember('institution')),
  asker: ({ account }) => account,
};

/** The workspace of the path in which the account has any role, as `place.workspace_id`. */
export const memberOfWorkspace: Place<AccountCaller, Person & { workspace: string }> = {
  at: (caller, { params }) => ({ ...personOf(caller), workspace: readWorkspace(params).workspaceId }),
  select: sql`
    select m.workspace_id, case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
    from ${person}
    left join workspaces w on w.biz_id = ${given('place', 'workspace')}
    left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id`,
  errors: ['4030'],
  refusal: (missing) => (missing === 'account' ? invalidToken() : notMember('workspace')),
  asker: ({ account }) => account,
};

/** Everything that is the same for every account, or that is its own, as `place.account_id`. */
export const anyAccount: Place<AccountCaller, Person> = {
  at: personOf,
  select: sql`
    select a.id as account_id, case when a.id is null then 'account' end as missing
    from ${person}`,
  errors: [],
  refusal: invalidToken,
  asker: ({ account }) => account,
};

/** The workspace and mode of an API key, which its signature has proved, as `place.workspace_id` and `place.mode`. */
export const workspaceOfKey: Place<KeyCaller, { workspaceId: number; mode: Mode }> = {
  at: ({ workspaceId, mode }) => ({ workspaceId, mode }),
  select: sql`
    select w.id as workspace_id, w.institution_id, ${given('place', 'mode')}::key_mode as mode, null as missing
    from workspaces w where w.id = ${given('place', 'workspaceId')}::int8`,
  errors: ['4012'],
  refusal: () => new ApiError('4012', 'the workspace of the API key is gone'),
  asker: ({ workspaceId }) => `workspace ${workspaceId}`,
};

/** Who writes, as an account. */
export const accountActor = (
  { bizId, address, requestId }: AccountCaller,
  { accountName }: { accountName: string },
): Actor => ({ type: 'ACCOUNT', id: bizId, name: accountName, address, requestId });

/** What a command of a workspace stands on. */
export type WorkspaceGround = {
  workspaceId: number;
  institutionId: number;
  accountId: number;
  accountName: string;
};

type WorkspacePlace = WritePlace<AccountCaller, Person & { workspace: string }, WorkspaceGround>;

/** The same for some roles alone, to look and to write. */
const inWorkspaceAs = (name: string, hasRole: Sql, refusal: string): WorkspacePlace => ({
  ...memberOfWorkspace,
  select: sql`
    select m.workspace_id, case when m.account_id is not null then w.biz_id end as workspace_biz_id,
      case when a.id is null then 'account' when m.account_id is null then 'role' end as missing
    from ${person}
    left join workspaces w on w.biz_id = ${given('place', 'workspace')}
    left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id and ${hasRole}`,
  lock: ({ account, signIn, workspace }) =>
    named(
      `lock_${name}`,
      sql`
        select m."workspaceId", m."institutionId", a.id as "accountId", a.name as "accountName",
          case when a.id is null then 'account' when m."workspaceId" is null then 'role' end as missing
        from (values (1)) asked left join ${lockedAccount(account, signIn)} on true
        left join lateral (
          select m.workspace_id as "workspaceId", w.institution_id as "institutionId"
          from workspaces w join workspace_members m on m.workspace_id = w.id
          where w.biz_id = ${workspace} and m.account_id = a.id and ${hasRole} for share of m
        ) m on true`,
    ),
  refusal: (missing) => (missing === 'account' ? invalidToken() : new ApiError('4030', refusal)),
  actor: accountActor,
});

export const ownerOfWorkspace = inWorkspaceAs(
  'owner',
  sql`m.role = 'OWNER'`,
  'the account is not an owner of this workspace',
);

/** Who works with files and transfers. */
export const workerOfWorkspace = inWorkspaceAs(
  'worker',
  sql`m.role in ('OWNER', 'MEMBER')`,
  'the account is no OWNER or MEMBER of this workspace',
);
