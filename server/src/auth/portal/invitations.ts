import type { Queryable, Transaction } from '../../db/database.ts';
import { ulid } from '../../db/identifiers.ts';
import { instant, type Sql, sql } from '../../db/sql.ts';
import { hashOfOneTimeToken, newOneTimeToken } from '../secrets/one-time-token.ts';
import { isAddress } from './accounts.ts';
import type { WorkspaceRole } from './roles.ts';

export const invitationStatuses = ['PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED'] as const;
export const invitationDays = 7;
export const pendingInvitationsMax = 100;
/** Of those that have ended, as many are kept in a workspace. */
export const endedInvitationsMax = 200;
/** Deleted with one invitation: more than it adds, so that no number stays beyond the bound. */
const trimmedMax = 10;
/** What has ended is forgotten after this, as it names people who may never have come. */
const keptMs = 90 * 86_400_000;
const sweepBatch = 500;

export const isOpenAt = (now: Sql) => sql`i.status = 'PENDING' and i.expires_at > ${now}`;

/** What an invitation `i` is at a time. */
export const invitationStatusAt = (now: Sql) =>
  sql`case when i.status = 'PENDING' and i.expires_at <= ${now} then 'EXPIRED' else i.status::text end`;

export type NewInvitation = {
  workspaceId: number;
  email: string;
  role: WorkspaceRole;
  /** The account; null: the operator. */
  invitedBy: number | null;
};

/** The token is for the link alone: of it the database has the hash. */
export type IssuedInvitation = {
  invitationId: string;
  token: string;
  expiresAtMs: number;
  /** The one for the same address that ended with this. */
  replacedId: string | null;
};

/** A link that still waits ends when there is a newer one. */
async function endPending(
  tx: Transaction,
  { workspaceId, email }: NewInvitation,
  now: Sql,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(sql`
    update invitations i set status = case when ${isOpenAt(now)} then 'REVOKED' else 'EXPIRED' end::invitation_status
    where i.workspace_id = ${workspaceId} and ${isAddress(sql`i.email`, email)} and i.status = 'PENDING' returning i.id`);
  return row?.id ?? null;
}

async function countPending(tx: Transaction, workspaceId: number, now: Sql): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from invitations i where i.workspace_id = ${workspaceId} and ${isOpenAt(now)}`);
  return row?.count ?? 0;
}

async function trimEnded(tx: Transaction, workspaceId: number, now: Sql): Promise<void> {
  await tx.query(sql`
    delete from invitations where id in (
      select i.id from invitations i where i.workspace_id = ${workspaceId} and not (${isOpenAt(now)})
      order by i.created_at desc, i.id desc offset ${endedInvitationsMax} limit ${trimmedMax})`);
}

/**
 * Undefined when the workspace has as many as it may have; then nothing is to be kept. The caller holds the lock of the
 * workspace's row, so that no two both take the last place.
 */
export async function insertInvitation(
  tx: Transaction,
  invitation: NewInvitation,
  nowMs: number,
): Promise<IssuedInvitation | undefined> {
  const { workspaceId, email, role, invitedBy } = invitation;
  const now = instant(nowMs);
  const replacedId = await endPending(tx, invitation, now);
  if ((await countPending(tx, workspaceId, now)) >= pendingInvitationsMax) return undefined;
  const invitationId = `INV_${ulid(nowMs)}`;
  const token = newOneTimeToken();
  const expiresAtMs = nowMs + invitationDays * 86_400_000;
  await tx.query(sql`
    insert into invitations (id, workspace_id, email, role, token_hash, invited_by, created_at, expires_at)
    values (${invitationId}, ${workspaceId}, ${email}, ${role}::workspace_role, ${hashOfOneTimeToken(token)}, ${invitedBy},
      ${now}, ${instant(expiresAtMs)})`);
  await trimEnded(tx, workspaceId, now);
  return { invitationId, token, expiresAtMs, replacedId };
}

/** The invitation `i` of a link, as long as it works. */
export const ofToken = (token: string, nowMs: number): Sql =>
  sql`i.token_hash = ${hashOfOneTimeToken(token)} and ${isOpenAt(instant(nowMs))}`;

export async function isOpen(db: Queryable, token: string, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`select 1 from invitations i where ${ofToken(token, nowMs)}`);
  return rows.length > 0;
}

/** What an acceptance stands on. */
export type InvitationGround = {
  invitationId: string;
  email: string;
  role: WorkspaceRole;
  workspaceId: number;
  workspaceBizId: string;
  institutionId: number;
};

/** As `i`, if it works: the workspace is locked first, as by all who change its members. */
export const lockedInvitation = (token: string, nowMs: number) => sql`
  lateral (
    select i.id as "invitationId", i.email, i.role::text as role, w.id as "workspaceId", w.biz_id as "workspaceBizId",
      w.institution_id as "institutionId"
    from invitations i join workspaces w on w.id = i.workspace_id where ${ofToken(token, nowMs)} for no key update of w, i
  ) i`;

export async function updateInvitation(
  tx: Transaction,
  invitationId: string,
  status: 'ACCEPTED' | 'REVOKED',
): Promise<void> {
  await tx.query(
    sql`update invitations set status = ${status}::invitation_status where id = ${invitationId}`,
  );
}

/** Deletes a batch of invitations that ended long ago; true when there may be more. */
export async function sweepInvitations(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from invitations where id in (
      select id from invitations where expires_at < ${instant(nowMs - keptMs)}
      order by expires_at limit ${sweepBatch} for update skip locked)
    returning 1`);
  return rows.length === sweepBatch;
}
