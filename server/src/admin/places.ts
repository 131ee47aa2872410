import { isAddress } from '../auth/portal/accounts.ts';
import type { ConfigSchema } from '../channels/config-schema.ts';
import { ApiError } from '../contract/api-error.ts';
import type { AnyGround, Footing } from '../contract/command.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Locale } from '../mail/kinds.ts';
import type { TransferStatus } from '../transfers/status.ts';
import { actorOf, type Operator } from './operator.ts';

type OperatorFooting<Values extends object, Ground extends AnyGround> = Footing<Operator, Values, Ground>;

/** What an operator may do is for the database to say, which let the operator in: only what is named must exist. */
function footing<Values extends object, Ground extends AnyGround>(
  lock: (values: Values) => Sql,
): OperatorFooting<Values, Ground> {
  return { lock, actor: actorOf, refusal: (missing) => new ApiError('4040', `there is no ${missing}`) };
}

type Nowhere = { workspaceId: null; institutionId: null };
const nowhere = sql`null as "workspaceId", null as "institutionId"`;
const missing = (noun: string, name: string, id: Sql) =>
  sql`case when ${id} is null then ${`${noun} ${name}`}::text end as missing`;

export const anywhere = footing<object, Nowhere>(() => sql`select ${nowhere}, null as missing`);

export type InstitutionGround = { workspaceId: null; institutionId: number; name: string };

export const theInstitution = footing<{ institution: string }, InstitutionGround>(
  ({ institution }) => sql`
    select null as "workspaceId", i.id as "institutionId", i.name, ${missing('institution', institution, sql`i.id`)}
    from (values (1)) asked left join lateral (
      select i.id, i.name from institutions i where i.biz_id = ${institution} for no key update) i on true`,
);

const lockedWorkspace = (workspace: string) => sql`lateral (
  select w.id, w.institution_id, w.name, i.biz_id as institution from workspaces w join institutions i on i.id = w.institution_id
  where w.biz_id = ${workspace} for no key update of w) w`;

export type WorkspaceGround = {
  workspaceId: number;
  institutionId: number;
  name: string;
  institution: string;
};

/** Those who change its members do so one after another. */
export const theWorkspace = footing<{ workspace: string }, WorkspaceGround>(
  ({ workspace }) => sql`
    select w.id as "workspaceId", w.institution_id as "institutionId", w.name, w.institution,
      ${missing('workspace', workspace, sql`w.id`)}
    from (values (1)) asked left join ${lockedWorkspace(workspace)} on true`,
);

/** An address has an @, which no id has. */
export const isAccount = (account: string) =>
  account.includes('@') ? isAddress(sql`a.email`, account) : sql`a.biz_id = ${account}`;

export type AccountGround = Nowhere & {
  accountId: number;
  accountBizId: string;
  email: string;
  name: string;
  locale: Locale;
  status: 'ACTIVE' | 'DISABLED';
  hasPassword: boolean;
};

const accountFields = (account: string) => sql`
  ${nowhere}, a.id as "accountId", a.biz_id as "accountBizId", a.email, a.name, a.locale, a.status::text as status,
  a.password_hash is not null as "hasPassword", ${missing('account', account, sql`a.id`)}`;

export const theAccount = footing<{ account: string }, AccountGround>(
  ({ account }) => sql`
    select ${accountFields(account)}
    from (values (1)) asked left join lateral (
      select a.* from accounts a where ${isAccount(account)} for no key update) a on true`,
);

/**
 * The same after the workspaces that it owns, in the order of their ids: all who change members lock the workspace before an
 * account.
 */
export const theAccountInTurn = footing<{ account: string }, AccountGround>(
  ({ account }) => sql`
    with owned as materialized (
      select w.id from workspaces w where w.id in (
        select m.workspace_id from workspace_members m join accounts a on a.id = m.account_id
        where ${isAccount(account)} and m.role = 'OWNER')
      order by w.id for no key update
    ), turn as materialized (select count(*) as owned from owned)
    select ${accountFields(account)}
    from turn left join lateral (
      select a.* from accounts a where ${isAccount(account)} and turn.owned >= 0 for no key update) a on true`,
);

export type TransferGround = {
  workspaceId: number;
  institutionId: number;
  id: number;
  mode: 'LIVE' | 'TEST';
  status: TransferStatus;
};

export const theTransfer = footing<{ transfer: string }, TransferGround>(
  ({ transfer }) => sql`
    select t.workspace_id as "workspaceId", t.institution_id as "institutionId", t.id, t.mode::text as mode, t.status::text as status,
      ${missing('transfer', transfer, sql`t.id`)}
    from (values (1)) asked left join lateral (
      select t.id, t.mode, t.status, t.workspace_id, w.institution_id from transfers t join workspaces w on w.id = t.workspace_id
      where t.biz_id = ${transfer} for no key update of t) t on true`,
);

export type ChannelTypeGround = Nowhere & {
  id: number;
  status: 'ENABLED' | 'DISABLED';
  schema: ConfigSchema | null;
};

export const theChannelType = footing<{ type: string }, ChannelTypeGround>(
  ({ type }) => sql`
    select ${nowhere}, t.id, t.status::text as status, t.extra_config -> 'configSchema' as schema,
      ${missing('channel type', type, sql`t.id`)}
    from (values (1)) asked left join lateral (
      select t.* from channel_types t where t.type_code = ${type} for no key update) t on true`,
);
