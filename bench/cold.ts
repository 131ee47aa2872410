import { Agent } from 'node:http';
import { call, type HttpRequest } from './call.ts';
import { signedRequest } from './requests.ts';
import { createKey, median, signIn, startDatabase, startPortico } from './world.ts';

const starts = 5;
const early = 100;
/** From here on it is warm. */
const warmAfter = 1000;
const warm = 500;
/** Tokens name where their service is reached, and these are for all of them. */
const env = { PORTICO_PUBLIC_URL: 'http://127.0.0.1:1' };

export type ColdResult = { name: string; firstMs: number; earlyMs: number; warmMs: number; errors: number };

/** One request after the other, on one connection. */
async function timesOf(port: number, next: () => HttpRequest, count: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let errors = 0;
  await call(port, { method: 'GET', path: '/readyz', headers: {} }, { agent });
  while (times.length < count) {
    const request = next();
    const begun = performance.now();
    const { status } = await call(port, request, { agent });
    times.push(performance.now() - begun);
    if (status !== 200) errors += 1;
  }
  agent.destroy();
  return { times, errors };
}

/** What the first requests to an instance take that has just said that it is ready, against later ones: medians of several starts. */
export async function measureCold(): Promise<ColdResult[]> {
  const database = await startDatabase();
  const other = await startPortico(database.url, env);
  const [headers, key] = [await signIn(other.port), await createKey(other.port, 1)];
  const body = JSON.stringify({ institutionBizId: 'INST_DEMO' });
  const kinds: [string, () => HttpRequest][] = [
    ['list of files', () => ({ method: 'POST', path: '/web/v1/files/query/list?size=20', headers, body })],
    ['signed list of transfers', () => signedRequest(key, '/api/v1/transfers')],
  ];
  for (const [, next] of kinds) await timesOf(other.port, next, warmAfter); // the client is warm before it measures
  await other.stop();
  const results: ColdResult[] = [];
  for (const [name, next] of kinds) {
    const seen: Awaited<ReturnType<typeof timesOf>>[] = [];
    for (let start = 0; start < starts; start += 1) {
      const portico = await startPortico(database.url, env);
      seen.push(await timesOf(portico.port, next, warmAfter + warm));
      await portico.stop();
    }
    const middle = (from: number, to: number) =>
      Number(median(seen.map(({ times }) => median(times.slice(from, to)))).toFixed(3));
    results.push({
      name,
      firstMs: middle(0, 1),
      earlyMs: middle(0, early),
      warmMs: middle(warmAfter, warmAfter + warm),
      errors: seen.reduce((sum, { errors }) => sum + errors, 0),
    });
  }
  await database.stop();
  return results;
}
