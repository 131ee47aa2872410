import { createCodeCheck, withoutSpaces, wrongCode } from '../../auth/portal/code-check.ts';
import { tellSecondFactorChanged } from '../../auth/portal/notices.ts';
import { NoPath, ownAccount } from '../../auth/portal/own-account.ts';
import { insertRecoveryCodes } from '../../auth/portal/recovery-codes.ts';
import {
  confirmSecondFactor,
  deleteSecondFactor,
  insertSecondFactor,
  secondFactorOwner,
  selectPending,
} from '../../auth/portal/second-factors.ts';
import { newTotpSecret, otpauthUri, stepOfCode } from '../../auth/portal/totp.ts';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import { aSecret } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import { NoData } from '../../contract/envelope.ts';
import { NewSecondFactor, RecoveryCodes, SecondFactorCode } from './schema.ts';

const shared = { path: NoPath, status: 200, place: ownAccount } as const;
const issuer = 'Portico';

/** A secret that is asked for nowhere until a code of it confirms that its owner has it. */
export const addSecondFactor = ({ vault }: Services) =>
  command({
    ...shared,
    answer: NewSecondFactor,
    action: 'account.second-factor-started',
    errors: ['4091'],
    secrets: ['secret', 'otpauthUri'],
    async run({ tx, caller, place: { accountId, email } }) {
      const secret = newTotpSecret();
      if (!(await insertSecondFactor(tx, vault, accountId, secret)))
        throw new ApiError('4091', 'the account has a second factor; remove it first');
      const answer = { secret, otpauthUri: otpauthUri(secret, issuer, email) };
      return { answer, subject: caller.bizId, changes: { secondFactor: { from: null, to: aSecret } } };
    },
  });

export const confirmNewSecondFactor = ({ mail, vault }: Services) =>
  command({
    ...shared,
    body: SecondFactorCode,
    answer: RecoveryCodes,
    action: 'account.second-factor-added',
    errors: ['4018', '4091'],
    secrets: ['recoveryCodes'],
    async run({ tx, nowMs, caller, place, input }) {
      const { accountId } = place;
      const pending = await selectPending(tx, accountId);
      if (pending === undefined) throw new ApiError('4091', 'no second factor waits to be confirmed');
      const secret = vault.open(pending.sealed, secondFactorOwner(accountId));
      const step = stepOfCode(secret, withoutSpaces(input.code), nowMs);
      if (step === undefined) throw wrongCode();
      await confirmSecondFactor(tx, accountId, step, nowMs);
      const recoveryCodes = await insertRecoveryCodes(tx, accountId);
      await tellSecondFactorChanged(mail, tx, true, { to: place, from: caller, nowMs });
      const changes = { hasSecondFactor: { from: false, to: true } };
      return { answer: { recoveryCodes }, subject: caller.bizId, changes };
    },
  });

const noFactor = () => new ApiError('4040', 'the account has no second factor');

export const removeSecondFactor = (services: Services) => {
  const check = createCodeCheck(services);
  return command({
    ...shared,
    body: SecondFactorCode,
    answer: NoData,
    action: 'account.second-factor-removed',
    errors: ['4018', '4040', '4290'],
    async before({ caller, place, input }) {
      if (!place.hasSecondFactor) throw noFactor();
      await check({ id: place.accountId, bizId: caller.bizId }, input.code, caller);
    },
    async run({ tx, nowMs, caller, place }) {
      if (!(await deleteSecondFactor(tx, place.accountId))) throw noFactor();
      await tellSecondFactorChanged(services.mail, tx, false, { to: place, from: caller, nowMs });
      return {
        answer: null,
        subject: caller.bizId,
        changes: { hasSecondFactor: { from: true, to: false } },
      };
    },
  });
};
