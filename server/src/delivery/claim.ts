import type { Queryable } from '../db/database.ts';
import { instant, join, type Sql, sql } from '../db/sql.ts';
import type { EventRow } from '../events/render.ts';
import { smtpTimes } from '../mail/smtp.ts';

/**
 * What this instance may be at: of each lane in all, for a workspace and for a channel; a channel that fails, one thing at a time.
 * Receivers that are slow, fail or never succeeded have places of their own, and a workspace few of them: however many are dead,
 * they take none from those that answer.
 */
export const lanes = {
  QUICK: { all: 256, workspace: 32, channel: 8, hour: null },
  CAREFUL: { all: 32, workspace: 4, channel: 4, hour: null },
  MAIL: { all: 4, workspace: 2, channel: 1, hour: 100 },
  SMS: { all: 8, workspace: 2, channel: 1, hour: 100 },
} as const;

export type Lane = keyof typeof lanes;
const laneNames = Object.keys(lanes) as Lane[]; // Object.keys forgets the literal keys

/** Who takes longer is slow; what has been under way for longer is nobody's place among the quick. */
export const slowMs = 1000;
/** Together with those who became slow meanwhile. */
const allMax = 512;
/** Longer than any sending takes, so that nobody begins what is still under way. */
export const leaseMs = smtpTimes.totalMs + 30_000;

/** A delivery that is ours until the lease ends, with all that it takes. */
export type Claimed = {
  deliveryId: number;
  channelId: number;
  workspaceId: number;
  /** With the one that begins now. */
  attempts: number;
  channelBizId: string;
  typeCode: string;
  isFailing: boolean;
  config: { [field: string]: unknown };
  sealed: Buffer | null;
  eventSequence: number;
  /** Null: it is no longer kept. */
  event: EventRow | null;
};

type Row = Omit<Claimed, 'event'> & {
  type: string | null;
  occurredAt: string;
  mode: EventRow['mode'];
  eventWorkspaceId: string;
  data: string;
};

/** Times of what is under way are those of the monotonic clock. */
export type Underway = { claimed: Claimed; lane: Lane; sinceMs: number };

function claimOf(lane: Lane, underway: readonly Underway[], nowMs: number, tickMs: number): Sql | undefined {
  const { all, workspace, channel, hour } = lanes[lane];
  const isQuick = ({ sinceMs }: Underway) => lane !== 'QUICK' || tickMs - sinceMs < slowMs;
  const own = underway.filter((each) => each.lane === lane);
  const slots = Math.min(all - own.filter(isQuick).length, allMax - underway.length);
  if (slots <= 0) return undefined;
  const busy = own.map(({ claimed }) => claimed.channelId);
  const crowded = own.map(({ claimed }) => claimed.workspaceId);
  return sql`
    select ${lane}::text as lane, c.* from delivery_claim(${instant(nowMs)}, ${instant(nowMs + leaseMs)}, ${lane}, ${busy}::int8[],
      ${crowded}::int8[], ${channel}, ${workspace}, ${slots}, ${hour}::int) c`;
}

function claimedOf({ type, occurredAt, mode, eventWorkspaceId, data, ...rest }: Row): Claimed {
  const { eventSequence: sequence } = rest;
  const event =
    type === null ? null : { sequence, type, occurredAt, mode, workspaceId: eventWorkspaceId, data };
  return { ...rest, event };
}

/** Takes what is due, as much as may be under way: of every lane, and in turns around its channels. */
export async function claimDeliveries(
  db: Queryable,
  underway: readonly Underway[],
  nowMs: number,
  tickMs: number,
): Promise<{ claimed: Claimed; lane: Lane }[]> {
  const claims = laneNames.flatMap((lane) => claimOf(lane, underway, nowMs, tickMs) ?? []);
  if (claims.length === 0) return [];
  const rows = await db.query<Row & { lane: Lane }>(join(claims, sql` union all `));
  return rows.map(({ lane, ...row }) => ({ lane, claimed: claimedOf(row) }));
}
