import { tellPasswordChanged } from '../../auth/portal/notices.ts';
import { NoPath, ownAccount } from '../../auth/portal/own-account.ts';
import { createPasswordCheck, wrongCredentials } from '../../auth/portal/password-check.ts';
import { deletePasswordReset } from '../../auth/portal/password-resets.ts';
import { updatePassword } from '../../auth/portal/set-password.ts';
import { revokeSignIns } from '../../auth/portal/sign-ins.ts';
import type { Services } from '../../auth/services.ts';
import { addressGroup } from '../../contract/address.ts';
import { aSecret } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import { NoData } from '../../contract/envelope.ts';
import { sql } from '../../db/sql.ts';
import { PasswordChange } from './schema.ts';

/** Guesses of the current password count as failed sign-ins do. */
export const changePassword = (services: Services) => {
  const check = createPasswordCheck(services);
  return command({
    path: NoPath,
    body: PasswordChange,
    answer: NoData,
    status: 200,
    place: ownAccount,
    action: 'account.password-changed',
    errors: ['4017', '4290'],
    async before({ caller, place: { email }, input: { currentPassword, newPassword } }) {
      const { passwordHash } = await check(caller, { email, password: currentPassword });
      const address = addressGroup(caller.address ?? undefined);
      return { was: passwordHash, becomes: await services.passwords.hash(newPassword, address) };
    },
    async run({ tx, nowMs, caller, place, ready }) {
      const { accountId } = place;
      if (!(await updatePassword(tx, accountId, ready))) throw wrongCredentials();
      await deletePasswordReset(tx, accountId);
      const others = sql`
        select s.id from sign_ins s where s.account_id = ${accountId} and s.id is distinct from ${caller.signIn}::uuid`;
      const ended = await revokeSignIns(tx, others, nowMs);
      await tellPasswordChanged(services.mail, tx, { to: place, from: caller, nowMs });
      const changes = {
        password: { from: aSecret, to: aSecret },
        otherSignIns: { from: ended.length, to: 0 },
      };
      return { answer: null, subject: caller.bizId, changes };
    },
  });
};
