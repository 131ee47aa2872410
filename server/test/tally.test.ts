import { afterEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
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

/** So shallow that a few hundred rows have buckets of every level, and pages are looked for in them. */
async function openShallow(): Promise<void> {
  database = await createDatabase();
  db = openDatabase(database.connection, { poolMax: writers, isPatient: true });
  await db.query(sql`
    create or replace function tally_depth(n bigint) returns int language sql immutable
    return case when n > 60 then 2 when n > 15 then 1 else 0 end`);
  await db.query(sql`create or replace function tally_near() returns bigint language sql immutable return 3`);
}

const mistakes = async () => [...(await verifyTally(db, 'files')), ...(await verifyTally(db, 'transfers'))];

const waiting = async () =>
  (await db.query<{ n: number }>(sql`select count(*) as n from tally_deltas`))[0]?.n;

describe('the tally', () => {
  it(`equals counting, and every page the plain OFFSET, while ${writers} writers, folding and rebuilding go on`, async () => {
    await openShallow();
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
    const depths = await db.query<{ depth: number }>(
      sql`select distinct depth from tally_totals order by depth`,
    );
    expect(depths.map(({ depth }) => depth)).toEqual([0, 1, 2]);
    const shallow = sql`select count(*) as n from tally_totals where depth < tally_depth(n)`;
    expect(await db.query(shallow)).toEqual([{ n: 0 }]);
  }, 1_200_000);

  it('counts what a truncation took away', async () => {
    await openShallow();
    await db.query(sql`truncate files`);
    expect(await mistakes()).toEqual([]);
    await createFolder(db)();
    expect(await mistakes()).toEqual([]);
  });

  it('finds a count that something wrote around the triggers, and mends it by counting anew', async () => {
    await openShallow();
    await createFolder(db)();
    await db.query(sql`alter table files disable trigger user`);
    await db.query(sql`delete from files where biz_id = 'FILE_0000000001'`);
    await db.query(sql`alter table files enable trigger user`);
    const found = await verifyTally(db, 'files');
    expect(found).toContainEqual({
      scope: ['1'],
      dims: [null, null, null],
      level: 0,
      start: null,
      counted: 249,
      tallied: 250,
    });
    expect(found.some(({ level }) => level === 3)).toBe(true);
    await rebuildTally(db, 'files');
    expect(await mistakes()).toEqual([]);
  });

  it('finds a range of time by the buckets at its ends, however many there are', async () => {
    await openShallow();
    await db.query(sql`
      insert into files (biz_id, institution_id, workspace_id, bucket, object_key, original_filename, file_size, content_type,
        category, status, etag, created_at, created_by)
      select 'FILE_HOUR_' || n, institution_id, workspace_id, bucket, 'hour-' || n, original_filename, file_size, content_type,
        category, status, etag, '2003-01-01T00:00Z'::timestamptz + n * interval '1 hour', created_by
      from generate_series(1, 5000) n, (select * from files where institution_id = 1 limit 1) f`);
    await createFolder(db)();
    await db.query(sql`analyze tally_buckets`);
    const read = await db.transaction(async (tx) => {
      const [page] = await tx.query<{ total: number }>(sql`
        select total from tally_seek('files', '{1}', '{null,null,null}', '2003-03-04T05:06Z', '2003-05-06T07:08Z', true, true, 400, 20)`);
      expect(page?.total).toBe(1514);
      return tx.query<{ buckets: number }>(sql`
        select idx_tup_fetch + seq_tup_read as buckets from pg_stat_xact_user_tables where relname = 'tally_buckets'`);
    });
    expect(read[0]?.buckets).toBeLessThan(300);
  });

  it('lets one fold at a time, and the others pass', async () => {
    await openShallow();
    await db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(tally_lock_id())`);
      expect(await db.query(sql`select tally_fold(1000) as taken`)).toEqual([{ taken: 0 }]);
    });
    expect(await db.query(sql`select tally_fold(1) as taken`)).toEqual([{ taken: 1 }]);
  });
});
