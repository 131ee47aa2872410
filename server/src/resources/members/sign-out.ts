import { ownerInTurn } from '../../auth/portal/in-turn.ts';
import { MemberPath } from '../../auth/portal/member-path.ts';
import { revokeSignIns } from '../../auth/portal/sign-ins.ts';
import { command } from '../../contract/command.ts';
import { NoData } from '../../contract/envelope.ts';
import { sql } from '../../db/sql.ts';
import { lockedMember } from './locked-member.ts';

/** Of a lost laptop, say. The member stays one, and signs in anew. */
export const signOutMember = command({
  path: MemberPath,
  answer: NoData,
  status: 200,
  place: ownerInTurn,
  action: 'member.signed-out',
  errors: ['4040'],
  async run(step) {
    const { accountId } = await lockedMember(step);
    const all = sql`select s.id from sign_ins s where s.account_id = ${accountId}`;
    const ended = await revokeSignIns(step.tx, all, step.nowMs);
    return {
      answer: null,
      subject: step.input.accountId,
      changes: { signIns: { from: ended.length, to: 0 } },
    };
  },
});
