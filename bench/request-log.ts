import { setTimeout } from 'node:timers/promises';
import { call, dataOf } from './call.ts';
import { loadHttp } from './load.ts';
import type { ServerProcess } from './processes.ts';
import type { Sample } from './recorder.ts';
import { signedRequest } from './requests.ts';
import {
  type BenchDatabase,
  createKey,
  type Key,
  median,
  signIn,
  startDatabase,
  startPortico,
} from './world.ts';

const connections = 64;
const rounds = 5;
const secondsEach = 4;
const slices = 5;
const pagesEach = 40;
/** Longer than requests wait to be written. */
const settleMs = 1500;
const size = 20;
const path = '/api/v1/transfers';

type Slice = {
  /** In the list when the slice ended. */
  rows: number;
  rps: number;
  bytesPerRow: number;
  firstMs: number;
  middleMs: number;
  filteredMs: number;
};

export type RequestsResult = {
  with: { rps: number; errors: number };
  without: { rps: number; errors: number };
  /** One after the other, under load. */
  slices: Slice[];
  minutes: number;
  dropped: number;
};

const summary = (samples: readonly Sample[]) => ({
  rps: median(samples.map(({ rps }) => rps)),
  errors: samples.reduce((sum, { errors }) => sum + errors, 0),
});

/**
 * The list as a member asks for it, p50 of several pages, when all that was answered is in it. Kinds of pages are asked for in turn, so that a
 * busy moment is shared by all, and those of the middle are others each time, so that none is the same and lies well by luck.
 */
async function readPages({ port }: ServerProcess) {
  const headers = await signIn(port);
  const ask = async (query: string) => {
    const url = `/web/v1/workspaces/WS_DEMO/requests?size=${size}&${query}`;
    const begun = performance.now();
    const data = dataOf<{ totalElements: number }>(await call(port, { method: 'GET', path: url, headers }));
    return { rows: data.totalElements, ms: performance.now() - begun };
  };
  let { rows } = await ask('');
  for (let before = -1; rows !== before; ) {
    before = rows;
    await setTimeout(settleMs);
    ({ rows } = await ask(''));
  }
  const taken = { first: [] as number[], middle: [] as number[], filtered: [] as number[] };
  for (let n = 0; n < pagesEach; n += 1) {
    const middle = `page=${Math.floor((rows / size) * (1 / 4 + n / (2 * pagesEach)))}`;
    const queries = { first: '', middle, filtered: `${middle}&statusClass=2xx&mode=1` };
    for (const kind of ['first', 'middle', 'filtered'] as const)
      taken[kind].push((await ask(queries[kind])).ms);
  }
  const { first, middle, filtered } = taken;
  return { rows, firstMs: median(first), middleMs: median(middle), filteredMs: median(filtered) };
}

async function bytesOf({ admin }: BenchDatabase): Promise<number> {
  const { rows } = await admin.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c where c.relkind = 'r' and c.relname ~ '^request(s|_minutes|_hours|_days|_series)'`,
  );
  return Number(rows[0]?.bytes ?? 0);
}

async function droppedBy({ port }: ServerProcess): Promise<number> {
  const { bytes } = await call(port, { method: 'GET', path: '/metrics', headers: {} });
  return Number(/^portico_request_log_total\{outcome="dropped"\} (\d+)/m.exec(bytes.toString())?.[1] ?? 0);
}

/** Whether table, queries and rate stay as they are while it grows. */
async function grow(portico: ServerProcess, database: BenchDatabase, key: Key, minutes: number) {
  const found: Slice[] = [];
  for (let slice = 0; slice < slices; slice += 1) {
    const request = () => signedRequest(key, path);
    const seconds = (minutes * 60) / slices;
    const { rps } = await loadHttp({ port: portico.port, request, connections, seconds });
    const pages = await readPages(portico);
    found.push({ ...pages, rps, bytesPerRow: Math.round((await bytesOf(database)) / pages.rows) });
  }
  return found;
}

/** Signed requests with the list of requests, against the same service without it, in turn. */
export async function measureRequests(seconds: number, minutes: number): Promise<RequestsResult> {
  const database = await startDatabase();
  const portico = await startPortico(database.url);
  const without = await startPortico(database.url, { PORTICO_REQUEST_LOG_DAYS: '0' });
  const key = await createKey(portico.port, 1);
  const request = () => signedRequest(key, path);
  const samples: { with: Sample[]; without: Sample[] } = { with: [], without: [] };
  for (let round = -1; round < rounds; round += 1)
    for (const [name, { port }] of [['with', portico] as const, ['without', without] as const]) {
      const sample = await loadHttp({ port, request, connections, seconds: seconds * secondsEach });
      if (round >= 0) samples[name].push(sample); // the first round warms up
    }
  await without.stop();
  const grown = await grow(portico, database, key, minutes);
  const dropped = await droppedBy(portico);
  await portico.stop();
  await database.stop();
  return { with: summary(samples.with), without: summary(samples.without), slices: grown, minutes, dropped };
}
