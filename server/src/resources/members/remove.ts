import { ownerOrSelfInTurn } from '../../auth/portal/in-turn.ts';
import { takeOut } from '../../auth/portal/member-changes.ts';
import { MemberPath } from '../../auth/portal/member-path.ts';
import { command } from '../../contract/command.ts';
import { NoData } from '../../contract/envelope.ts';
import { lockedMember } from './locked-member.ts';

export const removeMember = command({
  path: MemberPath,
  answer: NoData,
  status: 200,
  place: ownerOrSelfInTurn,
  action: 'member.removed',
  errors: ['4040', '4094'],
  async run(step) {
    const { told } = await takeOut(step.tx, step.place, await lockedMember(step), step.nowMs);
    return { answer: null, subject: step.input.accountId, ...told };
  },
});
