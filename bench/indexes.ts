import type pg from 'pg';

type Part = { name: string; definition: string; isConstraint: boolean };

/** Foreign and unique keys, and every index that is not one's own. The primary key stays. */
async function secondaryParts(db: pg.Pool, table: string): Promise<Part[]> {
  const { rows } = await db.query<Part>(
    `select conname as name, pg_get_constraintdef(oid) as definition, true as "isConstraint"
    from pg_constraint where conrelid = $1::regclass and contype in ('f', 'u')
    union all
    select indexrelid::regclass::text, pg_get_indexdef(indexrelid), false
    from pg_index where indrelid = $1::regclass
      and not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)`,
    [table],
  );
  return rows;
}

/** Loads a table the way the manual of PostgreSQL advises: indexes and keys are made when the rows are there. */
export async function withoutIndexes(db: pg.Pool, table: string, load: () => Promise<void>): Promise<void> {
  const all = await secondaryParts(db, table);
  for (const { name, isConstraint } of all)
    await db.query(isConstraint ? `alter table ${table} drop constraint ${name}` : `drop index ${name}`);
  await load();
  const client = await db.connect();
  try {
    await client.query(`set maintenance_work_mem = '1GB'`);
    for (const { name, definition, isConstraint } of all)
      await client.query(
        isConstraint ? `alter table ${table} add constraint ${name} ${definition}` : definition,
      );
  } finally {
    client.release(true);
  }
}
