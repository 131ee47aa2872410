import type { Static } from 'typebox';
import type { Asker, Executor, Queryable } from '../../db/database.ts';
import { prepareOnce } from '../../db/sql.ts';
import { selectAttention } from './attention.ts';
import { type Calls, countCalls, countTimes, isCountedLong, percentileOf, type Span } from './calls.ts';
import { type Days, daysDefault, modeNames, type Overview, type OverviewQuery, spans } from './schema.ts';

const iso = (epochMs: number) => new Date(epochMs).toISOString();

/** Whole intervals, of which that of now is the last; as many as make up the days. */
function spanOf({ days = daysDefault, mode }: Static<typeof OverviewQuery>, nowMs: number) {
  const { intervalSeconds } = spans[days as Days]; // the schema lets only these pass
  const intervalMs = intervalSeconds * 1000;
  const length = (days * 86_400) / intervalSeconds;
  const fromMs = (Math.floor(nowMs / intervalMs) + 1 - length) * intervalMs;
  const named = mode === undefined ? null : (modeNames[mode] ?? (mode as 'LIVE' | 'TEST')); // by code or by name: so says the schema
  return { mode: named, fromMs, toMs: nowMs, intervalSeconds, length };
}

type Points = Static<typeof Overview>['series'];

function seriesOf(counted: Calls['series'], { fromMs, intervalSeconds, length }: Span): Points {
  const bySlot = new Map(counted.map((point) => [point.slot, point]));
  return Array.from({ length }, (_none, slot) => {
    const { ok = 0, refused = 0, failed = 0 } = bySlot.get(slot) ?? {};
    return { at: iso(fromMs + slot * intervalSeconds * 1000), ok, refused, failed };
  });
}

function totalsOf(series: Points) {
  const sum = (name: 'ok' | 'refused' | 'failed') => series.reduce((all, point) => all + point[name], 0);
  const [refused, failed] = [sum('refused'), sum('failed')];
  return { calls: sum('ok') + refused + failed, refused, failed };
}

type Asked = { workspaceId: string; account: string; query: Static<typeof OverviewQuery> };

/** Who asks, by their share of the connections, and by the slow lane where that is too much for it. */
type Means = { db: Queryable; lanes: Executor; asker: Asker; now(): number };

const slowly = ({ lanes, asker }: Means): Queryable => ({
  query: (statement) => lanes.execute(prepareOnce(statement, 'long'), {}, asker),
});

/** What happened lately with the keys of a workspace of which the account is a member. */
export async function readOverview(
  means: Means,
  { workspaceId, account, query }: Asked,
): Promise<Static<typeof Overview>> {
  const { db, now } = means;
  const nowMs = now();
  // One after the other, so that one page has one connection.
  const isLong = await isCountedLong(db, workspaceId);
  const counter = isLong ? slowly(means) : db;
  const span = { workspaceId, isLong, ...spanOf(query, nowMs) };
  const calls = await countCalls(counter, span);
  const times = await countTimes(counter, span);
  const attention = await selectAttention(db, { workspaceId, account, mode: span.mode, nowMs });
  const series = seriesOf(calls.series, span);
  return {
    from: iso(span.fromMs),
    to: iso(span.toMs),
    intervalSeconds: span.intervalSeconds,
    totals: totalsOf(series),
    series,
    codes: calls.codes,
    keys: calls.keys,
    latency: { p50Ms: percentileOf(times, 0.5), p95Ms: percentileOf(times, 0.95) },
    attention,
  };
}
