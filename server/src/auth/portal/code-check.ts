import { addressGroup } from '../../contract/address.ts';
import { ApiError } from '../../contract/api-error.ts';
import { countsOfAddress, giveBackAll, takeAll } from '../../limits/limits.ts';
import type { Services } from '../services.ts';
import type { Account } from './accounts.ts';
import { useRecoveryCode } from './recovery-codes.ts';
import { secondFactorOwner, selectWaitMs, takeAttempt, useStep } from './second-factors.ts';
import { isTotpCode, stepOfCode } from './totp.ts';

type From = { address: string | null; requestId: string };

const codeRefused = (message: string) =>
  new ApiError('4018', message, { headers: { 'www-authenticate': 'Bearer realm="portico"' } });

export const codeRequired = () => codeRefused('a code of the second factor is required');

export const wrongCode = () => codeRefused('the code is wrong or was used before');

function tooSoon(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ApiError('4290', `too many wrong codes; try again in ${seconds} s, or use a recovery code`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/** As apps show them, in two groups. */
export const withoutSpaces = (code: string) => code.replace(/\s/g, '');

/**
 * A code of the second factor, which is used by that, or a recovery code. Codes of six digits are limited for the account, so that
 * they cannot be guessed; recovery codes are not, so that nobody who guesses elsewhere can lock the owner out.
 */
export function createCodeCheck({ db, limits, now, refusedCodes, vault }: Services) {
  const usesTotp = async (accountId: number, code: string): Promise<boolean> => {
    const nowMs = now();
    const factor = await takeAttempt(db, accountId, nowMs);
    if (factor === undefined) {
      const waitMs = await selectWaitMs(db, accountId, nowMs);
      if (waitMs !== undefined) throw tooSoon(waitMs);
      return false;
    }
    const step = stepOfCode(vault.open(factor.sealed, secondFactorOwner(accountId)), code, nowMs);
    return step !== undefined && useStep(db, accountId, factor, step);
  };
  return async ({ id, bizId }: Account, typed: string, { address, requestId }: From): Promise<void> => {
    const code = withoutSpaces(typed);
    const counts = countsOfAddress('signInAddress', address ?? undefined);
    await takeAll(limits, counts, 'failed sign-ins');
    const isRight = isTotpCode(code) ? await usesTotp(id, code) : await useRecoveryCode(db, id, code);
    if (isRight) return giveBackAll(limits, counts);
    const group = addressGroup(address ?? undefined);
    await refusedCodes.note({ address, requestId, group, accountBizId: bizId });
    throw wrongCode();
  };
}
