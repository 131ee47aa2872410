import pg from 'pg';
import { awaitFolding } from './data.ts';
import { createPopulation, fileColumns, fileRows, type Population } from './populations.ts';
import { type BenchDatabase, median, startDatabase, startPortico } from './world.ts';

const writers = 8;
const bulkRows = 1_000_000;
const loaders = 2;
/** With the tally or without. What grows from round to round, such as the table, weighs on both alike. */
const singleOrder = [true, false, false, true];
/** A load takes minutes, so there is one of each, and the one with the tally finds the larger table. */
const bulkOrder = [false, true];
const secondsEach = 5;

/** Seconds or inserts a second with the tally and without, and how long folding went on afterwards. */
export type Comparison = { with: number; without: number; foldSeconds: number };
export type Writes = { single: Comparison; bulk: Comparison };

/** The triggers of the tally are all that the table has beside those of its foreign keys. */
async function switchTally(db: pg.Pool, isOn: boolean): Promise<void> {
  await db.query(`alter table files ${isOn ? 'enable' : 'disable'} trigger user`);
}

async function compare(
  db: pg.Pool,
  order: readonly boolean[],
  run: (round: number) => Promise<number>,
): Promise<Comparison> {
  const taken = { with: [] as number[], without: [] as number[], fold: [] as number[] };
  for (const [round, isOn] of order.entries()) {
    await switchTally(db, isOn);
    await db.query('checkpoint');
    taken[isOn ? 'with' : 'without'].push(await run(round));
    const begun = performance.now();
    await awaitFolding(db);
    if (isOn) taken.fold.push((performance.now() - begun) / 1000);
  }
  const middle = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { with: middle(taken.with), without: middle(taken.without), foldSeconds: median(taken.fold) };
}

const columns = fileColumns.replace('(id, ', '(');

/** Rows made beforehand, so that the time is that of storing them. */
async function stage(db: pg.Pool, population: Population): Promise<void> {
  const { name, workspaceIds, institutionId, rows, spreadSeconds } = population;
  await db.query(`create unlogged table staged (like files including defaults)`);
  await db.query(`insert into staged ${fileColumns} ${fileRows}`, [
    ...[name, workspaceIds, institutionId, rows, spreadSeconds],
    ...[1, rows, 0],
  ]);
}

/** Each connection stores every other row, all that were made. */
async function bulkLoad(db: pg.Pool, round: number): Promise<number> {
  const names = columns.slice(1, -1).replace('biz_id', `biz_id || '_${round}'`);
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: loaders }, (_none, part) =>
      db.query(
        `insert into files ${columns} select ${names} from staged where id % $1::int = $2 order by id`,
        [loaders, part],
      ),
    ),
  );
  return (performance.now() - begun) / 1000;
}

const insertOne = `insert into files ${columns}
  values ($1::text, $2, $3, 'portico-bench', $1, 'statement.pdf', $4::int8, 'application/pdf',
    (enum_range(null::file_category))[$4::int8 % 17 + 1], (enum_range(null::file_status))[$4::int8 % 7 + 1], md5($1::text), '', now(), 'ACC_DEMO_OWNER')`;

/** Returns how many a second were committed by all writers together. */
async function writeSingly(
  clients: pg.Client[],
  { institutionId, workspaceIds }: Population,
  round: number,
  seconds: number,
): Promise<number> {
  const begun = performance.now();
  let written = 0;
  const write = async (client: pg.Client, writer: number) => {
    for (let count = 0; performance.now() - begun < seconds * 1000; count += 1) {
      const bizId = `FILE_${round}_${writer}_${count}`;
      await client.query(insertOne, [bizId, institutionId, workspaceIds[count % workspaceIds.length], count]);
      written += 1;
    }
  };
  await Promise.all(clients.map(write));
  return written / ((performance.now() - begun) / 1000);
}

async function openWriters({ connection }: BenchDatabase): Promise<pg.Client[]> {
  const clients = Array.from({ length: writers }, () => new pg.Client(connection));
  await Promise.all(clients.map((client) => client.connect()));
  return clients;
}

/** On a database of its own, with the service beside it that folds. */
export async function measureWrites(seconds: number, rows = bulkRows): Promise<Writes> {
  const database = await startDatabase();
  const { admin } = database;
  const portico = await startPortico(database.url);
  const population = await createPopulation(admin, rows, { name: 'BENCH_WRITES', spreadSeconds: 3600 });
  await stage(admin, population);
  const bulk = await compare(admin, bulkOrder, (round) => bulkLoad(admin, round));
  await admin.query('vacuum (analyze) files');
  const clients = await openWriters(database);
  await writeSingly(clients, population, -1, seconds); // warms up
  const single = await compare(admin, singleOrder, (round) =>
    writeSingly(clients, population, round, seconds * secondsEach),
  );
  await Promise.all(clients.map((client) => client.end()));
  await portico.stop();
  await database.stop();
  return { single, bulk };
}
