import { randomUUID } from 'node:crypto';
import { Agent, get } from 'node:http';
import { createKey, startDatabase, startPortico } from './world.ts';

/** Refusals of a TEST key are explained, for which the service takes its time. */
const fullSamples = { live: 20_000, test: 250 };
/** So many more, of which nothing is kept. */
const warmUpShare = 0.1;

/** A median in µs and its 95 % confidence interval, by order statistics. */
type Estimate = { median: number; low: number; high: number };
export type RefusalResult = { kind: 'live' | 'test'; samples: number; known: Estimate; unknown: Estimate };

/** Microseconds from sending a request with a wrong signature to the end of its refusal. */
function refusalUs(agent: Agent, port: number, apiKeyId: string): Promise<number> {
  const headers = {
    'x-api-key': apiKeyId,
    'x-timestamp': String(Math.floor(Date.now() / 1000)),
    'x-nonce': randomUUID(),
    'x-signature': '0'.repeat(64),
  };
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get({ agent, port, host: '127.0.0.1', path: '/api/v1/transfers', headers }, (response) => {
      if (response.statusCode !== 401) reject(new Error(`status ${response.statusCode}`));
      response.resume().on('end', () => resolve((performance.now() - start) * 1000));
    }).on('error', reject);
  });
}

function estimate(values: number[]): Estimate {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[Math.max(0, Math.min(sorted.length - 1, Math.round(index)))] ?? 0;
  const half = sorted.length / 2;
  const spread = 0.98 * Math.sqrt(sorted.length);
  return { median: at(half), low: at(half - spread), high: at(half + spread) };
}

async function compare(
  agent: Agent,
  port: number,
  kind: 'live' | 'test',
  samples: number,
): Promise<RefusalResult> {
  const { apiKeyId } = await createKey(port, kind === 'live' ? 1 : 2);
  const noKey = `${apiKeyId.slice(0, -4)}ZZZZ`;
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let index = -samples * warmUpShare; index < samples; index += 1) {
    const known = await refusalUs(agent, port, apiKeyId);
    const unknown = await refusalUs(agent, port, noKey);
    if (index < 0) continue;
    times.known.push(known);
    times.unknown.push(unknown);
  }
  return { kind, samples, known: estimate(times.known), unknown: estimate(times.unknown) };
}

/** The time to refuse a wrong signature of a known key and of an unknown one, in turn, by one connection. */
export async function measureRefusals({ live, test } = fullSamples): Promise<RefusalResult[]> {
  const database = await startDatabase();
  const { port, stop } = await startPortico(database.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const results = [await compare(agent, port, 'live', live), await compare(agent, port, 'test', test)];
  agent.destroy();
  await stop();
  await database.stop();
  return results;
}
