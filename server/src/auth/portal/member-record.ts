import { type Static, Type } from 'typebox';
import { selectOne } from '../../contract/collection.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { workspaceRoles } from './roles.ts';

export const accountStatuses = ['ACTIVE', 'DISABLED'] as const;

export const role = (description: string) => Type.String({ enum: [...workspaceRoles], description });

export const MemberRecord = Type.Object(
  {
    accountId: Type.String({ description: 'Identifier of the account.', examples: ['ACC_DEMO_VIEWER'] }),
    email: Type.String({ description: 'E-mail address of the account.', examples: ['viewer@demo.test'] }),
    name: Type.String({ description: 'Name of the person.', examples: ['Demo Viewer'] }),
    role: role('What the member may do: OWNER everything, MEMBER work, VIEWER look.'),
    status: Type.String({ enum: [...accountStatuses], description: 'A disabled account may do nothing.' }),
    lastSignInAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the account last signed in; null: not yet.',
      examples: ['2026-01-01T00:00:00.000Z'],
    }),
    joinedAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
  },
  { title: 'MemberRecord' },
);
export type MemberRecord = Static<typeof MemberRecord>;

/** What the record of `workspace_members m` is made of, for whoever shows it or tells of it. */
export const memberRecords = {
  record: MemberRecord,
  from: sql`workspace_members m join accounts a on a.id = m.account_id`,
  columns: {
    accountId: sql`a.biz_id`,
    email: sql`a.email`,
    name: sql`a.name`,
    role: sql`m.role::text`,
    status: sql`a.status::text`,
    lastSignInAt: sql`a.last_sign_in_at`,
    joinedAt: sql`m.joined_at`,
  },
};

/** Of a membership that the transaction has locked or made. */
export async function selectMemberRecord(
  tx: Transaction,
  workspaceId: number,
  accountId: number,
  nowMs: number,
): Promise<MemberRecord> {
  const where = [sql`m.workspace_id = ${workspaceId}`, sql`m.account_id = ${accountId}`];
  const record = await selectOne(tx, memberRecords, where, nowMs);
  if (record === undefined) throw new Error('a locked member cannot be gone');
  return record;
}
