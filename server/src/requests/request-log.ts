import { randomUUID } from 'node:crypto';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { StoreUnavailable } from '../db/unavailable.ts';
import { createFairBuffer } from '../queue/fair-buffer.ts';

/** What is kept of a signed request: nothing of it but its method was chosen by who sent it. */
export type RequestRow = {
  apiKeyId: string;
  /** 2000, or that of the error it was answered with. */
  code: string;
  /** Epoch milliseconds. */
  atMs: number;
  requestId: string;
  method: string;
  route: string;
  status: number;
  durationMs: number;
  address: string | undefined;
};

export type RequestOutcomes = { written: number; dropped: number };
export const noRequests = (): RequestOutcomes => ({ written: 0, dropped: 0 });

/** Signed requests, written down after their answers: collected in memory, and written together. */
export type RequestLog = {
  /** Whoever shares a household shares its part of what waits, which is small for who has not proved to have the key. */
  note(household: string, row: RequestRow, isProved: boolean): void;
  /** Writes what waits when it begins. What could not be written because the database is away waits on. */
  flush(db: Queryable): Promise<void>;
  /** So many wait that they should be written now. */
  onFull(wake: () => void): void;
  waiting(): number;
  outcomes(): RequestOutcomes;
};

/** About ten seconds of as many requests as one instance serves; some megabytes. */
const waitingMax = 20_000;
/** Anyone can name a key: of one address so many are kept each half a second, or naming keys would fill a disk. */
const unprovedMax = 50;
/** Of one transaction: large enough that its commit costs little, and small enough to be soon over. */
const batchMax = 1000;

type Batch = { id: string; text: string; size: number };

/** Rows name their series by its place, so that the key is looked up and counted once for all of them. */
function batchOf(rows: readonly RequestRow[]): Batch {
  const places = new Map<string, number>();
  const days = new Set(rows.map(({ atMs }) => Math.floor(atMs / 86_400_000)));
  const series: { key: string; code: string; class: number; n: number; last: number }[] = [];
  const written = rows.map((row) => {
    const name = `${row.apiKeyId} ${row.code}`;
    let place = places.get(name);
    if (place === undefined) {
      const statusClass = row.code === '2000' ? 2 : Math.floor(row.status / 100);
      place = series.push({ key: row.apiKeyId, code: row.code, class: statusClass, n: 0, last: row.atMs });
      places.set(name, place);
    }
    const own = series[place - 1] as (typeof series)[number]; // pushed above
    own.n += 1;
    own.last = Math.max(own.last, row.atMs);
    const { atMs: at, requestId: id, method, route, status, durationMs: ms, address: ip } = row;
    return { s: place, at, id, method, route, status, ms, ip };
  });
  return {
    id: randomUUID(),
    text: JSON.stringify({ days: [...days], series, rows: written }),
    size: rows.length,
  };
}

export function createRequestLog(): RequestLog {
  const buffer = createFairBuffer<RequestRow>(waitingMax);
  const outcomes = noRequests();
  /** The one that is being written. Sent again as it is: the database knows it if it has it already. */
  let batch: Batch | undefined;
  let written: Promise<unknown> = Promise.resolve();
  let wake = () => {};
  const write = async (db: Queryable) => {
    // What comes meanwhile waits for the next time: one row after the other would be a commit after the other, without end.
    let left = buffer.size();
    const next = () => {
      const rows = buffer.take(Math.min(batchMax, left));
      left -= rows.length;
      return rows.length === 0 ? undefined : batchOf(rows);
    };
    for (batch ??= next(); batch !== undefined; batch = next()) {
      try {
        const [row] = await db.query<{ kept: number | null }>(
          sql`select request_write(${batch.id}::uuid, ${batch.text}::json) as kept`,
        );
        outcomes.written += row?.kept ?? 0;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) {
          // It would fail again, and keep all others waiting.
          outcomes.dropped += batch.size;
          batch = undefined;
        }
        throw error;
      }
    }
  };
  return {
    note(household, row, isProved) {
      buffer.add(household, row, isProved ? waitingMax : unprovedMax);
      if (buffer.size() === batchMax) wake();
    },
    flush(db) {
      const own = written.then(() => write(db));
      written = own.catch(() => {}); // told to who asked for it
      return own;
    },
    onFull(listener) {
      wake = listener;
    },
    waiting: () => buffer.size() + (batch?.size ?? 0),
    outcomes() {
      outcomes.dropped += buffer.lost();
      return { ...outcomes };
    },
  };
}
