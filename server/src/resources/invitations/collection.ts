import { invitationRecords } from '../../auth/portal/invitation-record.ts';
import { invitationStatusAt } from '../../auth/portal/invitations.ts';
import { ownerOfWorkspace } from '../../auth/portal/roles.ts';
import { collection } from '../../contract/collection.ts';
import { equal } from '../../contract/page-statement.ts';
import { now } from '../../contract/page-values.ts';
import { sql } from '../../db/sql.ts';
import { InvitationFilters } from './schema.ts';

const status = invitationStatusAt(now);

export const invitations = collection({
  ...invitationRecords,
  filters: InvitationFilters,
  filtersIn: 'query',
  shape: 'flat',
  sortable: {
    createdAt: sql`i.created_at`,
    expiresAt: sql`i.expires_at`,
    email: sql`i.email`,
    role: sql`i.role::text collate "C"`,
    status: sql`${status} collate "C"`,
  },
  defaultSort: { field: 'createdAt', direction: 'desc' },
  tieBreak: [sql`i.id`],
  id: sql`i.id`,
  isSmall: true,
  place: ownerOfWorkspace,
  within: [sql`i.workspace_id = place.workspace_id`],
  filterBy: { status: equal(status) },
});
