import { ownerInTurn } from '../../auth/portal/in-turn.ts';
import { changeRole } from '../../auth/portal/member-changes.ts';
import { MemberPath } from '../../auth/portal/member-path.ts';
import { MemberRecord } from '../../auth/portal/member-record.ts';
import type { WorkspaceRole } from '../../auth/portal/roles.ts';
import { command } from '../../contract/command.ts';
import { lockedMember } from './locked-member.ts';
import { MemberChange } from './schema.ts';

export const changeMember = command({
  path: MemberPath,
  body: MemberChange,
  answer: MemberRecord,
  status: 200,
  place: ownerInTurn,
  action: 'member.changed',
  errors: ['4040', '4094'],
  async run(step) {
    const { tx, nowMs, place, input } = step;
    const member = await lockedMember(step);
    const role = input.role as WorkspaceRole; // the schema lets no other pass
    const { record, told } = await changeRole(tx, place, member, role, nowMs);
    return { answer: record, subject: input.accountId, ...told };
  },
});
