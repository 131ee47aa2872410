import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FunctionFile, functionFile, readFunctions } from '../src/db/functions.ts';
import { migrate, readMigrations } from '../src/db/migrate.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';
import { openAt } from './support/open-at.ts';

/** Every function there is, with its text; aggregates have none. */
async function functionsOf(session: pg.Client): Promise<{ signature: string; definition: string }[]> {
  const { rows } = await session.query(`
    select oid::regprocedure::text as signature, pg_get_functiondef(oid) as definition from pg_proc
    where pronamespace = 'public'::regnamespace and prokind <> 'a' order by 1`);
  return rows;
}

/** Functions of a server that came after this one: a count is spread from another size on. */
async function laterFunctions(crowd: number, later: number): Promise<FunctionFile[]> {
  return (await readFunctions()).map(({ name, revision, text }) =>
    functionFile(
      name,
      text
        .replace(/^-- Revision \d+/, `-- Revision ${revision + later}`)
        .replace(/(tally_crowd\(\) .* return) \d+;/, `$1 ${crowd};`),
    ),
  );
}

let database: TestDatabase;
let session: pg.Client;
beforeAll(async () => {
  database = await createDatabase('template0');
  session = await openSession(database);
  await migrate(database.connection);
});
afterAll(async () => {
  await session.end();
  await database.drop();
});

const crowd = async (on: pg.Client) => (await on.query('select tally_crowd()::int as crowd')).rows[0].crowd;
/** Another transaction each time that any of them is written. */
const written = async () =>
  (await session.query(`select max(xmin::text::bigint)::text as last from pg_proc where oid >= 16384`)).rows;

describe('functions of the database', () => {
  it('are those of their files and no others, in a new database and in one of every earlier version', async () => {
    const migrated = await functionsOf(session);
    const bare = await createDatabase('template0');
    await migrate(bare.connection);
    const alone = await openSession(bare);
    for (const { signature } of migrated) await alone.query(`drop routine if exists ${signature} cascade`);
    expect(await functionsOf(alone)).toEqual([]);
    for (const { text } of await readFunctions()) await alone.query(text);
    const ofFiles = await functionsOf(alone);
    await alone.end();
    await bare.drop();
    expect(ofFiles.map(({ signature }) => signature)).toContain('tally_files_insert()');
    expect(migrated).toEqual(ofFiles);
    for (const { id } of await readMigrations()) {
      const earlier = await openAt(id);
      await migrate(earlier.database.connection);
      await earlier.db.close();
      const upgraded = await openSession(earlier.database);
      expect([id, await functionsOf(upgraded)]).toEqual([id, ofFiles]);
      await upgraded.end();
      await earlier.database.drop();
    }
  });

  it('change at the next start after their file changed, once', async () => {
    const functions = await laterFunctions(7, 1);
    await migrate(database.connection, { functions });
    expect(await crowd(session)).toBe(7);
    const first = await written();
    await Promise.all([1, 2, 3].map(() => migrate(database.connection, { functions })));
    expect(await written()).toEqual(first);
  });

  it('change while they are worked at, when the revision is still the same', async () => {
    await migrate(database.connection, { functions: await laterFunctions(8, 1) });
    expect(await crowd(session)).toBe(8);
  });

  it('are not taken back by an instance of an earlier version that starts again', async () => {
    const first = await written();
    await migrate(database.connection);
    expect(await crowd(session)).toBe(8);
    expect(await written()).toEqual(first);
  });

  it('are the newest ones when instances of two versions start on an empty database at once', async () => {
    const empty = await createDatabase('template0');
    const later = await laterFunctions(9, 5);
    await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        migrate(empty.connection, index % 2 === 0 ? {} : { functions: later }),
      ),
    );
    const look = await openSession(empty);
    expect(await crowd(look)).toBe(9);
    const { rows } = await look.query('select name, revision, checksum from schema_functions order by name');
    expect(rows).toEqual(later.map(({ name, revision, checksum }) => ({ name, revision, checksum })));
    await look.end();
    await empty.drop();
  });

  it('come in the transaction of the last migration: without them it has not happened', async () => {
    const last = Math.max(...(await readMigrations()).map(({ id }) => id));
    const { database: behind, db } = await openAt(last - 1);
    await db.close();
    const look = await openSession(behind);
    const newest = async () => (await look.query('select max(id) as id from schema_migrations')).rows[0].id;
    const broken = [functionFile('broken.sql', '-- Revision 1\nselect no_such_function()')];
    await expect(migrate(behind.connection, { functions: broken })).rejects.toThrow('no_such_function');
    expect(await newest()).toBe(last - 1);
    await migrate(behind.connection);
    expect(await newest()).toBe(last);
    await look.end();
    await behind.drop();
  });

  it('are refused in a file that does not begin with its revision', () => {
    expect(() => functionFile('x.sql', 'select 1')).toThrow(
      'functions/x.sql does not begin with "-- Revision <number>"',
    );
  });
});
