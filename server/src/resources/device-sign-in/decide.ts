import { Type } from 'typebox';
import { ownAccount } from '../../auth/portal/own-account.ts';
import { ApiError } from '../../contract/api-error.ts';
import { changesOf } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import { confirmDeviceCode, denyDeviceCode } from './queries.ts';
import { AskingDevice, UserCode } from './schema.ts';
import { hashOfUserCode } from './user-code.ts';

/** The same for a code that never was and one that is over: who guesses learns nothing. */
export const noSuchCode = () =>
  new ApiError('4040', 'the code is not known, was used or answered before, or has expired');

const shared = {
  path: Type.Object({}),
  body: UserCode,
  answer: AskingDevice,
  status: 200,
  place: ownAccount,
  errors: ['4040'],
} as const;

export const confirmDevice = command({
  ...shared,
  action: 'account.device-confirmed',
  async run({ tx, nowMs, caller: { bizId, signIn }, place: { accountId }, input }) {
    const userHash = hashOfUserCode(input.userCode);
    const answer = await confirmDeviceCode(tx, { userHash, nowMs }, { accountId, signIn });
    if (answer === undefined) throw noSuchCode();
    return { answer, subject: bizId, changes: changesOf({}, answer) };
  },
});

export const denyDevice = command({
  ...shared,
  action: 'account.device-denied',
  async run({ tx, nowMs, caller: { bizId }, input }) {
    const answer = await denyDeviceCode(tx, { userHash: hashOfUserCode(input.userCode), nowMs });
    if (answer === undefined) throw noSuchCode();
    return { answer, subject: bizId, changes: changesOf({}, answer) };
  },
});
