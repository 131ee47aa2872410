import { randomUUID } from 'node:crypto';
import { Agent, get } from 'node:http';
import { createKey, startDatabase, startPortico } from './world.ts';

const samples = 20_000;
const warmUp = 2000;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds from sending a request with a wrong signature to the end of its refusal. */
function refusalMs(port: number, apiKeyId: string): Promise<number> {
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
      response.resume().on('end', () => resolve(performance.now() - start));
    }).on('error', reject);
  });
}

/** The median and its 95 % confidence interval, by order statistics. */
function describe(values: number[]): { median: number; low: number; high: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[Math.max(0, Math.min(sorted.length - 1, Math.round(index)))] ?? 0;
  const half = sorted.length / 2;
  const spread = 0.98 * Math.sqrt(sorted.length);
  return { median: at(half), low: at(half - spread), high: at(half + spread) };
}

const us = (ms: number) => (ms * 1000).toFixed(1);

async function compare(port: number, kind: 'live' | 'test', count: number): Promise<string> {
  const { apiKeyId } = await createKey(port, kind === 'live' ? 1 : 2);
  const unknown = `${apiKeyId.slice(0, -4)}ZZZZ`;
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let index = -warmUp; index < count; index += 1) {
    const known = await refusalMs(port, apiKeyId);
    const other = await refusalMs(port, unknown);
    if (index < 0) continue;
    times.known.push(known);
    times.unknown.push(other);
  }
  const [wrong, none] = [describe(times.known), describe(times.unknown)];
  const cell = ({ median, low, high }: typeof wrong) => `${us(median)} (${us(low)} to ${us(high)})`;
  return `| ${kind.toUpperCase()} | ${count} | ${cell(wrong)} | ${cell(none)} | ${((none.median / wrong.median - 1) * 100).toFixed(2)} % |`;
}

const database = await startDatabase();
const server = await startPortico(database.url);
try {
  const rows = [
    await compare(server.port, 'live', samples),
    await compare(server.port, 'test', samples / 10),
  ];
  process.stdout.write(
    `refusal of a wrong signature, one connection, known and unknown key in turn; median in µs (95 % confidence interval)\n\n` +
      `| key id | samples each | known key | unknown key | difference |\n|---|---|---|---|---|\n${rows.join('\n')}\n`,
  );
} finally {
  server.process.kill();
  agent.destroy();
  await database.stop();
}
