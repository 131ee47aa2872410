import { Type } from 'typebox';
import { ApiError } from '../contract/api-error.ts';
import { changesOf } from '../contract/changes.ts';
import { sql } from '../db/sql.ts';
import { AccountRecord, selectAccount } from './accounts.ts';
import { Named } from './fields.ts';
import { operatorTask } from './operator.ts';
import { theAccount } from './places.ts';

const setOperator = (isOperator: boolean) =>
  operatorTask({
    input: Type.Object({ account: Named }),
    answer: AccountRecord,
    place: theAccount,
    action: isOperator ? 'account.operator-granted' : 'account.operator-revoked',
    async run({ tx, place: { accountId, accountBizId } }) {
      const changed = await tx.query(sql`
        update accounts set is_operator = ${isOperator} where id = ${accountId} and is_operator <> ${isOperator} returning 1`);
      if (changed.length === 0)
        throw new ApiError('4091', `the account is ${isOperator ? 'an operator already' : 'no operator'}`);
      return {
        answer: await selectAccount(tx, accountId),
        subject: accountBizId,
        changes: changesOf({ isOperator: !isOperator }, { isOperator }),
      };
    },
  });

export const grantOperator = setOperator(true);
export const revokeOperator = setOperator(false);
