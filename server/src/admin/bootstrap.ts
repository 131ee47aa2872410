import { Type } from 'typebox';
import { EmailAddress } from '../auth/portal/person-fields.ts';
import { ApiError } from '../contract/api-error.ts';
import { reader } from '../contract/validate.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { Name, NewId } from './fields.ts';
import { addInstitution } from './institutions.ts';
import { inviteMember } from './members.ts';
import { type Desk, within } from './operator.ts';
import type { Tools } from './tools.ts';
import { addWorkspace } from './workspaces.ts';

const read = reader(
  Type.Object({
    institution: NewId,
    institutionName: Name,
    workspace: NewId,
    workspaceName: Name,
    ownerEmail: EmailAddress,
  }),
);

/** Before anything is migrated, too: a database that is in use is left as it is. */
export async function refuseInUse(db: Queryable): Promise<void> {
  const [tables] = await db.query<{ areThere: boolean }>(
    sql`select to_regclass('institutions') is not null and to_regclass('accounts') is not null as "areThere"`,
  );
  if (!tables?.areThere) return;
  const [row] = await db.query<{ isInUse: boolean }>(sql`
    select exists (select 1 from institutions) or exists (select 1 from accounts) as "isInUse"`);
  if (row?.isInUse)
    throw new ApiError(
      '4090',
      'the database has institutions or accounts already: bootstrap is for an empty one',
    );
}

/** The first institution, its first workspace, and the link of who will own it: all of them, or nothing. */
export const bootstrap = (tools: Tools) => {
  const invite = inviteMember(tools);
  return (given: object) => {
    const { institution, institutionName, workspace, workspaceName, ownerEmail } = read(given);
    const steps = {
      institution: addInstitution({ institution, name: institutionName }),
      workspace: addWorkspace({ workspace, institution, name: workspaceName }),
      owner: invite({ workspace, email: ownerEmail, role: 'OWNER' }),
    };
    return (desk: Desk) =>
      desk.db.transaction(async (tx) => {
        // Of two at once, one waits here and then finds what the other has made.
        await tx.query(sql`lock table institutions, accounts in share row exclusive mode`);
        await refuseInUse(tx);
        const inside = within(tx, desk);
        const { institutionId } = await steps.institution(inside);
        const { workspaceId } = await steps.workspace(inside);
        const { invitationId, email, expiresAt, url } = await steps.owner(inside);
        return { institutionId, workspaceId, invitationId, ownerEmail: email, expiresAt, url };
      });
  };
};
