import { Type } from 'typebox';
import { type Identity, insertIdentity } from '../auth/portal/accounts.ts';
import { revokeAllSignIns } from '../auth/portal/sign-ins.ts';
import { ApiError } from '../contract/api-error.ts';
import { changesOf } from '../contract/changes.ts';
import type { Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { Named, OutsideName } from './fields.ts';
import { operatorTask } from './operator.ts';
import { theAccount } from './places.ts';

const identitiesMax = 20;

const BoundIdentity = Type.Object({
  accountId: Type.String(),
  issuer: Type.String(),
  subject: Type.String(),
});
const input = Type.Object({ account: Named, issuer: OutsideName, subject: OutsideName });

async function deleteIdentity(
  tx: Transaction,
  accountId: number,
  { issuer, subject }: Identity,
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from account_identities where issuer = ${issuer} and subject = ${subject} and account_id = ${accountId} returning 1`);
  return rows.length > 0;
}

export async function countIdentities(tx: Transaction, accountId: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*) as count from account_identities where account_id = ${accountId}`,
  );
  return row?.count ?? 0;
}

/** Lets a person in by what an outside issuer calls them. */
export const bindAccount = operatorTask({
  input,
  answer: BoundIdentity,
  place: theAccount,
  action: 'account.bound',
  async run({ tx, place: { accountId, accountBizId }, input: { issuer, subject } }) {
    if ((await countIdentities(tx, accountId)) >= identitiesMax)
      throw new ApiError('4096', `the account is bound ${identitiesMax} times, which is the limit`);
    if (!(await insertIdentity(tx, accountId, { issuer, subject })))
      throw new ApiError('4090', 'this subject of the issuer is bound to an account already');
    return {
      answer: { accountId: accountBizId, issuer, subject },
      subject: accountBizId,
      changes: changesOf({}, { issuer, subject }),
    };
  },
});

/** Its sign-ins end, as any of them may have come from there. */
export const unbindAccount = operatorTask({
  input,
  answer: BoundIdentity,
  place: theAccount,
  action: 'account.unbound',
  async run({ tx, nowMs, place: { accountId, accountBizId }, input: { issuer, subject } }) {
    if (!(await deleteIdentity(tx, accountId, { issuer, subject })))
      throw new ApiError('4040', 'the account is not bound to this subject of the issuer');
    const signIns = await revokeAllSignIns(tx, accountId, nowMs);
    return {
      answer: { accountId: accountBizId, issuer, subject },
      subject: accountBizId,
      changes: changesOf({ issuer, subject, signIns }, { issuer: null, subject: null, signIns: 0 }),
    };
  },
});
