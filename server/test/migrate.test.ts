import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../src/db/database.ts';
import { migrate, readMigrations } from '../src/db/migrate.ts';
import { sql, trusted } from '../src/db/sql.ts';
import { createFolder, verifyTally } from '../src/db/tally.ts';
import { hasDemoAccounts, loadDemoWorld } from '../src/demo/demo-world.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';
import { givesUpWithin } from './support/giving-up.ts';
import { openAt } from './support/open-at.ts';

let empty: TestDatabase;
beforeAll(async () => {
  empty = await createDatabase('template0');
});
afterAll(() => empty.drop());

const applied = async () => {
  const db = openDatabase(empty.connection, { isPatient: true });
  const rows = await db.query<{ id: number; name: string }>(
    sql`select id, name from schema_migrations order by id`,
  );
  await db.close();
  return rows;
};

describe('migrations', () => {
  it('are numbered without gaps', async () => {
    const migrations = await readMigrations();
    expect(migrations.map(({ id }) => id)).toEqual(migrations.map((_migration, index) => index + 1));
  });

  it('are applied once when twenty instances start at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => migrate(empty.connection)));
    expect((await applied()).map(({ name }) => name)).toEqual(
      (await readMigrations()).map(({ name }) => name),
    );
  });

  it('wait for an instance of an earlier release, which locks its whole session', async () => {
    const database = await createDatabase('template0');
    const earlier = await openSession(database);
    await earlier.query('select pg_advisory_lock(7023640001)');
    const migrating = migrate(database.connection);
    const waiting = async () =>
      (await earlier.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)).rowCount;
    await expect.poll(waiting).toBe(1);
    expect((await earlier.query(`select to_regclass('schema_migrations') as found`)).rows).toEqual([
      { found: null },
    ]);
    await earlier.end();
    await migrating;
    await database.drop();
  });

  it('say in one line that their lock cannot be had, and want none when nothing is missing', async () => {
    const database = await createDatabase('template0');
    const holder = await openSession(database);
    const { rows } = await holder.query('select pg_backend_pid() as pid from pg_advisory_lock(7023640001)');
    const line = `another session has held the lock of the migrations for 0.2 s: wait for the instance that migrates, or end that session, process ${rows[0].pid} of PostgreSQL (docs/operating.md)`;
    await expect(migrate(database.connection, { lockWaitMs: 200 })).rejects.toThrow(new Error(line));
    await holder.query('select pg_advisory_unlock_all()');
    await migrate(database.connection);
    await holder.query('select pg_advisory_lock(7023640001)');
    await migrate(database.connection, { lockWaitMs: 200 });
    await holder.end();
    await database.drop();
  });

  it('are given up at once by a signal that comes while they wait or work, and the next start does them whole', async () => {
    const database = await createDatabase('template0');
    const holder = await openSession(database);
    let held = 'advisory';
    const waiting = async () =>
      (await holder.query('select 1 from pg_locks where locktype = $1 and not granted', [held])).rowCount;
    const giveUp = async () => {
      const stopping = new AbortController();
      const migrating = migrate(database.connection, { signal: stopping.signal });
      migrating.catch(() => {});
      await expect.poll(waiting).toBe(1);
      stopping.abort();
      await expect(givesUpWithin(2, () => migrating)).rejects.toThrow('canceling statement');
      await expect.poll(waiting).toBe(0);
    };
    await holder.query('select pg_advisory_lock(7023640001)');
    await giveUp();
    await holder.query('select pg_advisory_unlock_all()');
    // In the middle of one: what it is to make is being made by another.
    held = 'transactionid';
    await holder.query('begin');
    await holder.query('create table files ()');
    await giveUp();
    await holder.query('rollback');
    const names = async () => (await holder.query('select name from schema_migrations order by id')).rows;
    expect(await names()).toHaveLength(1);
    await migrate(database.connection);
    expect(await names()).toHaveLength((await readMigrations()).length);
    await holder.end();
    await database.drop();
  });

  it('refuse a database that is newer than the server', async () => {
    const db = openDatabase(empty.connection, { isPatient: true });
    await db.query(
      sql`insert into schema_migrations (id, name, checksum) values (9999, '9999-future.sql', 'x')`,
    );
    await expect(migrate(empty.connection)).rejects.toThrow(
      'the database is newer than this server: it has migration 9999-future.sql',
    );
    await db.query(sql`delete from schema_migrations where id = 9999`);
    await db.close();
  });

  it('refuse a migration that was changed after it was applied', async () => {
    const db = openDatabase(empty.connection, { isPatient: true });
    const [row] = await db.query<{ checksum: string }>(
      sql`update schema_migrations set checksum = 'x' where id = 1 returning checksum`,
    );
    expect(row?.checksum).toBe('x');
    await expect(migrate(empty.connection)).rejects.toThrow(/0001-identity.sql was changed/);
    await db.close();
  });

  it('say in one line that the database cannot be reached', async () => {
    await expect(migrate({ host: '127.0.0.1', port: 1, user: 'x' })).rejects.toThrow(
      /^DATABASE_URL: cannot connect to the database: .*ECONNREFUSED/,
    );
  });

  it('refuse a database that is not in UTF8', async () => {
    const latin = await createDatabase(`template0 encoding 'LATIN1' locale 'C'`);
    await expect(migrate(latin.connection)).rejects.toThrow(
      'the database must be encoded in UTF8, it is in LATIN1',
    );
    await latin.drop();
  });
});

