import type { Static } from 'typebox';
import { isAddress } from '../../auth/portal/accounts.ts';
import { ofToken } from '../../auth/portal/invitations.ts';
import type { WorkspaceRole } from '../../auth/portal/roles.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { isoTime, sql } from '../../db/sql.ts';
import type { Locale } from '../../mail/kinds.ts';
import type { InvitationView } from './schema.ts';

/** What a link leads to, as long as it works. */
export async function selectView(
  db: Queryable,
  token: string,
  nowMs: number,
): Promise<Static<typeof InvitationView> | undefined> {
  const [row] = await db.query<Static<typeof InvitationView>>(sql`
    select i.email, i.role::text as role, w.name as "workspaceName", n.name as "institutionName",
      (select a.name from accounts a where a.id = i.invited_by) as "inviterName",
      ${isoTime(sql`i.expires_at`)} as "expiresAt",
      exists (select 1 from accounts a where ${isAddress(sql`a.email`, sql`i.email`)}) as "hasAccount"
    from invitations i join workspaces w on w.id = i.workspace_id join institutions n on n.id = w.institution_id
    where ${ofToken(token, nowMs)}`);
  return row;
}

type Letter = {
  to: string;
  locale: Locale;
  inviterName: string;
  workspaceName: string;
  institutionName: string;
  role: WorkspaceRole;
};

/** What is written to who was just invited by an account, in their language where it is known, and else in the inviter's. */
export async function selectLetter(tx: Transaction, invitationId: string): Promise<Letter> {
  const [row] = await tx.query<Letter>(sql`
    select i.email as "to", i.role::text as role, w.name as "workspaceName", n.name as "institutionName", b.name as "inviterName",
      coalesce((select a.locale from accounts a where ${isAddress(sql`a.email`, sql`i.email`)}), b.locale) as locale
    from invitations i join accounts b on b.id = i.invited_by join workspaces w on w.id = i.workspace_id
    join institutions n on n.id = w.institution_id where i.id = ${invitationId}`);
  if (row === undefined) throw new Error('an invitation cannot be gone while it is made');
  return row;
}
