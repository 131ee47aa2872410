import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { HttpRequest } from './call.ts';
import { cpuMsOf } from './cost.ts';
import { awaitFolding } from './data.ts';
import { loadHttp } from './load.ts';
import { type ServerProcess, startProcess } from './processes.ts';
import { median, signIn, startDatabase, startPortico } from './world.ts';

const clients = 8;
const rounds = 5;
const secondsEach = 4;
/** So many keys are created in a workspace, which may have a few more, and enough workspaces for a round. */
const keysEach = 40;
const workspaces = 1600;

export type KeysResult = {
  name: string;
  rps: number;
  p50Ms: number;
  p99Ms: number;
  cpuMs: number;
  errors: number;
};

async function createWorkspaces(db: pg.Pool): Promise<void> {
  await db.query(
    `with made as (
      insert into workspaces (biz_id, institution_id, name)
      select 'WS_KEYS_' || n, i.id, 'bench' from generate_series(1, $1::int) n, institutions i where i.biz_id = 'INST_DEMO' returning id
    )
    insert into workspace_members (account_id, workspace_id, role)
    select a.id, made.id, 'OWNER' from made, accounts a where a.email = 'owner@demo.test'`,
    [workspaces],
  );
  await db.query('analyze workspaces, workspace_members');
}

/** Each client in a workspace of its own until that has its keys, and with a name of its own for the attempt. */
function createRequests(headers: Record<string, string>): () => HttpRequest {
  const body = JSON.stringify({ name: 'bench', scopes: ['transfers:read'] });
  let count = 0;
  return () => {
    const workspace = clients * Math.floor(count / (clients * keysEach)) + (count % clients) + 1;
    count += 1;
    return {
      method: 'POST',
      path: `/web/v1/workspaces/WS_KEYS_${workspace}/api-keys`,
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body,
    };
  };
}

/** Every round begins alike: with no keys in the workspaces, and nothing left to seal or to fold. */
async function tidy(db: pg.Pool): Promise<void> {
  await db.query(`delete from api_keys where name = 'bench'`);
  while ((await db.query('select from audit_waiting limit 1')).rows.length > 0);
  await awaitFolding(db);
  await db.query('checkpoint');
}

async function measureRound({ port, pid }: ServerProcess, request: () => HttpRequest, seconds: number) {
  const before = cpuMsOf(pid) ?? Number.NaN;
  const sample = await loadHttp({ port, request, connections: clients, seconds });
  return { ...sample, cpuMs: ((cpuMsOf(pid) ?? Number.NaN) - before) / sample.responses };
}

/** Keys created by owners, against a handler that inserts the same rows and does nothing else. */
export async function measureKeys(seconds: number): Promise<KeysResult[]> {
  const database = await startDatabase();
  const { admin, url } = database;
  const portico = await startPortico(url);
  await createWorkspaces(admin);
  const plain = await startProcess(['--import', 'tsx', 'bench/targets/plain-keys.ts'], { DATABASE_URL: url });
  const targets = [
    { name: 'portico', server: portico },
    { name: 'plain handler', server: plain },
  ].map((target) => ({ ...target, samples: [] as Awaited<ReturnType<typeof measureRound>>[] }));
  const headers = await signIn(portico.port);
  for (let round = -1; round < rounds; round += 1)
    for (const { server, samples } of targets) {
      await tidy(admin);
      const sample = await measureRound(server, createRequests(headers), seconds * secondsEach);
      if (round >= 0) samples.push(sample); // the first round warms up
    }
  await Promise.all([portico.stop(), plain.stop()]);
  await database.stop();
  return targets.map(({ name, samples }) => {
    const middle = (read: (sample: (typeof samples)[number]) => number) => median(samples.map(read));
    return {
      name,
      rps: Math.round(middle(({ rps }) => rps)),
      p50Ms: middle(({ p50Ms }) => p50Ms),
      p99Ms: middle(({ p99Ms }) => p99Ms),
      cpuMs: Number(middle(({ cpuMs }) => cpuMs).toFixed(3)),
      errors: samples.reduce((sum, { errors }) => sum + errors, 0),
    };
  });
}
