import { memberRecords } from '../../auth/portal/member-record.ts';
import { memberOfWorkspace } from '../../auth/portal/roles.ts';
import { collection } from '../../contract/collection.ts';
import { equal } from '../../contract/page-statement.ts';
import { sql } from '../../db/sql.ts';
import { MemberFilters } from './schema.ts';

export const members = collection({
  ...memberRecords,
  filters: MemberFilters,
  filtersIn: 'query',
  shape: 'flat',
  sortable: {
    joinedAt: sql`m.joined_at`,
    name: sql`a.name collate "C"`,
    email: sql`a.email`,
    role: sql`m.role::text collate "C"`,
    status: sql`a.status::text collate "C"`,
    lastSignInAt: sql`a.last_sign_in_at`,
  },
  nullable: ['lastSignInAt'],
  defaultSort: { field: 'joinedAt', direction: 'asc' },
  tieBreak: [sql`m.id`],
  id: sql`m.id`,
  isSmall: true,
  place: memberOfWorkspace,
  within: [sql`m.workspace_id = place.workspace_id`],
  filterBy: {
    role: equal(sql`m.role`, (given) => sql`${given}::workspace_role`),
    status: equal(sql`a.status`, (given) => sql`${given}::account_status`),
  },
});
