import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/db/database.ts';
import { migrate, readMigrations } from '../src/db/migrate.ts';
import { sql, trusted } from '../src/db/sql.ts';
import { hasDemoAccounts, loadDemoWorld } from '../src/demo/demo-world.ts';
import { createDatabase, type TestDatabase } from './database.ts';

let empty: TestDatabase;
beforeAll(async () => {
  empty = await createDatabase('template0');
});
afterAll(() => empty.drop());

const applied = async () => {
  const db = openDatabase(empty.connection);
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

  it('refuse a database that is newer than the server', async () => {
    const db = openDatabase(empty.connection);
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
    const db = openDatabase(empty.connection);
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

describe('the demo world', () => {
  const snapshot = async (database: TestDatabase) => {
    const db = openDatabase(database.connection);
    const tables = [
      'institutions',
      'workspaces',
      'accounts',
      'institution_members',
      'workspace_members',
      'files',
      'transfers',
      'channel_types',
    ];
    const contents = await Promise.all(
      tables.map((table) =>
        db.query(sql`select md5(string_agg(t::text, '|' order by t::text)) as hash from ${trusted(table)} t`),
      ),
    );
    await db.close();
    return contents;
  };

  it('is the same every time, and loading it again changes nothing', async () => {
    const [first, second] = [await createDatabase(), await createDatabase('template0')];
    await migrate(second.connection);
    const db = openDatabase(second.connection);
    expect(await hasDemoAccounts(db)).toBe(false);
    await Promise.all([loadDemoWorld(db), loadDemoWorld(db)]);
    await loadDemoWorld(db);
    expect(await hasDemoAccounts(db)).toBe(true);
    expect(await db.query(sql`select 1 from api_keys`)).toEqual([]);
    await db.close();
    expect(await snapshot(second)).toEqual(await snapshot(first));
    await first.drop();
    await second.drop();
  });

  it('spans three years and holds ties, nulls, names beyond ASCII, and every category and status', async () => {
    const database = await createDatabase();
    const db = openDatabase(database.connection);
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
