import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

/** Functions of the database that belong together, as one file of SQL that can be run again and again. */
export type FunctionFile = { name: string; revision: number; text: string; checksum: string };

const directory = new URL('./functions/', import.meta.url);

export function functionFile(name: string, text: string): FunctionFile {
  const [, revision] = /^-- Revision (\d+)\n/.exec(text) ?? [];
  if (revision === undefined) throw new Error(`functions/${name} does not begin with "-- Revision <number>"`);
  const checksum = createHash('sha256').update(text).digest('hex');
  return { name, revision: Number(revision), text, checksum };
}

export async function readFunctions(): Promise<FunctionFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => functionFile(name, await readFile(new URL(name, directory), 'utf8'))),
  );
}

type Applied = { name: string; revision: number; checksum: string };

/**
 * The files that the database lacks. One of a later revision stays: it is of a newer server, whose instances run beside this
 * one, and a function goes on serving those who called it before it changed.
 */
export async function findStale(client: pg.Client, files: FunctionFile[]): Promise<FunctionFile[]> {
  const [table] = (
    await client.query<{ found: boolean }>(`select to_regclass('schema_functions') is not null as found`)
  ).rows;
  const applied = table?.found
    ? (await client.query<Applied>('select name, revision, checksum from schema_functions')).rows
    : [];
  return files.filter(({ name, revision, checksum }) => {
    const before = applied.find((row) => row.name === name);
    return (
      before === undefined ||
      before.revision < revision ||
      (before.revision === revision && before.checksum !== checksum)
    );
  });
}

/** Inside the transaction of the last migration, so that no one sees functions of before on tables of after. */
export async function applyFunctions(client: pg.Client, files: FunctionFile[]): Promise<void> {
  await client.query(`create table if not exists schema_functions (
    name text primary key, revision int not null, checksum text not null, applied_at timestamptz not null default now())`);
  for (const { name, revision, text, checksum } of await findStale(client, files)) {
    await client.query(text);
    await client.query(
      `insert into schema_functions (name, revision, checksum) values ($1, $2, $3)
      on conflict (name) do update set revision = $2, checksum = $3, applied_at = now()`,
      [name, revision, checksum],
    );
  }
}