const undefinedColumn = '42703';

/** Files from a moment on, so many milliseconds apart. */
const insertFiles = (tag: string, rows: number, from: string, apartMs: number) => sql`
  insert into files (biz_id, institution_id, workspace_id, bucket, object_key, original_filename, file_size, content_type,
    category, status, etag, created_at, created_by)
  select ${tag} || n, 1, 1, 'b', 'k', 'f', n, 'text/plain', (enum_range(null::file_category))[1 + n % 2]::file_category, 'ACTIVE', 'e',
    ${from}::timestamptz + n * ${apartMs}::float8 * interval '1 ms', 'A'
  from generate_series(1, ${rows}::int) n`;

describe('a tally by hours that migrates to one by size', () => {
  const mistakes = async (db: Database) => [
    ...(await verifyTally(db, 'files')),
    ...(await verifyTally(db, 'transfers')),
  ];
  const splits = (db: Database) =>
    db.query<{ level: number; buckets: number }>(
      sql`select level, count(*) as buckets from tally_buckets where split group by level order by level`,
    );

  it('stays exact, with deltas that wait, and spreads its dense hours and minutes', async () => {
    const { database, db } = await openAt(9);
    await db.query(sql`create or replace function tally_depth(n bigint) returns int language sql immutable
      return case when n > 2500 then 2 when n > 1000 then 1 else 0 end`);
    await db.query(insertFiles('years', 2000, '2021-01-01T00:00Z', 40_000_000));
    await createFolder(db)();
    await db.query(insertFiles('hour', 3000, '2022-02-02T02:00Z', 1000));
    await createFolder(db)();
    await db.query(insertFiles('minute', 2500, '2023-03-03T03:03Z', 20));
    await db.query(sql`delete from files where biz_id like 'hour%' and file_size % 5 = 0`);
    expect(await db.query(sql`select from tally_deltas limit 1`)).toHaveLength(1);
    await Promise.all(Array.from({ length: 5 }, () => migrate(database.connection)));
    expect(await mistakes(db)).toEqual([]);
    await createFolder(db)();
    expect(await mistakes(db)).toEqual([]);
    expect((await splits(db)).map(({ level }) => level)).toEqual([1, 2, 3, 4]);
    await db.query(
      sql`update files set created_at = created_at + interval '7 seconds' where file_size % 3 = 0`,
    );
    expect(await mistakes(db)).toEqual([]);
    await createFolder(db)();
    expect(await mistakes(db)).toEqual([]);
    await db.close();
    await database.drop();
  });

  it('is exact for every reader while instances of before and after write, read and fold', async () => {
    const { database, db } = await openAt(9);
    await db.query(insertFiles('before', 1500, '2022-02-02T02:00Z', 100));
    let isDone = false;
    const until = async (work: (round: number) => Promise<unknown>) => {
      for (let round = 0; !isDone || round < 20; round += 1) await work(round);
    };
    const writing = [1, 2, 3].map((writer) =>
      until((round) =>
        db.query(insertFiles(`w${writer}-${round}-`, 1 + (round % 3), '2022-02-02T02:02Z', 7)),
      ),
    );
    const fold = createFolder(db);
    const overtaken: unknown[] = [];
    // One that has begun when the change commits finds columns of after: it takes nothing, and the next one folds.
    const folding = until(() =>
      fold().catch((error: { code?: string }) => {
        if (error.code !== undefinedColumn) throw error;
        overtaken.push(error);
      }),
    );
    const wrong: unknown[] = [];
    const reading = until(async () => {
      const [row] = await db.query<{ total: number; counted: number; waiting: number }>(sql`
        select (select count(*) from files) as counted,
          (select sum(s.total)::bigint from unnest(array['{1}', '{1,LIVE}']::text[]) scope
            cross join lateral tally_seek('files', scope::text[], '{null,null,null}', null, null, true, true, 1000, 20) s) as total,
          coalesce((select n from tally_totals where scope in ('{1}', '{1,LIVE}') and dims = '{null,null,null}'), 0)
            + coalesce((select sum(n) from tally_deltas where scope in ('{1}', '{1,LIVE}')), 0)::bigint as waiting`);
      if (row?.total !== row?.counted || row?.waiting !== row?.counted) wrong.push(row);
    });
    await Promise.all([migrate(database.connection), migrate(database.connection)]).finally(() => {
      isDone = true;
    });
    await Promise.all([...writing, folding, reading]);
    expect(wrong).toEqual([]);
    expect(overtaken.length).toBeLessThan(2);
    expect(await mistakes(db)).toEqual([]);
    await createFolder(db)();
    expect(await mistakes(db)).toEqual([]);
    await db.close();
    await database.drop();
  });
});

