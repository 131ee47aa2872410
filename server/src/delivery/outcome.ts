import type { Queryable } from '../db/database.ts';
import { instant, sql } from '../db/sql.ts';
import type { Claimed } from './claim.ts';
import { slowMs } from './claim.ts';
import { retryDelayMs } from './retry.ts';

/** What became of an attempt. */
export type Sent = {
  /**
   * GONE: it was refused for good. POSTPONED: nothing was tried, or it was no fault of the receiver; it counts as no attempt. LOST: there is nothing to send any more.
   */
  outcome: 'SUCCEEDED' | 'FAILED' | 'GONE' | 'POSTPONED' | 'LOST';
  status: number | null;
  /** What the receiver said, or why nothing was heard of it. */
  text: string | null;
};

export type Outcome = { claimed: Claimed; sent: Sent; durationMs: number; postponedMs?: number };

/** Disabled after failing for as long. */
const failingDaysMax = 5;
/** A postponed one is tried again; whatever was away may be back by then. */
const postponedMs = 30_000;

type Kept = { status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'; nextAttemptMs: number | null };

function keptOf({ claimed, sent, postponedMs: givenMs = postponedMs }: Outcome, nowMs: number): Kept {
  if (sent.outcome === 'SUCCEEDED') return { status: 'SUCCEEDED', nextAttemptMs: null };
  if (sent.outcome === 'LOST') return { status: 'CANCELLED', nextAttemptMs: null };
  if (sent.outcome === 'POSTPONED') return { status: 'PENDING', nextAttemptMs: nowMs + givenMs };
  const delayMs = sent.outcome === 'GONE' ? undefined : retryDelayMs(claimed.attempts);
  return delayMs === undefined
    ? { status: 'FAILED', nextAttemptMs: null }
    : { status: 'PENDING', nextAttemptMs: nowMs + delayMs };
}

/** Whether it was the last attempt, and failed. */
export const isGivenUp = (outcome: Outcome) => keptOf(outcome, 0).status === 'FAILED';

export type Settled = { deliveryId: number; channelId: number; isOver: boolean };

const isAttempt = ({ sent }: Outcome) => sent.outcome !== 'POSTPONED' && sent.outcome !== 'LOST';

/** Keeps outcomes in one statement. Those that it does not give back belong to channels that someone has locked. */
export function settleDeliveries(
  db: Queryable,
  outcomes: readonly Outcome[],
  nowMs: number,
): Promise<Settled[]> {
  const kept = outcomes.map((each) => ({ ...each, ...keptOf(each, nowMs) }));
  const time = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs).toISOString());
  return db.query<Settled>(sql`
    select * from delivery_settle(${instant(nowMs)}, ${slowMs}, make_interval(days => ${failingDaysMax}),
      ${kept.map(({ claimed }) => claimed.deliveryId)}::int8[],
      ${kept.map(({ claimed }) => claimed.channelId)}::int8[],
      ${kept.map(({ claimed }) => claimed.attempts)}::int[],
      ${kept.map(({ status }) => status)}::text[],
      ${kept.map(({ nextAttemptMs }) => time(nextAttemptMs))}::timestamptz[],
      ${kept.map(({ claimed, sent }) => claimed.attempts - (sent.outcome === 'POSTPONED' ? 1 : 0))}::int[],
      ${kept.map(({ sent }) => sent.status)}::int[],
      ${kept.map((each) => (isAttempt(each) ? Math.round(each.durationMs) : null))}::int[],
      ${kept.map(({ sent }) => sent.text)}::text[])`);
}
