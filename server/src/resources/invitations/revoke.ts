import { ownerInTurn } from '../../auth/portal/in-turn.ts';
import { InvitationRecord } from '../../auth/portal/invitation-record.ts';
import { updateInvitation } from '../../auth/portal/invitations.ts';
import { ApiError } from '../../contract/api-error.ts';
import { changesOf } from '../../contract/changes.ts';
import { selectOne } from '../../contract/collection.ts';
import { command } from '../../contract/command.ts';
import { sql } from '../../db/sql.ts';
import { invitations } from './collection.ts';
import { InvitationPath } from './schema.ts';

export const revokeInvitation = command({
  path: InvitationPath,
  answer: InvitationRecord,
  status: 200,
  place: ownerInTurn,
  action: 'invitation.revoked',
  errors: ['4040', '4091'],
  async run({ tx, nowMs, place, input: { invitationId } }) {
    const where = [sql`i.id = ${invitationId}`, sql`i.workspace_id = ${place.workspaceId}`];
    const found = await selectOne(tx, invitations, where, nowMs);
    if (found === undefined) throw new ApiError('4040', 'the workspace has no such invitation');
    const { status } = found;
    if (status !== 'PENDING') throw new ApiError('4091', `an invitation that is ${status} cannot be revoked`);
    await updateInvitation(tx, invitationId, 'REVOKED');
    const changes = changesOf({ status }, { status: 'REVOKED' });
    return { answer: { ...found, status: 'REVOKED' }, subject: invitationId, changes };
  },
});
