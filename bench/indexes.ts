import type pg from 'pg';
import { inLanes } from './lanes.ts';

type Named = { name: string; definition: string };

/** Every index but that of the primary key. */
async function secondaryIndexes(db: pg.Pool, table: string): Promise<Named[]> {
  const { rows } = await db.query<Named>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = $1::regclass and not indisprimary`,
    [table],
  );
  return rows;
}

/** Unique keys, which take an index that is there already, and foreign keys. */
async function secondaryKeys(db: pg.Pool, table: string): Promise<Named[]> {
  const { rows } = await db.query<Named>(
    `select conname as name,
      case contype when 'u' then 'unique using index ' || conindid::regclass else pg_get_constraintdef(oid) end as definition
    from pg_constraint where conrelid = $1::regclass and contype in ('f', 'u')`,
    [table],
  );
  return rows;
}

/** An index is sorted by several processes and written by one, so several indexes with one process each take less time. */
async function makeIndexes(db: pg.Pool, indexes: Named[]): Promise<void> {
  await inLanes(indexes, async (left) => {
    const client = await db.connect();
    try {
      // What a processor's cache holds is sorted faster than what memory does, and merged afterwards.
      await client.query(`set maintenance_work_mem = '32MB'; set max_parallel_maintenance_workers = 0`);
      for (const { definition } of left) await client.query(definition);
    } finally {
      client.release(true);
    }
  });
}

/** Loads a table the way the manual of PostgreSQL advises: indexes and keys are made when the rows are there. */
export async function withoutIndexes(db: pg.Pool, table: string, load: () => Promise<void>): Promise<void> {
  const keys = await secondaryKeys(db, table);
  const indexes = await secondaryIndexes(db, table);
  for (const { name } of keys) await db.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of indexes) await db.query(`drop index if exists ${name}`); // that of a unique key went with it
  await load();
  await makeIndexes(db, indexes);
  for (const { name, definition } of keys)
    await db.query(`alter table ${table} add constraint ${name} ${definition}`);
}
