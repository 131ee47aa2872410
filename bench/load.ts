import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import type pg from 'pg';
import type { HttpRequest } from './call.ts';
import { type Load, patienceMs, Recorder, type Sample } from './recorder.ts';

export type HttpLoad = Load & {
  port: number;
  /** The next request; of a function only when the requests differ, as building one costs the client time. */
  request: HttpRequest | (() => HttpRequest);
};

const checkEveryMs = 10;

/**
 * Its own histogram counts in whole milliseconds and forgets what was not answered in the end, so each response is
 * recorded here. A request that differs from the one before is made before its time is taken.
 */
export function loadHttp({ port, request, ...load }: HttpLoad): Promise<Sample> {
  const { path, ...first } = typeof request === 'function' ? request() : request;
  const options: autocannon.Options = {
    url: `http://127.0.0.1:${port}${path}`,
    ...first,
    ...(typeof request === 'function'
      ? { requests: [{ setupRequest: (given) => ({ ...given, ...request() }) }] }
      : {}),
    connections: load.connections,
    duration: 3600, // it is stopped below
    timeout: 3600,
    sampleInt: checkEveryMs,
  };
  return new Promise((resolve, reject) => {
    let sample: Sample | undefined;
    const instance = autocannon(options, (error) =>
      sample === undefined ? reject(error ?? new Error('the load ended by itself')) : resolve(sample),
    );
    const recorder = new Recorder<object>(load);
    instance.on('response', (client, status, _bytes, ms) =>
      recorder.add(client, status === 200 || status === 201, ms),
    );
    instance.on('reqError', (error) => recorder.add({ error }, false, 0));
    const timer = setInterval(() => {
      if (!recorder.isDone()) return;
      clearInterval(timer);
      sample = recorder.result();
      instance.stop();
    }, checkEveryMs);
  });
}

export type Statement = { name: string; text: string; values: unknown[] };

async function runUntil(
  client: pg.Client,
  recorder: Recorder<pg.Client>,
  next: () => Statement,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const statement = next();
    const begun = performance.now();
    const isGood = await client.query(statement).then(
      () => true,
      () => false,
    );
    if (!isOver()) recorder.add(client, isGood, performance.now() - begun);
  }
}

/** The same by connections to the database alone. What still runs in the end is for the caller to cancel. */
export async function loadSql(
  clients: pg.Client[],
  seconds: number,
  next: () => Statement,
  cancel: () => Promise<unknown>,
): Promise<Sample> {
  const recorder = new Recorder<pg.Client>({ connections: clients.length, seconds });
  let sample: Sample | undefined;
  const loops = clients.map((client) => runUntil(client, recorder, next, () => sample !== undefined));
  while (!recorder.isDone()) await sleep(checkEveryMs);
  sample = recorder.result();
  if (sample.waitingMs > patienceMs) await cancel();
  await Promise.all(loops);
  return sample;
}
