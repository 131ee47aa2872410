import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { awaitFolding, fill } from './data.ts';
import { loadHttp } from './load.ts';
import { createPopulation, type Population } from './populations.ts';
import type { Sample } from './recorder.ts';
import { median, signIn, startDatabase, startPortico } from './world.ts';

const connections = 64;
const rounds = 5;
const secondsEach = 4;
const rows = 100_000;
/** New files that others write meanwhile: every fold finds some. */
const writtenAtOnce = 20;
const writeEveryMs = 100;

export type TailResult = { name: string; rps: number; p50Ms: number; p99Ms: number; errors: number };

/** Writes files of the same institution until it is told to end. */
function startWriting(db: pg.Pool, { institutionId, workspaceIds }: Population) {
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      await db.query(
        `insert into files (biz_id, institution_id, workspace_id, bucket, object_key, original_filename, file_size, content_type,
          category, status, etag, remark, created_at, created_by)
        select id, $1, $2, 'portico-bench', id, 'statement.pdf', 1, 'application/pdf', 'INVOICE', 'ACTIVE', md5(id), '', now(), 'ACC_DEMO_OWNER'
        from (select 'FILE_TAIL_' || gen_random_uuid() as id from generate_series(1, $3::int)) made`,
        [institutionId, workspaceIds[0], writtenAtOnce],
      );
      await sleep(writeEveryMs);
    }
  };
  const written = write();
  return async () => {
    isOver = true;
    await written;
  };
}

/** The slowest of a hundred first pages beside the one in the middle, while the tally rests and while it is folded. */
export async function measureTail(seconds: number): Promise<TailResult[]> {
  const database = await startDatabase();
  const { admin } = database;
  const portico = await startPortico(database.url);
  const population = await createPopulation(admin, rows, { name: 'BENCH_TAIL' });
  await fill(database, 'files', population);
  await awaitFolding(admin);
  await admin.query('vacuum (analyze) files');
  const request = {
    method: 'POST' as const,
    path: '/web/v1/files/query/list?size=20',
    headers: await signIn(portico.port),
    body: JSON.stringify({ institutionBizId: population.institutionBizId }),
  };
  const load = () => loadHttp({ port: portico.port, request, connections, seconds: seconds * secondsEach });
  const taken = { resting: [] as Sample[], folding: [] as Sample[] };
  for (let round = -1; round < rounds; round += 1) {
    const resting = await load();
    const endWriting = startWriting(admin, population);
    const folding = await load();
    await endWriting();
    await awaitFolding(admin);
    if (round < 0) continue; // warms up
    taken.resting.push(resting);
    taken.folding.push(folding);
  }
  await portico.stop();
  await database.stop();
  return Object.entries(taken).map(([name, samples]) => ({
    name,
    rps: Math.round(median(samples.map((sample) => sample.rps))),
    p50Ms: median(samples.map((sample) => sample.p50Ms)),
    p99Ms: median(samples.map((sample) => sample.p99Ms)),
    errors: samples.reduce((sum, sample) => sum + sample.errors, 0),
  }));
}
