import { Type } from 'typebox';
import { endInvitationsBy, hasOtherOwner } from '../auth/portal/members.ts';
import { deletePasswordReset } from '../auth/portal/password-resets.ts';
import { revokeAllSignIns } from '../auth/portal/sign-ins.ts';
import { ApiError } from '../contract/api-error.ts';
import { changesOf } from '../contract/changes.ts';
import type { Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { AccountRecord, selectAccount } from './accounts.ts';
import { Choice, Named } from './fields.ts';
import { operatorTask } from './operator.ts';
import { theAccount, theAccountInTurn } from './places.ts';

async function updateStatus(
  tx: Transaction,
  accountId: number,
  status: 'ACTIVE' | 'DISABLED',
): Promise<void> {
  await tx.query(sql`update accounts set status = ${status}::account_status where id = ${accountId}`);
}

type Owned = { id: number; bizId: string };

/** They are locked already, but for one that was given to the account while its lock was waited for. */
async function lockOwnedWorkspaces(tx: Transaction, accountId: number): Promise<Owned[]> {
  return tx.query<Owned>(sql`
    select w.id, w.biz_id as "bizId" from workspaces w where w.id in (
      select m.workspace_id from workspace_members m where m.account_id = ${accountId} and m.role = 'OWNER')
    order by w.id for no key update`);
}

/** Somebody must be left who can let others in. */
async function refuseLastOwner(tx: Transaction, accountId: number, owned: readonly Owned[]): Promise<void> {
  for (const { id, bizId } of owned) {
    if (await hasOtherOwner(tx, id, accountId)) continue;
    throw new ApiError(
      '4094',
      `this is the last active owner of ${bizId}; make someone else an owner first, or force it and leave the workspace without one`,
    );
  }
}

/** Whoever is out must not have left a door open: links to come back by, and links for others. */
async function endLinks(tx: Transaction, accountId: number, owned: readonly Owned[]): Promise<number> {
  await deletePasswordReset(tx, accountId);
  let ended = 0;
  for (const { id } of owned) ended += await endInvitationsBy(tx, id, accountId);
  return ended;
}

export const disableAccount = operatorTask({
  input: Type.Object({ account: Named, force: Choice }),
  answer: AccountRecord,
  place: theAccountInTurn,
  action: 'account.disabled',
  async run({ tx, nowMs, place, input }) {
    const { accountId, accountBizId, status } = place;
    if (status === 'DISABLED') throw new ApiError('4091', 'the account is DISABLED already');
    const owned = await lockOwnedWorkspaces(tx, accountId);
    if (!input.force) await refuseLastOwner(tx, accountId, owned);
    await updateStatus(tx, accountId, 'DISABLED');
    const signIns = await revokeAllSignIns(tx, accountId, nowMs);
    const pendingInvitations = await endLinks(tx, accountId, owned);
    return {
      answer: await selectAccount(tx, accountId),
      subject: accountBizId,
      changes: changesOf(
        { status, signIns, pendingInvitations },
        { status: 'DISABLED', signIns: 0, pendingInvitations: 0 },
      ),
    };
  },
});

export const enableAccount = operatorTask({
  input: Type.Object({ account: Named }),
  answer: AccountRecord,
  place: theAccount,
  action: 'account.enabled',
  async run({ tx, place: { accountId, accountBizId, status } }) {
    if (status === 'ACTIVE') throw new ApiError('4091', 'the account is ACTIVE already');
    await updateStatus(tx, accountId, 'ACTIVE');
    return {
      answer: await selectAccount(tx, accountId),
      subject: accountBizId,
      changes: changesOf({ status }, { status: 'ACTIVE' }),
    };
  },
});

/** It may sign in again at once: for a device that was lost, not for a person who has to be out. */
export const signOutAccount = operatorTask({
  input: Type.Object({ account: Named }),
  answer: Type.Object({ accountId: Type.String(), email: Type.String(), endedSignIns: Type.Integer() }),
  place: theAccount,
  action: 'account.signed-out',
  async run({ tx, nowMs, place: { accountId, accountBizId, email } }) {
    const endedSignIns = await revokeAllSignIns(tx, accountId, nowMs);
    return {
      answer: { accountId: accountBizId, email, endedSignIns },
      subject: accountBizId,
      changes: changesOf({ signIns: endedSignIns }, { signIns: 0 }),
    };
  },
});
