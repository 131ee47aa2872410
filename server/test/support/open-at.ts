import { type Database, openDatabase } from '../../src/db/database.ts';
import { readMigrations } from '../../src/db/migrate.ts';
import { sql, trusted } from '../../src/db/sql.ts';
import { createDatabase, type TestDatabase } from '../database.ts';

/** The database of an instance that knows migrations up to a number, with an institution and a workspace in it. */
export async function openAt(number: number): Promise<{ database: TestDatabase; db: Database }> {
  const database = await createDatabase('template0');
  const db = openDatabase(database.connection, { poolMax: 12, isPatient: true });
  await db.query(sql`create table schema_migrations (
    id int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`);
  for (const { id, name, checksum, text } of await readMigrations()) {
    if (id > number) break;
    await db.query(trusted(text));
    await db.query(
      sql`insert into schema_migrations (id, name, checksum) values (${id}, ${name}, ${checksum})`,
    );
  }
  await db.query(sql`insert into institutions (biz_id, name) values ('I', 'I')`);
  await db.query(sql`insert into workspaces (biz_id, institution_id, name) values ('W', 1, 'W')`);
  return { database, db };
}
