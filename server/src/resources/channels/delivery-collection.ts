import type { AccountCaller } from '../../auth/identity.ts';
import { memberOfWorkspace, type Person } from '../../auth/portal/roles.ts';
import { ApiError } from '../../contract/api-error.ts';
import { collection } from '../../contract/collection.ts';
import { equal } from '../../contract/page-statement.ts';
import { given } from '../../contract/page-values.ts';
import type { Place } from '../../contract/place.ts';
import { reader } from '../../contract/validate.ts';
import { sql } from '../../db/sql.ts';
import { DeliveryFilters, DeliveryRecord } from './delivery-schema.ts';
import { noChannel } from './locked-channel.ts';
import { ChannelPath } from './schema.ts';

const readPath = reader(ChannelPath);

/** The channel of the path, of a workspace in which the account has any role, as `place.channel_id`. */
const channelOfMember: Place<AccountCaller, Person & { workspace: string; channel: string }> = {
  ...memberOfWorkspace,
  at: (caller, asked) => ({
    ...memberOfWorkspace.at(caller, asked),
    channel: readPath(asked.params).channelId,
  }),
  select: sql`
    select c.id as channel_id, coalesce(member.missing, case when c.id is null then 'channel' end) as missing
    from (${memberOfWorkspace.select}) member
    left join channels c on c.biz_id = ${given('place', 'channel')} and c.workspace_id = member.workspace_id and c.deleted_at is null`,
  errors: [...memberOfWorkspace.errors, '4040'],
  refusal: (missing) =>
    missing === 'channel' ? new ApiError('4040', noChannel) : memberOfWorkspace.refusal(missing),
};

export const deliveries = collection({
  record: DeliveryRecord,
  filters: DeliveryFilters,
  filtersIn: 'query',
  shape: 'flat',
  from: sql`deliveries d`,
  columns: {
    deliveryId: sql`'DLV_' || d.id`,
    eventId: sql`'EVT_' || d.event_sequence`,
    eventType: sql`d.event_type`,
    status: sql`d.status::text`,
    attempts: sql`d.attempts`,
    nextAttemptAt: sql`d.next_attempt_at`,
    responseStatus: sql`d.response_status`,
    durationMs: sql`d.duration_ms`,
    responseBody: sql`d.response_body`,
    createdAt: sql`d.created_at`,
    updatedAt: sql`d.updated_at`,
  },
  sortable: { createdAt: sql`d.created_at` },
  defaultSort: { field: 'createdAt', direction: 'desc' },
  tieBreak: [sql`d.created_at`, sql`d.id`],
  id: sql`d.id`,
  place: channelOfMember,
  within: [sql`d.channel_id = place.channel_id`],
  filterBy: { status: equal(sql`d.status`, (given) => sql`${given}::delivery_status`) },
  tallies: [
    {
      name: 'deliveries',
      scope: { channel_id: sql`place.channel_id` },
      dimensions: { status: 'status' },
      time: 'createdAt',
    },
  ],
});