describe('the demo world', () => {
  const snapshot = async (database: TestDatabase) => {
    const db = openDatabase(database.connection, { isPatient: true });
    const tables = [
      'institutions',
      'workspaces',
      'accounts',
      'institution_members',
      'workspace_members',
      'files',
      'transfers',
      'channel_types',
      'audit_log',
    ];
    const contents = await Promise.all(
      tables.map((table) =>
        db.query(sql`select md5(string_agg(t::text, '|' order by t::text)) as hash from ${trusted(table)} t`),
      ),
    );
    await db.close();
    return contents;
  };

  /** When it was loaded, as the institution of the demo sees it. */
  const newestOf = async ({ connection }: TestDatabase) => {
    const db = openDatabase(connection, { isPatient: true });
    const [row] = await db.query<{ ms: number }>(sql`
      select extract(epoch from max(f.created_at))::float8 * 1000 as ms
      from files f join institutions i on i.id = f.institution_id where i.biz_id = 'INST_DEMO'`);
    await db.close();
    return row?.ms ?? 0;
  };

  it('is dated from when it was loaded: the newest of each institution is of that minute, and all moved alike', async () => {
    const database = await createDatabase('template0');
    await migrate(database.connection);
    const db = openDatabase(database.connection, { isPatient: true });
    await loadDemoWorld(db, Date.parse('2031-07-01T12:34:56.789Z'));
    const [world] = await db.query(sql`
      with times as (
        select created_at as at, institution_id from files union all
        select t.updated_at, w.institution_id from transfers t join workspaces w on w.id = t.workspace_id union all
        select l.occurred_at, i.id from audit_log l join institutions i on i.biz_id = l.institution_id
      ), span as (
        select created_at - '2023-01-01T00:00:00Z' as moved from accounts limit 1
      )
      select array(select max(at) = '2031-07-01T12:34:00Z' from times group by institution_id) as "areNewest",
        array(select distinct created_at - '2023-01-01T00:00:00Z' = moved from accounts, span) as accounts,
        (select min(created_at) - '2023-01-05T17:01:00Z' = moved from files, span group by moved) as files,
        (select min(created_at) - '2023-01-02T09:30:00Z' = moved from transfers, span group by moved) as transfers,
        (select min(occurred_at) - '2023-03-18T13:00:00Z' = moved from audit_log, span group by moved) as log`);
    const yes = true;
    expect(world).toEqual({ areNewest: [yes, yes], accounts: [yes], files: yes, transfers: yes, log: yes });
    await db.close();
    await database.drop();
  });

  it('is the same every time, and loading it again changes nothing', async () => {
    const [first, second] = [await createDatabase(), await createDatabase('template0')];
    await migrate(second.connection);
    const db = openDatabase(second.connection, { isPatient: true });
    expect(await hasDemoAccounts(db)).toBe(false);
    const loadedMs = await newestOf(first);
    await Promise.all([loadDemoWorld(db, loadedMs), loadDemoWorld(db, loadedMs)]);
    await loadDemoWorld(db, loadedMs + 3_600_000);
    expect(await hasDemoAccounts(db)).toBe(true);
    expect(await db.query(sql`select 1 from api_keys`)).toEqual([]);
    await db.close();
    expect(await snapshot(second)).toEqual(await snapshot(first));
    await first.drop();
    await second.drop();
  });

  it('spans three years and holds ties, nulls, names beyond ASCII, and every category and status', async () => {
    const database = await createDatabase();
    const db = openDatabase(database.connection, { isPatient: true });
    const [files] = await db.query(sql`
      select count(*) as files, count(distinct workspace_id) as workspaces, count(distinct category) as categories, count(distinct status) as statuses,
        extract(days from max(created_at) - min(created_at))::int > 3 * 360 as "isLong", count(*) > count(distinct created_at) as "hasTies",
        bool_or(original_filename ~ '[^\\x01-\\x7f]') as "hasUnicode"
      from files where institution_id = (select id from institutions where biz_id = 'INST_DEMO')`);
    expect(files).toEqual({
      files: 250,
      workspaces: 2,
      categories: 17,
      statuses: 7,
      isLong: true,
      hasTies: true,
      hasUnicode: true,
    });
    const transfers = await db.query(sql`
      select mode::text as mode, count(*) as count, bool_or(reference is null) as "hasNulls", count(*) > count(distinct created_at) as "hasTies"
      from transfers where workspace_id = (select id from workspaces where biz_id = 'WS_DEMO') group by mode order by mode`);
    expect(transfers).toEqual([
      { mode: 'LIVE', count: 240, hasNulls: true, hasTies: true },
      { mode: 'TEST', count: 60, hasNulls: true, hasTies: true },
    ]);
    await db.close();
    await database.drop();
  });
});
