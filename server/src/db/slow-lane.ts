import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createFairQueue } from '../queue/fair-queue.ts';
import { limitTo } from './connection.ts';
import { orUnavailable, repeatedOnce } from './faults.ts';
import type { LaneState, Lent, Pool } from './pool.ts';

/** Of one caller so many run and so many wait; all others wait this long for their turn. */
const atOnceEach = 2;
const waitingEach = 4;
const waitingMax = 32;
const waitMs = 5000;
/** How often it is asked whether the database is still there. */
const watchEveryMs = 600;
/** The place of a caller who left is free no sooner than this: to come and to leave again must not be cheaper than to stay. */
const leftMs = 1000;
/** What a statement may write to disk while it sorts. */
const temporaryMax = '1GB';

/** Who asks. Of a statement that may take long, the caller's leaving ends it. */
export type Asker = { id: string; leaving?(): AbortSignal };

export type SlowLane = {
  run(query: pg.QueryConfig, asker: Asker): Promise<pg.QueryResult>;
  state(): LaneState;
  close(): Promise<void>;
};

/**
 * Rolled back or committed, nothing of it is left on a connection that a pooler gives to others. A limit of temporary files
 * takes a privilege; where it was not given, the statement's time is its only bound.
 */
const begin = (slowMs: number) => `
  begin read only;
  ${limitTo('statement_timeout', slowMs, true)};
  set local max_parallel_workers_per_gather to 0;
  select set_config('temp_file_limit', '${temporaryMax}', true) where has_parameter_privilege('temp_file_limit', 'set')`;

/** A statement may take long; a database that answers nobody may not, and a caller who left waits for nothing. */
async function runWatched(
  lent: Lent,
  query: pg.QueryConfig,
  isThere: () => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<pg.QueryResult> {
  if (signal?.aborted) throw new Error('the caller has left'); // while a connection was made ready; no event tells of it now
  const over = new AbortController();
  const lost = new Promise<never>((_resolve, reject) => {
    const watch = async () => {
      for (;;) {
        await sleep(watchEveryMs, undefined, { signal: over.signal, ref: false });
        await isThere();
      }
    };
    watch().catch((error: Error) => {
      if (over.signal.aborted) return;
      lent.giveUp(error);
      reject(error);
    });
  });
  lost.catch(() => {}); // it is raced below, and may be lost when nobody races any more
  signal?.addEventListener('abort', () => lent.cancel(), { signal: over.signal });
  try {
    return await Promise.race([lent.query(query), lost]);
  } finally {
    over.abort();
  }
}

/** Waits no longer than the caller does. */
const until = (signal: AbortSignal | undefined) => ({
  onWait(giveUp: () => void) {
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp, { once: true });
  },
});

/** A turn is over with its statement, or after so long: one that goes on has others beside it from then on. */
export type SlowTurns = { max(): number; ms: number };

/** For statements whose cost grows with the data: a few at once, in turn, on connections that nothing else waits for. */
export function openSlowLane(
  pool: Pool,
  { slowMax, slowMs }: { slowMax: number; slowMs: number },
  turn: SlowTurns,
  isThere: () => Promise<unknown>,
): SlowLane {
  const queue = createFairQueue({ atOnceMax: slowMax, atOnceEach, waitingMax, waitingEach, waitMs });
  const turns = createFairQueue({
    get atOnceMax() {
      return turn.max();
    },
    ...{ atOnceEach, waitingMax, waitingEach: waitingMax, waitMs },
  });
  const inTurn = async <Result>(id: string, work: () => Promise<Result>, signal: AbortSignal | undefined) => {
    const leave = await turns.enter(id, until(signal));
    const timer = setTimeout(leave, turn.ms).unref();
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      leave();
    }
  };
  return {
    run(query, { id, leaving }) {
      const signal = leaving?.();
      // The server gives up first; this is for one that does not.
      const patient = { ...query, query_timeout: slowMs + 1000 };
      const ask = () =>
        pool.lend(async (lent) => {
          await orUnavailable(lent.query(begin(slowMs)));
          try {
            return await orUnavailable(runWatched(lent, patient, isThere, signal));
          } finally {
            // A cancellation may come late and hit this: then the connection is not taken back.
            if (!lent.isBroken()) await lent.query('rollback').catch(lent.giveUp);
          }
        });
      const work = async () => {
        const begunMs = performance.now();
        try {
          return await inTurn(id, () => repeatedOnce(ask), signal);
        } finally {
          if (signal?.aborted) await sleep(begunMs + leftMs - performance.now(), undefined, { ref: false });
        }
      };
      return queue.run(id, work, until(signal));
    },
    state: () => ({ ...pool.state(), waiting: queue.waiting() }),
    close: () => pool.close(),
  };
}
