import type pg from 'pg';
import { call, dataOf } from './call.ts';
import { withoutIndexes } from './indexes.ts';
import { chunks, inLanes } from './lanes.ts';
import type { ServerProcess } from './processes.ts';
import { signedRequest } from './requests.ts';
import { createKey, type Key, median, startDatabase, startPortico } from './world.ts';

const sizes = [100_000, 10_000_000];
const chunk = 1_000_000;
const limit = 100;
/** Beyond what the service itself numbers meanwhile. */
const base = 1_000_000_000;
/** Of the rare type, spread over all. */
const rareCount = 50;

export type EventsResult = {
  events: number;
  firstMs: number;
  middleMs: number;
  lastMs: number;
  /** Of a type of which there are few among all. */
  rareMs: number;
  /** Of a type of which there is none, asked from the oldest on. */
  noneMs: number;
}[];

/** As if of the last days; half of the events are of one workspace, the rest of a thousand others. */
async function insertChunk(db: pg.Pool, first: number, last: number): Promise<void> {
  await db.query(
    `insert into events (sequence, type, occurred_at, workspace_id, mode, data)
    select $1::int8 + n, (array['transfer.created', 'transfer.processing', 'transfer.completed', 'file.created'])[1 + n % 4],
      now() - interval '20 days' + n * interval '50 milliseconds', case when n % 2 = 0 then 'WS_DEMO' else 'WS_' || n % 1000 end,
      case when n % 10 = 0 then 'TEST'::key_mode else 'LIVE'::key_mode end,
      '{"transferId":"TRF_' || n || '","amount":"1250.00","currency":"USD","status":"PENDING","createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","reference":null}'
    from generate_series($2::int8, $3::int8) n`,
    [base, first, last],
  );
}

async function insertEvents(db: pg.Pool, from: number, to: number): Promise<void> {
  await db.query(`update event_cursors set sequence = $1`, [base + to]);
  await withoutIndexes(db, 'events', () =>
    inLanes(chunks(from + 1, to, chunk), async (left) => {
      for (const first of left) await insertChunk(db, first, Math.min(first + chunk - 1, to));
    }),
  );
  await db.query(`delete from events where type = 'api-key.expiring'`);
  await db.query(
    `update events set type = 'api-key.expiring', mode = 'LIVE', workspace_id = 'WS_DEMO'
    where sequence in (select $1::int8 + n * $2::int8 / $3::int8 from generate_series(1, $3::int8) n)`,
    [base, to, rareCount],
  );
  await db.query('vacuum (analyze) events');
}

async function measurePages({ port }: ServerProcess, key: Key, events: number, requests: number) {
  const p50 = async (query: string, isFull: boolean) => {
    const taken: number[] = [];
    for (let left = requests; left > 0; left -= 1) {
      const request = signedRequest(key, '/api/v1/events', `limit=${limit}${query}`);
      const begun = performance.now();
      const answer = await call(port, request);
      taken.push(performance.now() - begun);
      const page = dataOf<{ events: unknown[] }>(answer);
      if (isFull !== (page.events.length === limit))
        throw new Error(`${page.events.length} events of ${query}`);
    }
    return median(taken);
  };
  const after = (share: number) => `&after=EVT_${base + Math.floor(events * share)}`;
  return {
    events,
    firstMs: await p50('', true),
    middleMs: await p50(after(0.5), true),
    lastMs: await p50(`&after=EVT_${base + events - limit}`, false),
    rareMs: await p50('&types=api-key.expiring', false),
    noneMs: await p50('&types=channel.disabled', false),
  };
}

/** On a database of its own; what is pulled is already sealed. */
export async function measureEvents(
  counts: readonly number[] = sizes,
  requests = 200,
): Promise<EventsResult> {
  const database = await startDatabase();
  const portico = await startPortico(database.url);
  const key = await createKey(portico.port, 1, 'WS_DEMO', ['events:read']);
  const found: EventsResult = [];
  for (const [index, events] of counts.entries()) {
    await insertEvents(database.admin, counts[index - 1] ?? 0, events);
    found.push(await measurePages(portico, key, events, requests));
  }
  await portico.stop();
  await database.stop();
  return found;
}
