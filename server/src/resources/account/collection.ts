import { Type } from 'typebox';
import { anyAccount } from '../../auth/portal/roles.ts';
import { collection } from '../../contract/collection.ts';
import { given, now } from '../../contract/page-values.ts';
import { sql } from '../../db/sql.ts';
import { SessionRecord } from './schema.ts';

/** The account of the caller as `place.account_id`, and the sign-in as `place.sign_in_id`. */
const ownSignIns = {
  ...anyAccount,
  select: sql`select own.*, ${given('place', 'signIn')}::uuid as sign_in_id from (${anyAccount.select}) own`,
};

/** Those that are open. An account has a hundred of them at most. */
export const sessions = collection({
  record: SessionRecord,
  filters: Type.Object({}),
  filtersIn: 'query',
  shape: 'flat',
  from: sql`sign_ins s`,
  columns: {
    sessionId: sql`s.id`,
    createdAt: sql`s.created_at`,
    lastSeenAt: sql`s.seen_at`,
    ipAddress: sql`s.ip_address`,
    userAgent: sql`s.user_agent`,
    isCurrent: sql`coalesce(s.id = place.sign_in_id, false)`,
  },
  sortable: { lastSeenAt: sql`s.seen_at`, createdAt: sql`s.created_at` },
  defaultSort: { field: 'lastSeenAt', direction: 'desc' },
  tieBreak: [sql`s.id`],
  id: sql`s.id`,
  isSmall: true,
  place: ownSignIns,
  within: [sql`s.account_id = place.account_id`, sql`s.revoked_at is null`, sql`s.expires_at > ${now}`],
  filterBy: {},
});
