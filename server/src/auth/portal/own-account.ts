import { Type } from 'typebox';
import type { WritePlace } from '../../contract/command.ts';
import { named, sql } from '../../db/sql.ts';
import type { Locale } from '../../mail/kinds.ts';
import type { AccountCaller } from '../identity.ts';
import { lockedAccount } from './accounts.ts';
import { accountActor, anyAccount, type Person } from './roles.ts';
import { hasSecondFactor } from './second-factors.ts';

/** The token alone says which account it is. */
export const NoPath = Type.Object({});

/** What a command of the account itself stands on. It concerns no workspace. */
export type AccountGround = {
  accountId: number;
  accountName: string;
  email: string;
  locale: Locale;
  hasSecondFactor: boolean;
  workspaceId: null;
  institutionId: null;
};

/** The account of the caller, to look and to write. */
export const ownAccount: WritePlace<AccountCaller, Person, AccountGround> = {
  ...anyAccount,
  lock: ({ account, signIn }) =>
    named(
      'own_account',
      sql`
        select a.id as "accountId", a.name as "accountName", a.email, a.locale, ${hasSecondFactor} as "hasSecondFactor",
          null as "workspaceId", null as "institutionId", case when a.id is null then 'account' end as missing
        from (values (1)) asked left join ${lockedAccount(account, signIn, sql`for no key update`)} on true`,
    ),
  actor: accountActor,
};
