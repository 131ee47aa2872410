import type { Queryable } from './database.ts';
import { type Sql, sql } from './sql.ts';
import type { TallyMistake } from './tally.ts';

/** After a restore without triggers every count may be wrong; a person needs to see a few. */
const shownMax = 20;

/** `level` is the length of the bucket, or `total`; `start` is that of the bucket, in UTC. */
type WrongCount = Omit<TallyMistake, 'level'> & { level: string };

export type TallyReport = {
  /** Rows that the table has. */
  rows: number;
  /** Counts that the tally keeps of them. */
  counts: number;
  wrong: number;
  /** The first of those that are wrong. */
  shown: WrongCount[];
};

/** How many dimensions a count is narrowed by; with none it is of a whole scope. */
const narrowedBy = sql`cardinality(array_remove(dims, null))`;

const talliedRows = (name: string): Sql => sql`(
  select coalesce(sum(n), 0)::bigint from (
    select n from tally_totals where tally = ${name} and ${narrowedBy} = 0
    union all
    select n from tally_deltas where tally = ${name}
  ) parts)`;

/** One statement, so that all of it is about the same moment. */
export async function reportTally(db: Queryable, name: string): Promise<TallyReport> {
  const [report] = await db.query<TallyReport>(sql`
    with wrong as materialized (select * from tally_verify(${name})),
    shown as (
      select w.scope, w.dims, coalesce(l.unit, 'total') as level,
        to_char(w.start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as start, w.counted, w.tallied
      from wrong w left join tally_levels l using (level)
      order by w.level, ${narrowedBy}, w.scope, w.dims, w.start limit ${shownMax}
    )
    select
      ${talliedRows(name)} + coalesce(
        sum(counted - tallied) filter (where level = 0 and ${narrowedBy} = 0), 0)::bigint as rows,
      (select count(*) from tally_totals where tally = ${name})
        + (select count(*) from tally_buckets b join tally_totals t on t.id = b.total_id where t.tally = ${name}) as counts,
      count(*) as wrong,
      (select coalesce(json_agg(shown), '[]') from shown) as shown
    from wrong`);
  if (report === undefined) throw new Error('an aggregate without groups has one row');
  return report;
}

export async function countTallied(db: Queryable, name: string): Promise<number> {
  const [row] = await db.query<{ rows: number }>(sql`select ${talliedRows(name)} as rows`);
  return row?.rows ?? 0;
}

/** False before the migration that makes it. */
export async function hasTable(db: Queryable, name: string): Promise<boolean> {
  const [row] = await db.query<{ exists: boolean }>(sql`select to_regclass(${name}) is not null as exists`);
  return row?.exists === true;
}
