import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Database, openDatabase } from '../server/src/db/database.ts';
import { sql } from '../server/src/db/sql.ts';
import { type AuditRecord, appendRecords } from '../server/src/log/append.ts';
import { call, dataOf } from './call.ts';
import { awaitFolding } from './data.ts';
import type { ServerProcess } from './processes.ts';
import { type BenchDatabase, median, signIn, startDatabase, startPortico } from './world.ts';

const writers = 8;
/** What grows from round to round weighs on both alike. */
const order = [true, false, false, true];
const secondsEach = 5;
const chunk = 100_000;
const recordsMax = 1_000_000;
const requests = 200;

type Pages = { records: number; firstMs: number; middleMs: number };
export type LogResult = {
  /** Commands a second, with a record of each and without. */
  commands: { with: number; without: number };
  /** Records a second that were sealed, by how many the log then had. */
  sealing: { records: number; perSecond: number }[];
  pages: Pages[];
};

async function insertKeys(db: Database): Promise<void> {
  await db.query(sql`
    insert into api_keys (id, workspace_id, name, mode, scopes, ip_whitelist, created_at)
    select 'ak_bench_' || n, 1, 'bench', 'LIVE', '{}', '{}', now() from generate_series(0, ${writers - 1}::int) n`);
}

const recordOf = (subjectId: string): AuditRecord => ({
  action: 'api-key.changed',
  actor: {
    type: 'ACCOUNT',
    id: 'ACC_DEMO_OWNER',
    name: 'Demo Owner',
    address: '203.0.113.7',
    requestId: 'bench',
  },
  institutionId: 1,
  workspaceId: 1,
  subjectId,
  changes: { name: { from: 'before', to: 'after' } },
  occurredAtMs: Date.now(),
});

/** As a command does: the membership it relies on, the row it locks, the change, and the record. */
async function change(db: Database, writer: number, isLogged: boolean): Promise<void> {
  const id = `ak_bench_${writer}`;
  await db.transaction(async (tx) => {
    await tx.query(
      sql`select role from workspace_members where account_id = 1 and workspace_id = 1 for share`,
    );
    await tx.query(sql`select name from api_keys where id = ${id} for update`);
    await tx.query(sql`update api_keys set name = ${String(Math.random())} where id = ${id}`);
    if (isLogged) await appendRecords(tx, [recordOf(id)]);
  });
}

async function changesPerSecond(db: Database, isLogged: boolean, seconds: number): Promise<number> {
  const begun = performance.now();
  let made = 0;
  const write = async (writer: number) => {
    for (; performance.now() - begun < seconds * 1000; made += 1) await change(db, writer, isLogged);
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return made / ((performance.now() - begun) / 1000);
}

async function awaitSealing(db: pg.Pool): Promise<void> {
  while ((await db.query('select from audit_waiting limit 1')).rows.length > 0) await sleep(20);
}

async function measureCommands({ connection, admin }: BenchDatabase, seconds: number) {
  const db = openDatabase(connection, { poolMax: writers, isPatient: true });
  await insertKeys(db);
  await changesPerSecond(db, true, seconds); // warms up
  const taken = { with: [] as number[], without: [] as number[] };
  for (const isLogged of order) {
    await admin.query('checkpoint');
    taken[isLogged ? 'with' : 'without'].push(await changesPerSecond(db, isLogged, seconds * secondsEach));
    await awaitSealing(admin);
    await awaitFolding(admin);
  }
  await db.close();
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { with: mean(taken.with), without: mean(taken.without) };
}

/** Appended at once, then sealed by the running service, which folds beside it. */
async function sealChunk(db: pg.Pool, rows: number): Promise<number> {
  await db.query(
    `insert into audit_waiting (audit_id, occurred_at, actor_type, actor_id, actor_name, action, subject_type, subject_id,
      changes, ip_address, request_id, institution_id, workspace_id)
    select 'AUD_' || n, now() - n * interval '5 minutes', 'ACCOUNT', 'ACC_' || n % 10, 'Bench', 'api-key.changed', 'API_KEY', 'ak_live_' || n % 1000,
      '{"name":{"from":"before","to":"after"}}', '203.0.113.7', md5(n::text), 'INST_DEMO', case when n % 4 = 0 then 'WS_OTHER' else 'WS_DEMO' end
    from generate_series(1, $1::int) n`,
    [rows],
  );
  const begun = performance.now();
  await awaitSealing(db);
  return rows / ((performance.now() - begun) / 1000);
}

async function measurePages(db: pg.Pool, { port }: ServerProcess): Promise<Pages> {
  await awaitFolding(db);
  await db.query('vacuum (analyze) audit_log');
  const headers = await signIn(port);
  const get = (page: number) =>
    call(port, { method: 'GET', path: `/web/v1/workspaces/WS_DEMO/audit-log?page=${page}`, headers });
  const { totalElements } = dataOf<{ totalElements: number }>(await get(0));
  const p50 = async (page: number) => {
    const taken: number[] = [];
    for (let left = requests; left > 0; left -= 1) {
      const begun = performance.now();
      await get(page);
      taken.push(performance.now() - begun);
    }
    return median(taken);
  };
  return {
    records: totalElements,
    firstMs: await p50(0),
    middleMs: await p50(Math.floor(totalElements / 40)),
  };
}

/** On a database of its own, with the service beside it that seals and folds. */
export async function measureLog(seconds: number, most = recordsMax): Promise<LogResult> {
  const database = await startDatabase();
  const { admin } = database;
  const portico = await startPortico(database.url);
  const commands = await measureCommands(database, seconds);
  const rows = Math.min(chunk, most / 10);
  const sealing: LogResult['sealing'] = [];
  const pages: Pages[] = [];
  for (let records = rows; records <= most; records += rows) {
    const perSecond = await sealChunk(admin, rows);
    const isEnd = records === rows || records === most;
    if (!isEnd) continue;
    sealing.push({ records, perSecond });
    pages.push(await measurePages(admin, portico));
  }
  await portico.stop();
  await database.stop();
  return { commands, sealing, pages };
}
