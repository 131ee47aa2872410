import { sql } from '../../src/db/sql.ts';
import { channel } from '../suites/command-targets.ts';
import { type Call, tokenOf, type World } from '../world.ts';
import { ownerId } from './own-account.ts';

export const channelsUrl = '/web/v1/workspaces/WS_DEMO/notification-channels';

type Told = { status?: string; count?: number; createdAt?: string };

/** Events that were told to a channel, with their deliveries, oldest first; gives the ids of the deliveries. */
export async function addDeliveries(
  { db }: World,
  channelId: string,
  { status = 'FAILED', count = 1, createdAt = '2026-01-01T00:00:00Z' }: Told = {},
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    with told as (
      insert into events (sequence, type, occurred_at, workspace_id, mode, data)
      select greatest((select max(event_sequence) from deliveries), (select max(sequence) from events), 1000000) + n, 'transfer.created', ${createdAt}::timestamptz, 'WS_DEMO', 'LIVE', '{}'
      from generate_series(1, ${count}::int) n returning sequence, type
    )
    insert into deliveries (channel_id, event_sequence, event_type, status, attempts, next_attempt_at, response_status, duration_ms,
      response_body, created_at, updated_at)
    select c.id, t.sequence, t.type, ${status}::delivery_status, 10, case when ${status} = 'PENDING' then now() + interval '1 hour' end, 503, 12,
      'busy', at, at
    from channels c cross join told t cross join lateral (
      select ${createdAt}::timestamptz + (t.sequence % 1000000) * interval '1 second' as at) made
    where c.biz_id = ${channelId} order by t.sequence returning 'DLV_' || id as id`);
  return rows.map(({ id }) => id);
}

/** The call that delivers something again, of a channel of its own. */
export async function redelivery(world: World): Promise<Call> {
  const channelId = await channel.make(world, await tokenOf(world, ownerId));
  const [deliveryId] = await addDeliveries(world, channelId);
  return { url: `${channelsUrl}/${channelId}/deliveries/${deliveryId}/redeliver` };
}
