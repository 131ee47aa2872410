import type { DeliveryStatus } from '../../channels/types.ts';
import type { Transaction } from '../../db/database.ts';
import { instant, type Sql, sql, trusted } from '../../db/sql.ts';
import { redeliveriesMax } from './delivery-schema.ts';

/** Looked up for each, which costs the same however many events there are; a join might read them all. */
const isKept = sql`coalesce((select true from events e where e.sequence = d.event_sequence), false)`;

export type LockedDelivery = { id: number; status: DeliveryStatus; isKept: boolean };

export async function lockDelivery(
  tx: Transaction,
  channelId: number,
  id: string,
): Promise<LockedDelivery | undefined> {
  const [row] = await tx.query<LockedDelivery>(sql`
    select d.id, d.status::text as status, ${isKept} as "isKept"
    from deliveries d where d.id = ${id}::int8 and d.channel_id = ${channelId} for no key update`);
  return row;
}

/** As if it were new. One that is under way, or waits for its next attempt, is only due at once. */
export async function renewDelivery(tx: Transaction, id: number, nowMs: number): Promise<void> {
  await tx.query(sql`
    update deliveries set attempts = case when status = 'PENDING' then attempts else 0 end, status = 'PENDING',
      next_attempt_at = ${instant(nowMs)}, updated_at = ${instant(nowMs)} where id = ${id}`);
}

/** Those who send look at it at once. Whatever has a delivery has a row. */
export async function giveTurn(tx: Transaction, channelId: number, nowMs: number): Promise<void> {
  const now = instant(nowMs);
  await tx.query(
    sql`update channel_turns set due_at = ${now} where channel_id = ${channelId} and due_at > ${now}`,
  );
}

/** Each from its own part of the index, in its order. */
const oldest = (channelId: number, status: 'FAILED' | 'CANCELLED', fromMs: number): Sql => sql`
  (select d.id, d.created_at from deliveries d
  where d.channel_id = ${channelId} and d.status = ${trusted(`'${status}'`)} and d.created_at >= ${instant(fromMs)} and ${isKept}
  order by d.created_at, d.id limit ${redeliveriesMax + 1})`;

/** The oldest of those that were given up or cancelled, as far as their events are still kept. */
export async function renewFailed(
  tx: Transaction,
  channelId: number,
  fromMs: number,
  nowMs: number,
): Promise<{ count: number; hasMore: boolean }> {
  const [row] = await tx.query<{ count: number; hasMore: boolean }>(sql`
    with found as materialized (
      select id, created_at from (${oldest(channelId, 'FAILED', fromMs)} union all ${oldest(channelId, 'CANCELLED', fromMs)}) both_kinds
      order by created_at, id limit ${redeliveriesMax + 1}
    ), renewed as (
      update deliveries d set status = 'PENDING', attempts = 0, next_attempt_at = ${instant(nowMs)}, updated_at = ${instant(nowMs)}
      where d.id = any (array(select id from found order by created_at, id limit ${redeliveriesMax}))
        and d.status in ('FAILED', 'CANCELLED') returning 1
    )
    select (select count(*) from renewed) as count, (select count(*) from found) > ${redeliveriesMax} as "hasMore"`);
  return row ?? { count: 0, hasMore: false };
}
