import { tellPasswordChanged } from '../../auth/portal/notices.ts';
import { hasPasswordReset, usePasswordReset } from '../../auth/portal/password-resets.ts';
import { updatePassword } from '../../auth/portal/set-password.ts';
import { type Origin, signInRecord } from '../../auth/portal/sign-in-records.ts';
import { revokeAllSignIns } from '../../auth/portal/sign-ins.ts';
import type { Services } from '../../auth/services.ts';
import { addressGroup } from '../../contract/address.ts';
import { ApiError } from '../../contract/api-error.ts';
import { aSecret } from '../../contract/changes.ts';
import { countsOfAddress, takeAll } from '../../limits/limits.ts';
import { appendRecords } from '../../log/append.ts';

/** The same for a link that was used, expired, was replaced, never was, or is that of a disabled account. */
const deadLink = () => new ApiError('4040', 'the link was used, has expired or never was one');

/** Sets the password of whoever has the link, and ends every sign-in. The second factor stays. */
export async function confirmReset(
  { db, limits, mail, now, passwords }: Services,
  origin: Origin,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<void> {
  const address = addressGroup(origin.address ?? undefined);
  await takeAll(
    limits,
    countsOfAddress('passwordResetAddress', origin.address ?? undefined),
    'password resets',
  );
  // A hash is dear: nobody is given one for a link that does not work.
  if (!(await hasPasswordReset(db, token, now()))) throw deadLink();
  const becomes = await passwords.hash(newPassword, address);
  await db.transaction(async (tx) => {
    const nowMs = now();
    const account = await usePasswordReset(tx, token, nowMs);
    if (account === undefined) throw deadLink();
    const { id, bizId: accountBizId, name: accountName } = account;
    await updatePassword(tx, id, { becomes });
    const ended = await revokeAllSignIns(tx, id, nowMs);
    await tellPasswordChanged(mail, tx, { to: account, from: origin, nowMs });
    const changes = { password: { from: aSecret, to: aSecret }, signIns: { from: ended, to: 0 } };
    const holder = { accountBizId, accountName };
    await appendRecords(tx, [signInRecord('account.password-reset', holder, origin, nowMs, changes)]);
  });
}
