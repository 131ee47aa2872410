import { afterEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../src/db/database.ts';
import { sql, trusted } from '../src/db/sql.ts';
import { createFolder, rebuildTally, verifyTally } from '../src/db/tally.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { comparePages } from './tally/pages.ts';
import { createRandom, operate } from './tally/writers.ts';

const writers = 16;
const operations = Number(process.env['TALLY_OPERATIONS'] ?? 3000);

let database: TestDatabase;
let db: Database;
afterEach(async () => {
  await db.close();
  await database.drop();
});

/** So crowded by a few rows that a few hundred have buckets of every level, and pages are looked for in them. */
async function openCrowded(crowd = 8): Promise<void> {
  database = await createDatabase();
  db = openDatabase(database.connection, { poolMax: writers, isPatient: true });
  await db.query(
    sql`create or replace function tally_crowd() returns bigint language sql immutable return ${trusted(String(crowd))}`,
  );
  await db.query(sql`create or replace function tally_near() returns bigint language sql immutable return 3`);
}

/** Files of one workspace, category and status, so many milliseconds apart. */
const insertFiles = (before: string, rows: number, apartMs: number) => sql`
  insert into files (biz_id, institution_id, workspace_id, bucket, object_key, original_filename, file_size, content_type,
    category, status, etag, created_at, created_by)
  select 'FILE_AT_' || n, institution_id, id, 'b', 'k', 'f', 1, 'text/plain', 'OTHER', 'ACTIVE', 'e',
    ${before}::timestamptz + n * ${apartMs}::float8 * interval '1 ms', 'A'
  from generate_series(1, ${rows}::int) n, workspaces where biz_id = 'WS_DEMO'`;

const mistakes = async () => [...(await verifyTally(db, 'files')), ...(await verifyTally(db, 'transfers'))];

const waiting = async () =>
  (await db.query<{ n: number }>(sql`select count(*) as n from tally_deltas`))[0]?.n;

describe('the tally', () => {
  it(`equals counting, and every page the plain OFFSET, while ${writers} writers, folding and rebuilding go on`, async () => {
    await openCrowded();
    const seed = Number(process.env['TALLY_SEED'] ?? 20260101);
    let left = operations;
    let isDone = false;
    const write = async (number: number) => {
      const writer = { random: createRandom(seed + number), number, of: writers, made: 0 };
      for (; left > 0; left -= 1) await operate(db, writer);
    };
    const keep = openDatabase(database.connection, { poolMax: 1, isPatient: true });
    const fold = createFolder(keep);
    const foldAlways = async () => {
      for (let round = 0; !isDone; round += 1) {
        await fold();
        if (round % 40 === 39) await rebuildTally(keep, 'files');
      }
    };
    const readers = [1, 2].map((reader) =>
      comparePages(database.connection, createRandom(seed + 100 + reader), () => isDone),
    );
    const folding = foldAlways();
    await Promise.all(Array.from({ length: writers }, (_, number) => write(number))).finally(() => {
      isDone = true;
    });
    await folding;
    for (const { wrong } of await Promise.all(readers)) expect(wrong.slice(0, 3)).toEqual([]);
    expect(await mistakes()).toEqual([]);
    await fold();
    await keep.close();
    expect(await waiting()).toBe(0);
    expect(await mistakes()).toEqual([]);
    const levels = await db.query<{ level: number; crowded: number }>(sql`
      select level, count(*) filter (where n > tally_crowd() and not split) as crowded from (
        select 0 as level, n, split from tally_totals union all select level, n, split from tally_buckets
      ) counts group by level order by level`);
    expect(levels.map(({ level, crowded }) => [level, level < 5 ? crowded : 0])).toEqual(
      [0, 1, 2, 3, 4, 5].map((level) => [level, 0]),
    );
  }, 1_200_000);

  it('counts what a truncation took away', async () => {
    await openCrowded();
    await db.query(sql`truncate files`);
    expect(await mistakes()).toEqual([]);
    await createFolder(db)();
    expect(await mistakes()).toEqual([]);
  });

  it('finds counts of every level that something wrote around the triggers, and mends them by counting anew', async () => {
    await openCrowded(0);
    await db.query(sql`truncate files`);
    await db.query(insertFiles('2024-02-29T23:59:59Z', 5, 100));
    await createFolder(db)();
    expect(await mistakes()).toEqual([]);
    await db.query(sql`alter table files disable trigger user`);
    await db.query(sql`delete from files where biz_id = 'FILE_AT_1'`);
    await db.query(sql`alter table files enable trigger user`);
    const found = (await verifyTally(db, 'files')).sort((a, b) => a.level - b.level);
    const unfiltered = { scope: ['1', 'LIVE'], dims: [null, null, null], counted: 4, tallied: 5 };
    const starts = ['02-01T00:00:00', '02-29T00:00:00', '02-29T23:00:00', '02-29T23:59:00', '02-29T23:59:59'];
    expect(found.filter(({ dims }) => dims.every((dim) => dim === null))).toEqual([
      { ...unfiltered, level: 0, start: null },
      ...starts.map((start, index) => ({ ...unfiltered, level: index + 1, start: `2024-${start}.000Z` })),
    ]);
    await rebuildTally(db, 'files');
    expect(await mistakes()).toEqual([]);
  });

  it('finds a range of time by the buckets at its ends, however many there are', async () => {
    await openCrowded();
    await db.query(insertFiles('2003-01-01T00:00Z', 5000, 3_600_000));
    await createFolder(db)();
    await db.query(sql`analyze tally_buckets`);
    const read = await db.transaction(async (tx) => {
      const [page] = await tx.query<{ total: number }>(sql`
        select total from tally_seek('files', '{1,LIVE}', '{null,null,null}', '2003-03-04T05:06Z', '2003-05-06T07:08Z', true, true, 400, 20)`);
      expect(page?.total).toBe(1514);
      return tx.query<{ buckets: number }>(sql`
        select idx_tup_fetch + seq_tup_read as buckets from pg_stat_xact_user_tables where relname = 'tally_buckets'`);
    });
    expect(read[0]?.buckets).toBeLessThan(300);
  });

  it('counts times of the years 1 to 9999 by UTC, whatever the zone of the writer', async () => {
    await openCrowded(0);
    await db.query(sql`truncate files, transfers`);
    const times = [
      '0001-01-01T00:00:00.000Z',
      '1883-11-18T17:00:00.001Z',
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00.000Z',
      '2024-03-31T01:00:00.500Z',
      '2024-10-27T00:59:59.999Z',
      '2024-10-27T01:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ];
    for (const zone of ['Asia/Kolkata', 'America/New_York', 'Africa/Monrovia'])
      await db.transaction(async (tx) => {
        await tx.query(sql`set local time zone ${trusted(`'${zone}'`)}`);
        await tx.query(sql`
          insert into transfers (biz_id, workspace_id, mode, amount, currency, status, created_at, updated_at)
          select ${zone} || n, 1, 'LIVE', 1.00, 'EUR', 'PENDING', at, at
          from unnest(${times}::text[]::timestamptz[]) with ordinality u(at, n)`);
        if (zone === 'Asia/Kolkata') await tx.query(sql`select tally_fold(100000)`);
      });
    const ranks = () =>
      db.query<{ total: number; counted: number }>(sql`
        select (select total from tally_seek('transfers', '{1,LIVE}', '{null,null}', at, null, true, false, 0, 10)) as total,
          (select count(*) from transfers where workspace_id = 1 and mode = 'LIVE' and created_at >= at) as counted
        from unnest(${[...times, '1969-12-31T23:59:59.500Z']}::text[]::timestamptz[]) at`);
    for (const settle of [async () => {}, createFolder(db)]) {
      await settle();
      expect(await mistakes()).toEqual([]);
      for (const { total, counted } of await ranks()) expect(total).toBe(counted);
    }
    const seconds = await db.query<{ start: string }>(sql`
      select distinct to_char(b.start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') as start
      from tally_buckets b join tally_totals t on t.id = b.total_id where t.tally = 'transfers' and b.level = 5`);
    const found = seconds.map(({ start }) => start);
    expect(times.filter((time) => !found.includes(time.slice(0, 19)))).toEqual([]);
  });

  it('leaves a delta for each hour of a statement, however many seconds it has rows of', async () => {
    await openCrowded();
    await db.query(sql`truncate files, transfers`);
    await createFolder(db)();
    await db.query(insertFiles('2025-05-05T05:05Z', 4000, 900));
    expect(await waiting()).toBe(2);
    expect(await mistakes()).toEqual([]);
    await createFolder(db)();
    expect(await mistakes()).toEqual([]);
  });

  it('lets one fold at a time, and the others pass', async () => {
    await openCrowded();
    await db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(tally_lock_id())`);
      expect(await db.query(sql`select tally_fold(1000) as taken`)).toEqual([{ taken: 0 }]);
    });
    expect(await db.query(sql`select tally_fold(1) as taken`)).toEqual([{ taken: 1 }]);
  });
});
