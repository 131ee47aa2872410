import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { atEnd } from './closing.ts';
import { loadHttp } from './load.ts';
import { type ServerProcess, startProcess } from './processes.ts';
import type { BenchDatabase } from './world.ts';

/** Everything that is measured, on one database. */
export type Field = {
  database: BenchDatabase;
  portico: ServerProcess;
  countOffset: ServerProcess;
  nodeHttp: ServerProcess;
  sqlClients: pg.Client[];
};

export const connectionCounts = [1, 16, 64] as const;
/** The application_name of what is measured beside the service. */
const names = { countOffset: 'count-offset', sql: 'bench-sql' };

function startTarget({ url }: BenchDatabase, name: string): Promise<ServerProcess> {
  return startProcess(['--import', 'tsx', `bench/targets/${name}.ts`], { DATABASE_URL: url });
}

async function openClients({ connection }: BenchDatabase): Promise<pg.Client[]> {
  const count = Math.max(...connectionCounts);
  const clients = Array.from(
    { length: count },
    () => new pg.Client({ ...connection, application_name: names.sql }),
  );
  for (const client of clients) {
    client.on('error', () => {}); // the end of the database comes before theirs when a run is interrupted
    await client.connect();
    atEnd(() => client.end());
  }
  return clients;
}

/** Started when the data are there, as the plain handler keeps their identities in memory. */
export async function startField(database: BenchDatabase, portico: ServerProcess): Promise<Field> {
  const countOffset = await startTarget(database, 'count-offset');
  const nodeHttp = await startTarget(database, 'node-http');
  return { database, portico, countOffset, nodeHttp, sqlClients: await openClients(database) };
}

export async function cancelSql({ database }: Field): Promise<void> {
  await database.admin.query(
    'select pg_cancel_backend(pid) from pg_stat_activity where application_name = $1',
    [names.sql],
  );
}

/** Requests that were given up still wait in its pool, and would go on through the next measurements. */
export async function restartCountOffset(field: Field): Promise<void> {
  const { database } = field;
  await field.countOffset.stop();
  await database.admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [names.countOffset],
  );
  field.countOffset = await startTarget(database, 'count-offset');
  await loadHttp({
    port: field.countOffset.port,
    request: {
      method: 'POST',
      path: '/web/v1/files/query/list',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ institutionBizId: 'INST_DEMO' }),
    },
    connections: 16,
    seconds: 0.4, // its code is compiled again
  });
}

const calmMs = 20;
const calmTriesMax = 100;

/** Whether no statement has run for longer than this. */
export async function isCalm({ admin }: BenchDatabase, ms: number): Promise<boolean> {
  const { rows } = await admin.query(
    `select from pg_stat_activity where state = 'active' and backend_type = 'client backend'
      and pid <> pg_backend_pid() and now() - query_start > make_interval(secs => $1::float8 / 1000) limit 1`,
    [ms],
  );
  return rows.length === 0;
}

export async function awaitCalm({ database }: Field): Promise<void> {
  for (let tries = 0; tries < calmTriesMax && !(await isCalm(database, calmMs)); tries += 1) await sleep(50);
}
