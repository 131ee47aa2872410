import { ownAccount } from '../../auth/portal/own-account.ts';
import { revokeSignIns } from '../../auth/portal/sign-ins.ts';
import { ApiError } from '../../contract/api-error.ts';
import { command } from '../../contract/command.ts';
import { NoData } from '../../contract/envelope.ts';
import { instant, sql } from '../../db/sql.ts';
import { SessionPath } from './schema.ts';

/** Compared as text: what is no uuid is the id of no sign-in. */
export const endSession = command({
  path: SessionPath,
  answer: NoData,
  status: 200,
  place: ownAccount,
  action: 'account.signed-out',
  errors: ['4040'],
  async run({ tx, nowMs, caller, place: { accountId }, input: { sessionId } }) {
    const own = sql`
      select s.id from sign_ins s
      where s.account_id = ${accountId} and s.id::text = ${sessionId} and s.expires_at > ${instant(nowMs)}`;
    const ended = await revokeSignIns(tx, own, nowMs);
    if (ended.length === 0) throw new ApiError('4040', 'the account has no such open session');
    return { answer: null, subject: caller.bizId, changes: { signIns: { from: ended.length, to: 0 } } };
  },
});
