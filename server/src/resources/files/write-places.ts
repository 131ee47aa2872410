import type { AccountCaller } from '../../auth/identity.ts';
import { lockedAccount } from '../../auth/portal/accounts.ts';
import {
  accountActor,
  invalidToken,
  type Person,
  person,
  personOf,
  type WorkspaceGround,
} from '../../auth/portal/roles.ts';
import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { AnyGround, WritePlace } from '../../contract/command.ts';
import { given } from '../../contract/page-values.ts';
import { reader } from '../../contract/validate.ts';
import { sql } from '../../db/sql.ts';
import { visibleFile } from './places.ts';
import { FilePath, FormPlace } from './schema.ts';

const readForm = reader(FormPlace);
const readPath = reader(FilePath);

const notWriter = () => new ApiError('4030', 'the account is not an owner or a member of this workspace');

/** Where a file is uploaded to, and as whose. */
export type UploadGround = AnyGround & {
  workspaceId: number;
  institutionId: number;
  mode: Mode;
};

/** The workspace that a form names, of the institution that it names, for its owners and members. What people upload is LIVE. */
export const writerOfForm: WritePlace<
  AccountCaller,
  Person & { institution: string; workspace: string },
  UploadGround & WorkspaceGround
> = {
  at(caller, { body }) {
    const { institutionBizId, workspaceBizId } = readForm(body);
    return { ...personOf(caller), institution: institutionBizId, workspace: workspaceBizId };
  },
  select: sql`
    select m.workspace_id, i.id as institution_id,
      case when a.id is null then 'account' when m.account_id is null then 'writer' end as missing
    from ${person}
    left join institutions i on i.biz_id = ${given('place', 'institution')}
    left join workspaces w on w.biz_id = ${given('place', 'workspace')} and w.institution_id = i.id
    left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id and m.role <> 'VIEWER'`,
  lock: ({ account, signIn, institution, workspace }) => sql`
    select m.*, 'LIVE' as mode, a.id as "accountId", a.name as "accountName",
      case when a.id is null then 'account' when m."workspaceId" is null then 'writer' end as missing
    from (values (1)) asked left join ${lockedAccount(account, signIn)} on true
    left join lateral (
      select m.workspace_id as "workspaceId", i.id as "institutionId"
      from institutions i join workspaces w on w.institution_id = i.id join workspace_members m on m.workspace_id = w.id
      where i.biz_id = ${institution} and w.biz_id = ${workspace} and m.account_id = a.id and m.role <> 'VIEWER' for share of m
    ) m on true`,
  errors: ['4030'],
  refusal: (missing) => (missing === 'account' ? invalidToken() : notWriter()),
  asker: ({ account }) => account,
  actor: accountActor,
};

/** A file that the account sees, for owners and members of its workspace. */
export const writerOfFile: WritePlace<AccountCaller, Person & { file: string }, WorkspaceGround> = {
  ...visibleFile,
  at: (caller, { params }) => ({ ...personOf(caller), file: readPath(params).bizId }),
  lock: ({ account, signIn, file }) => sql`
    select f.*, a.id as "accountId", a.name as "accountName",
      case when a.id is null then 'account' when f."workspaceId" is null then 'file' when m.role is null then 'writer' end as missing
    from (values (1)) asked left join ${lockedAccount(account, signIn)} on true
    left join lateral (
      select f.workspace_id as "workspaceId", f.institution_id as "institutionId"
      from files f join institution_members im on im.institution_id = f.institution_id
      where f.biz_id = ${file} and f.deleted_at is null and im.account_id = a.id for share of im
    ) f on true
    left join lateral (
      select m.role from workspace_members m
      where m.account_id = a.id and m.workspace_id = f."workspaceId" and m.role <> 'VIEWER' for share
    ) m on true`,
  errors: ['4030', '4040'],
  refusal: (missing) => (missing === 'writer' ? notWriter() : visibleFile.refusal(missing)),
  actor: accountActor,
};
