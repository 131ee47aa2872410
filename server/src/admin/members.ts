import { Type } from 'typebox';
import { changeRole, invite, takeIn, takeOut } from '../auth/portal/member-changes.ts';
import { type LockedMember, lockMember } from '../auth/portal/members.ts';
import { EmailAddress } from '../auth/portal/person-fields.ts';
import type { WorkspaceRole } from '../auth/portal/roles.ts';
import { ApiError } from '../contract/api-error.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { isoTime, sql } from '../db/sql.ts';
import { Named, Role } from './fields.ts';
import { inBatches } from './listing.ts';
import { operatorTask } from './operator.ts';
import { isAccount, theWorkspace } from './places.ts';
import type { Tools } from './tools.ts';
import { selectWorkspaceId } from './workspaces.ts';

const Membership = Type.Object({ workspaceId: Type.String(), accountId: Type.String(), role: Type.String() });
const input = Type.Object({ workspace: Named, account: Named });

type Found = { accountId: number; bizId: string };

/** After the workspace, as all who change members lock it first. */
async function requireAccount(tx: Transaction, account: string): Promise<Found> {
  const [row] = await tx.query<Found>(sql`
    select a.id as "accountId", a.biz_id as "bizId" from accounts a where ${isAccount(account)} for share`);
  if (row === undefined) throw new ApiError('4040', `there is no account ${account}`);
  return row;
}

async function requireMember(
  tx: Transaction,
  workspaceId: number,
  account: string,
): Promise<{ bizId: string; member: LockedMember }> {
  const { bizId } = await requireAccount(tx, account);
  const member = await lockMember(tx, workspaceId, bizId);
  if (member === undefined) throw new ApiError('4040', `the account ${bizId} is no member of the workspace`);
  return { bizId, member };
}

export const addMember = operatorTask({
  input: Type.Object({ ...input.properties, role: Role }),
  answer: Membership,
  place: theWorkspace,
  action: 'member.added',
  async run({ tx, nowMs, place, input: { workspace, account, ...given } }) {
    const { accountId, bizId } = await requireAccount(tx, account);
    const role = given.role as WorkspaceRole; // the schema lets no other pass
    const { told } = await takeIn(tx, place, { accountId, role }, nowMs);
    return { answer: { workspaceId: workspace, accountId: bizId, role }, subject: bizId, ...told };
  },
});

export const setMemberRole = operatorTask({
  input: Type.Object({ ...input.properties, role: Role }),
  answer: Membership,
  place: theWorkspace,
  action: 'member.changed',
  async run({ tx, nowMs, place, input: { workspace, account, ...given } }) {
    const { bizId, member } = await requireMember(tx, place.workspaceId, account);
    const role = given.role as WorkspaceRole; // the schema lets no other pass
    const { told } = await changeRole(tx, place, member, role, nowMs);
    return { answer: { workspaceId: workspace, accountId: bizId, role }, subject: bizId, ...told };
  },
});

export const removeMember = operatorTask({
  input,
  answer: Membership,
  place: theWorkspace,
  action: 'member.removed',
  async run({ tx, nowMs, place, input: { workspace, account } }) {
    const { bizId, member } = await requireMember(tx, place.workspaceId, account);
    const { told } = await takeOut(tx, place, member, nowMs);
    return {
      answer: { workspaceId: workspace, accountId: bizId, role: member.role },
      subject: bizId,
      ...told,
    };
  },
});

const Invitation = Type.Object({
  invitationId: Type.String(),
  workspaceId: Type.String(),
  email: Type.String(),
  role: Type.String(),
  expiresAt: Type.String({ format: 'date-time' }),
  url: Type.String(),
});

/** The link is for the operator to hand over. */
export const inviteMember = ({ linkMaker }: Tools) => {
  const linkTo = linkMaker();
  return operatorTask({
    input: Type.Object({ workspace: Named, email: EmailAddress, role: Role }),
    answer: Invitation,
    place: theWorkspace,
    action: 'member.invited',
    async run({ tx, nowMs, place: { workspaceId }, input: { workspace, email, ...given } }) {
      const role = given.role as WorkspaceRole; // the schema lets no other pass
      const invitation = { workspaceId, email, role, invitedBy: null };
      const { invitationId, token, expiresAt, told } = await invite(tx, invitation, nowMs);
      const url = linkTo('invitation', token);
      return {
        answer: { invitationId, workspaceId: workspace, email, role, expiresAt, url },
        subject: invitationId,
        ...told,
      };
    },
  });
};

type Row = {
  accountId: string;
  email: string;
  name: string;
  role: WorkspaceRole;
  status: 'ACTIVE' | 'DISABLED';
  lastSignInAt: string | null;
  joinedAt: string;
};

export async function* listMembers(db: Queryable, workspace: string): AsyncGenerator<Row[]> {
  const workspaceId = await selectWorkspaceId(db, workspace);
  yield* inBatches<Row>(
    ({ accountId }) => accountId,
    (after, limit) =>
      db.query(sql`
        select a.biz_id as "accountId", a.email, a.name, m.role::text as role, a.status::text as status,
          ${isoTime(sql`a.last_sign_in_at`)} as "lastSignInAt", ${isoTime(sql`m.joined_at`)} as "joinedAt"
        from workspace_members m join accounts a on a.id = m.account_id
        where m.workspace_id = ${workspaceId} and a.biz_id > ${after} order by a.biz_id limit ${limit}`),
  );
}
