import { type Static, Type } from 'typebox';
import { selectOne } from '../../contract/collection.ts';
import { now } from '../../contract/page-values.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { invitationDays, invitationStatusAt, invitationStatuses } from './invitations.ts';
import { workspaceRoles } from './roles.ts';

const invitationId = Type.String({
  description: 'Identifier of the invitation.',
  examples: ['INV_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E'],
});
const email = Type.String({
  description: 'Who is invited, as the address was typed.',
  examples: ['colleague@example.com'],
});
const role = Type.String({ enum: [...workspaceRoles], description: 'What the invited may do then.' });
const time = (description: string) => Type.String({ format: 'date-time', description });
const expiresAt = time(`When the link stops working: ${invitationDays} days after it was made.`);
const inviterName = Type.Union([Type.String(), Type.Null()], {
  description: 'Who invites; null: the operator of the service.',
  examples: ['Demo Owner'],
});

export const InvitationRecord = Type.Object(
  {
    invitationId,
    email,
    role,
    status: Type.String({
      enum: [...invitationStatuses],
      description: 'REVOKED also when a newer one for the same address took its place.',
    }),
    inviterName,
    createdAt: time('ISO 8601, UTC.'),
    expiresAt,
  },
  { title: 'InvitationRecord' },
);
export type InvitationRecord = Static<typeof InvitationRecord>;

/** What the record of `invitations i` is made of, for whoever shows it or tells of it. */
export const invitationRecords = {
  record: InvitationRecord,
  from: sql`invitations i`,
  columns: {
    invitationId: sql`i.id`,
    email: sql`i.email`,
    role: sql`i.role::text`,
    status: invitationStatusAt(now),
    inviterName: sql`(select a.name from accounts a where a.id = i.invited_by)`,
    createdAt: sql`i.created_at`,
    expiresAt: sql`i.expires_at`,
  },
};

/** Of an invitation that the transaction has made. */
export async function selectInvitationRecord(
  tx: Transaction,
  invitationId: string,
  nowMs: number,
): Promise<InvitationRecord> {
  const record = await selectOne(tx, invitationRecords, [sql`i.id = ${invitationId}`], nowMs);
  if (record === undefined) throw new Error('an invitation cannot be gone while it is made');
  return record;
}
