import { ownerInTurn } from '../../auth/portal/in-turn.ts';
import { MemberPath } from '../../auth/portal/member-path.ts';
import { revokeAllSignIns } from '../../auth/portal/sign-ins.ts';
import { command } from '../../contract/command.ts';
import { NoData } from '../../contract/envelope.ts';
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
    const ended = await revokeAllSignIns(step.tx, accountId, step.nowMs);
    return { answer: null, subject: step.input.accountId, changes: { signIns: { from: ended, to: 0 } } };
  },
});
