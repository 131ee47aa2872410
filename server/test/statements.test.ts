import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileNameOf, statementsFolder, statementsOf } from '../../scripts/statements.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { trusted } from '../src/db/sql.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { servedCollections } from './support/served-collections.ts';

const served = await servedCollections();
const read = (name: string) => readFileSync(new URL(name, statementsFolder), 'utf8');

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = openDatabase(database.connection, { isPatient: true });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** With numbers for the names of parameters; a colon inside a quoted text is none. */
function numbered(statement: string): string {
  let count = 0;
  return statement.replace(/'[^']*'|(?<!:):[a-z][\w.]*/gi, (found) => {
    if (found.startsWith("'")) return found;
    count += 1;
    return `$${count}`;
  });
}

describe('docs/statements', () => {
  it('has a file for every collection of the app and no other', () => {
    expect(readdirSync(statementsFolder).sort()).toEqual(served.map(({ name }) => fileNameOf(name)).sort());
  });

  it.each(served)(
    'shows what $name asks as it is now, or npm run statements was forgotten',
    ({ name, declared }) => {
      expect(read(fileNameOf(name))).toBe(statementsOf(name, declared));
    },
  );

  it.each(served)('shows statements of $name that the database can plan', async ({ name }) => {
    const [, , ...statements] = read(fileNameOf(name)).split(/^-- .*\n/m);
    expect(statements).toHaveLength(6);
    for (const statement of statements)
      expect(await db.query(trusted(`explain (generic_plan) ${numbered(statement)}`))).not.toEqual([]);
  });
});
