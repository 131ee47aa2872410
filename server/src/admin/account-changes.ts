import pg from 'pg';
import { Type } from 'typebox';
import { tellSecondFactorChanged } from '../auth/portal/notices.ts';
import { deletePasswordReset } from '../auth/portal/password-resets.ts';
import { AccountLocale, EmailAddress, PersonName } from '../auth/portal/person-fields.ts';
import { deleteSecondFactor } from '../auth/portal/second-factors.ts';
import { ApiError } from '../contract/api-error.ts';
import { changesOf } from '../contract/changes.ts';
import type { Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { AccountRecord, selectAccount } from './accounts.ts';
import { Named } from './fields.ts';
import { operatorTask } from './operator.ts';
import { theAccount } from './places.ts';
import type { Tools } from './tools.ts';

type Person = { email: string; name: string; locale: string };

const uniqueViolation = '23505';

/** False when the address is another account's; the transaction has failed then. */
async function updateAccount(
  tx: Transaction,
  accountId: number,
  { email, name, locale }: Person,
): Promise<boolean> {
  try {
    await tx.query(sql`
      update accounts set email = ${email}, name = ${name}, locale = ${locale} where id = ${accountId}`);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === uniqueViolation) return false;
    throw error;
  }
}

export const changeAccount = operatorTask({
  input: Type.Object({
    account: Named,
    email: Type.Optional(EmailAddress),
    name: Type.Optional(PersonName),
    locale: Type.Optional(AccountLocale),
  }),
  answer: AccountRecord,
  place: theAccount,
  action: 'account.changed',
  async run({ tx, place, input }) {
    const { accountId, accountBizId, email, name, locale } = place;
    if (input.email === undefined && input.name === undefined && input.locale === undefined)
      throw new ApiError('4000', 'nothing to change: give --email, --name or --locale');
    const before = { email, name, locale };
    const after = {
      email: input.email ?? email,
      name: input.name ?? name,
      locale: input.locale ?? locale,
    };
    if (!(await updateAccount(tx, accountId, after)))
      throw new ApiError('4090', `there is another account with the address ${after.email}`);
    // it went to who reads the address before
    if (after.email !== email) await deletePasswordReset(tx, accountId);
    return {
      answer: await selectAccount(tx, accountId),
      subject: accountBizId,
      changes: changesOf(before, after),
    };
  },
});

/** For who has lost both the device and the recovery codes. The password alone lets them in until they add another. */
export const removeSecondFactor = (tools: Tools) => {
  const mail = tools.mail();
  return operatorTask({
    input: Type.Object({ account: Named }),
    answer: AccountRecord,
    place: theAccount,
    action: 'account.second-factor-removed',
    async run({ tx, nowMs, place }) {
      const { accountId, accountBizId } = place;
      if (!(await deleteSecondFactor(tx, accountId)))
        throw new ApiError('4091', 'the account has no second factor');
      const from = { address: null };
      if (mail !== undefined) await tellSecondFactorChanged(mail, tx, false, { to: place, from, nowMs });
      return {
        answer: await selectAccount(tx, accountId),
        subject: accountBizId,
        changes: changesOf({ hasSecondFactor: true }, { hasSecondFactor: false }),
      };
    },
  });
};
