import { mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './closing.ts';
import { loadHttp } from './load.ts';
import type { Sample } from './recorder.ts';
import { median, signIn, startDatabase, startPortico } from './world.ts';

const connections = 64;
const rounds = 5;
const secondsEach = 4;

export type LinesResult = { name: string; rps: number; p50Ms: number; p99Ms: number; errors: number };

/** The first page of files with a line of the log for each request, as shipped, against the same without. */
export async function measureLines(seconds: number): Promise<LinesResult[]> {
  const database = await startDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'portico-lines-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'log');
  const file = openSync(path, 'a');
  const silent = await startPortico(database.url);
  const telling = await startPortico(database.url, { PORTICO_LOG_LEVEL: 'info' }, file);
  const targets = await Promise.all(
    [
      { name: 'a line for each request', port: telling.port },
      { name: 'none', port: silent.port },
    ].map(async (target) => ({
      ...target,
      samples: [] as Sample[],
      request: {
        method: 'POST' as const,
        path: '/web/v1/files/query/list?size=20',
        headers: await signIn(target.port),
        body: JSON.stringify({ institutionBizId: 'INST_DEMO' }),
      },
    })),
  );
  for (let round = -1; round < rounds; round += 1)
    for (const { port, request, samples } of targets) {
      const sample = await loadHttp({ port, request, connections, seconds: seconds * secondsEach });
      if (round >= 0) samples.push(sample); // the first round warms up
    }
  if (statSync(path).size === 0) throw new Error('the service wrote no line');
  return targets.map(({ name, samples }) => ({
    name,
    rps: Math.round(median(samples.map((sample) => sample.rps))),
    p50Ms: median(samples.map((sample) => sample.p50Ms)),
    p99Ms: median(samples.map((sample) => sample.p99Ms)),
    errors: samples.reduce((sum, sample) => sum + sample.errors, 0),
  }));
}
