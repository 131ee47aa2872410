import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT } from 'jose';
import pg from 'pg';
import { atEnd } from './closing.ts';
import { type ServerProcess, startProcess } from './processes.ts';
import type { BenchDatabase } from './world.ts';

/** Everything that is measured, on one database. */
export type Field = {
  database: BenchDatabase;
  portico: ServerProcess;
  /** What others do of the same, which may be asked for more than they can. */
  peers: Record<Peer, ServerProcess>;
  /** Of the account that all are asked by. */
  token: string;
  nodeHttp: ServerProcess;
  sqlClients: pg.Client[];
};

export const connectionCounts = [1, 16, 64] as const;
/** By the name of their file, which is also their application_name. */
export const peers = ['count-offset', 'drizzle'] as const;
export type Peer = (typeof peers)[number];
const sqlName = 'bench-sql';
const tokenSecret = randomBytes(32).toString('base64url');

function startTarget({ url }: BenchDatabase, name: string): Promise<ServerProcess> {
  const env = { DATABASE_URL: url, TOKEN_SECRET: tokenSecret };
  return startProcess(['--import', 'tsx', `bench/targets/${name}.ts`], env);
}

/** As a peer would have issued it: HS256, for the account that the service is asked by. */
async function issueToken({ admin }: BenchDatabase): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    `select id from accounts where email = 'owner@demo.test'`,
  );
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(rows[0]?.id ?? '')
    .setIssuedAt()
    .setExpirationTime('1d')
    .sign(Buffer.from(tokenSecret));
}

async function openClients({ connection }: BenchDatabase): Promise<pg.Client[]> {
  const count = Math.max(...connectionCounts);
  const clients = Array.from(
    { length: count },
    () => new pg.Client({ ...connection, application_name: sqlName }),
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
  const [countOffset, drizzle] = [
    await startTarget(database, 'count-offset'),
    await startTarget(database, 'drizzle'),
  ];
  return {
    database,
    portico,
    peers: { 'count-offset': countOffset, drizzle },
    token: await issueToken(database),
    nodeHttp: await startTarget(database, 'node-http'),
    sqlClients: await openClients(database),
  };
}

const cancelEveryMs = 20;

/** What was given up still waits in a peer's pool, and would go on through the next measurements: it is ended until none is left. */
async function cancelAll({ admin }: BenchDatabase, name: string): Promise<void> {
  for (let idle = 0; idle < 3; ) {
    const { rows } = await admin.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where application_name = $1 and state = 'active'`,
      [name],
    );
    idle = rows.length === 0 ? idle + 1 : 0;
    await sleep(cancelEveryMs);
  }
}

export const cancelPeer = ({ database }: Field, name: Peer) => cancelAll(database, name);
export const cancelSql = ({ database }: Field) => cancelAll(database, sqlName);

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
