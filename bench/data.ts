import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { withoutIndexes } from './indexes.ts';
import { chunks, inLanes } from './lanes.ts';
import {
  createPopulation,
  fileColumns,
  fileRows,
  type Population,
  transferColumns,
  transferRows,
} from './populations.ts';
import type { BenchDatabase } from './world.ts';

const chunkRows = 250_000;
/** Below, keeping the indexes up costs less than making them anew. */
const bulkRows = 500_000;

const tables = {
  files: { columns: fileColumns, rows: fileRows },
  transfers: { columns: transferColumns, rows: transferRows },
};
type Table = keyof typeof tables;

/** Waits until reading costs what it costs at rest: everything folded, statistics made, every page known to be visible. */
async function settle(db: pg.Pool): Promise<void> {
  await awaitFolding(db);
  await db.query('vacuum (analyze) files, transfers');
  await db.query('checkpoint');
}

/** The running service folds what the triggers wrote, and then spreads what has grown by it. */
export async function awaitFolding(db: pg.Pool): Promise<void> {
  const left = 'select from tally_deltas union all select from tally_grown limit 1';
  while ((await db.query(left)).rows.length > 0) await sleep(100);
}

async function loader({ connection }: BenchDatabase): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'bench' });
  await client.connect();
  await client.query('set synchronous_commit = off');
  return client;
}

/** One statement; the identity goes on where the table's ends. */
function insertChunk(
  db: pg.Pool | pg.Client,
  table: Table,
  population: Population,
  from: number,
  base: number,
) {
  const { columns, rows } = tables[table];
  const { name, workspaceIds, institutionId, rows: total, spreadSeconds } = population;
  const to = Math.min(from + chunkRows - 1, total);
  const values = [name, workspaceIds, institutionId, total, spreadSeconds, from, to, base];
  return db.query(`insert into ${table} ${columns} overriding system value ${rows}`, values);
}

async function nextIdentity(db: pg.Pool, table: Table): Promise<number> {
  const { rows } = await db.query<{ id: string }>(`select coalesce(max(id), 0) as id from ${table}`);
  return Number(rows[0]?.id);
}

/** Several connections take the chunks in turn. */
export async function fill(database: BenchDatabase, table: Table, population: Population): Promise<void> {
  const base = await nextIdentity(database.admin, table);
  const starts = chunks(1, population.rows, chunkRows);
  await inLanes(starts, async (left) => {
    const client = await loader(database);
    for (const from of left) await insertChunk(client, table, population, from, base);
    await client.end();
  });
  await database.admin.query(`select setval(pg_get_serial_sequence($1, 'id'), $2)`, [
    table,
    base + population.rows,
  ]);
}

/** As an operator would load millions of rows: without indexes and triggers, which are made up for once. */
async function fillInBulk(db: pg.Pool, table: Table, load: () => Promise<void>): Promise<void> {
  await db.query(`alter table ${table} disable trigger user`);
  await withoutIndexes(db, table, load);
  await db.query(`alter table ${table} enable trigger user`);
}

async function count(db: pg.Pool, table: Table): Promise<void> {
  await db.query(`vacuum (analyze) ${table}`);
  await db.query('call tally_rebuild($1)', [table]);
}

export type Built = { populations: Population[]; hour?: Population; seconds: number };

/** Files and transfers of populations that have none yet. Returns the seconds it took. */
export async function fillPopulations(
  database: BenchDatabase,
  populations: readonly Population[],
): Promise<number> {
  const { admin } = database;
  const begun = performance.now();
  const isBulk = populations.reduce((sum, { rows }) => sum + rows, 0) >= bulkRows;
  await admin.query(`alter system set max_wal_size = '16GB'`);
  await admin.query('select pg_reload_conf()');
  const fillAll = (table: Table) => async () => {
    for (const population of populations) await fill(database, table, population);
  };
  if (isBulk) {
    await fillInBulk(admin, 'files', fillAll('files'));
    // One process counts, beside it the other processor is free.
    await Promise.all([count(admin, 'files'), fillInBulk(admin, 'transfers', fillAll('transfers'))]);
    await count(admin, 'transfers');
  } else for (const table of ['files', 'transfers'] as const) await fillAll(table)();
  await admin.query('alter system reset max_wal_size');
  await admin.query('select pg_reload_conf()');
  await settle(admin);
  return (performance.now() - begun) / 1000;
}

/** All sizes in one database, so that each is measured beside the others, and so many rows of a single hour. */
export async function buildSizes(
  database: BenchDatabase,
  sizes: readonly number[],
  hourRows: number | undefined,
): Promise<Built> {
  const { admin } = database;
  const populations: Population[] = [];
  for (const rows of sizes) populations.push(await createPopulation(admin, rows));
  const hour =
    hourRows === undefined
      ? undefined
      : await createPopulation(admin, hourRows, { name: 'BENCH_DENSE', spreadSeconds: 3600 });
  const seconds = await fillPopulations(database, hour === undefined ? populations : [...populations, hour]);
  return { populations, ...(hour === undefined ? {} : { hour }), seconds };
}
