import { Type } from 'typebox';
import type { AccountCaller } from '../../auth/identity.ts';
import { memberOfWorkspace, type Person } from '../../auth/portal/roles.ts';
import { collection } from '../../contract/collection.ts';
import { given } from '../../contract/page-values.ts';
import type { Place } from '../../contract/place.ts';
import { sql } from '../../db/sql.ts';
import { NotificationRecord } from './schema.ts';

/** The workspace with how far the account has read there, as `place.read_to`. */
const readingMember: Place<AccountCaller, Person & { workspace: string }> = {
  ...memberOfWorkspace,
  select: sql`
    select member.workspace_id, member.missing, coalesce((
      select k.event_sequence from notification_marks k join accounts a on a.id = k.account_id
      where k.workspace_id = member.workspace_id and a.biz_id = ${given('place', 'account')}), 0) as read_to
    from (${memberOfWorkspace.select}) member`,
};

export const notifications = collection({
  record: NotificationRecord,
  filters: Type.Object({}),
  filtersIn: 'query',
  shape: 'flat',
  // Each by its key, however many events there are.
  from: sql`notifications n cross join lateral (select * from events where sequence = n.event_sequence limit 1) e`,
  columns: {
    eventId: sql`'EVT_' || n.event_sequence`,
    eventType: sql`e.type`,
    mode: sql`e.mode::text`,
    occurredAt: sql`e.occurred_at`,
    data: sql`e.data::json`,
    isRead: sql`n.event_sequence <= place.read_to`,
  },
  sortable: { occurredAt: sql`e.occurred_at` },
  defaultSort: { field: 'occurredAt', direction: 'desc' },
  tieBreak: [sql`n.event_sequence`],
  id: sql`n.event_sequence`,
  isSmall: true,
  place: readingMember,
  within: [sql`n.workspace_id = place.workspace_id`],
  filterBy: {},
});
