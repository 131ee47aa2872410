import { ApiError } from '../../contract/api-error.ts';
import type { WritePlace } from '../../contract/command.ts';
import { given } from '../../contract/page-values.ts';
import { sql } from '../../db/sql.ts';
import type { AccountCaller } from '../identity.ts';
import { lockedAccount, mayAct } from './accounts.ts';
import { accountActor, invalidToken, type Person } from './roles.ts';

type OperatorGround = { workspaceId: null; institutionId: null; accountName: string };

/** The whole platform, for an account that operates it, on a portal for that. */
export const operatorAccount: WritePlace<AccountCaller, Person & { isAdmin: boolean }, OperatorGround> = {
  at: ({ bizId, signIn, portal }) => ({ account: bizId, signIn, isAdmin: portal === 'ADMIN' }),
  select: sql`
    select case when a.id is null then 'account' when not ${given('place', 'isAdmin')} then 'portal' when not a.is_operator then 'operator' end as missing
    from (values (1)) asked
    left join accounts a on a.biz_id = ${given('place', 'account')} and ${mayAct(given('place', 'signIn'))}`,
  lock: ({ account, signIn, isAdmin }) => sql`
    select null as "workspaceId", null as "institutionId", a.name as "accountName",
      case when a.id is null then 'account' when not ${isAdmin} then 'portal' when not a.is_operator then 'operator' end as missing
    from (values (1)) asked left join ${lockedAccount(account, signIn)} on true`,
  errors: ['4030'],
  refusal: (missing) =>
    missing === 'account'
      ? invalidToken()
      : new ApiError('4030', 'only an operator may do this, on an ADMIN portal'),
  asker: ({ account }) => account,
  actor: accountActor,
};
