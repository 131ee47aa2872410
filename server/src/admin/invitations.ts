import { Type } from 'typebox';
import { invitationStatusAt, isOpenAt } from '../auth/portal/invitations.ts';
import type { WorkspaceRole } from '../auth/portal/roles.ts';
import { ApiError } from '../contract/api-error.ts';
import { changesOf } from '../contract/changes.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { instant, isoTime, sql } from '../db/sql.ts';
import { Named } from './fields.ts';
import { inBatches } from './listing.ts';
import { operatorTask } from './operator.ts';
import { theWorkspace } from './places.ts';
import { selectWorkspaceId } from './workspaces.ts';

async function updatePending(
  tx: Transaction,
  workspaceId: number,
  invitationId: string,
  nowMs: number,
): Promise<string | undefined> {
  const [row] = await tx.query<{ email: string }>(sql`
    update invitations i set status = 'REVOKED'
    where i.id = ${invitationId} and i.workspace_id = ${workspaceId} and ${isOpenAt(instant(nowMs))} returning i.email`);
  return row?.email;
}

export const revokeInvitation = operatorTask({
  input: Type.Object({ workspace: Named, invitation: Named }),
  answer: Type.Object({ invitationId: Type.String(), email: Type.String(), status: Type.String() }),
  place: theWorkspace,
  action: 'invitation.revoked',
  async run({ tx, nowMs, place: { workspaceId }, input: { invitation } }) {
    const email = await updatePending(tx, workspaceId, invitation, nowMs);
    if (email === undefined)
      throw new ApiError('4040', `the workspace has no invitation ${invitation} that waits`);
    return {
      answer: { invitationId: invitation, email, status: 'REVOKED' },
      subject: invitation,
      changes: changesOf({ status: 'PENDING' }, { status: 'REVOKED' }),
    };
  },
});

type Row = {
  invitationId: string;
  email: string;
  role: WorkspaceRole;
  status: string;
  createdAt: string;
  expiresAt: string;
};

/** Those that have ended too, for as long as they are kept. */
export async function* listInvitations(db: Queryable, workspace: string): AsyncGenerator<Row[]> {
  const workspaceId = await selectWorkspaceId(db, workspace);
  yield* inBatches<Row>(
    ({ invitationId }) => invitationId,
    (after, limit) =>
      db.query(sql`
        select i.id as "invitationId", i.email, i.role::text as role, ${invitationStatusAt(sql`now()`)} as status,
          ${isoTime(sql`i.created_at`)} as "createdAt", ${isoTime(sql`i.expires_at`)} as "expiresAt"
        from invitations i where i.workspace_id = ${workspaceId} and i.id > ${after} order by i.id limit ${limit}`),
  );
}
