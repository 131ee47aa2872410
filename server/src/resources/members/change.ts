import { ownerInTurn } from '../../auth/portal/in-turn.ts';
import { changeRole } from '../../auth/portal/member-changes.ts';
import { MemberPath } from '../../auth/portal/member-path.ts';
import type { WorkspaceRole } from '../../auth/portal/roles.ts';
import { selectOne } from '../../contract/collection.ts';
import { command } from '../../contract/command.ts';
import { sql } from '../../db/sql.ts';
import { members } from './collection.ts';
import { lockedMember } from './locked-member.ts';
import { MemberChange, MemberRecord } from './schema.ts';

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
    const changes = await changeRole(tx, place, member, input.role as WorkspaceRole); // the schema lets no other pass
    const where = [sql`m.workspace_id = ${place.workspaceId}`, sql`m.account_id = ${member.accountId}`];
    const record = await selectOne(tx, members, where, nowMs);
    if (record === undefined) throw new Error('a locked member cannot be gone');
    return { answer: record, subject: input.accountId, changes };
  },
});
