import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/** One or two seconds of work. What one step has added, the next adds to again, so few large ones cost less. */
const batchMax = 50_000;
/** Rows that were folded stay in the table until it is vacuumed, and readers pass over them. */
const vacuumAfter = 20_000;

/** Adds what waits to the totals, until nothing waits or another instance is at it. */
export function createFolder(db: Queryable): () => Promise<void> {
  let sinceVacuum = 0;
  const foldBatch = async () => {
    const [row] = await db.query<{ taken: number }>(sql`select tally_fold(${batchMax}) as taken`);
    const taken = row?.taken ?? 0;
    sinceVacuum += taken;
    if (sinceVacuum >= vacuumAfter) {
      sinceVacuum = 0;
      await db.query(sql`vacuum tally_deltas`);
    }
    return taken;
  };
  const growOne = async () => {
    const [row] = await db.query<{ grew: boolean }>(sql`select tally_grow() as grew`);
    return row?.grew === true;
  };
  return async () => {
    do {
      while ((await foldBatch()) === batchMax);
    } while (await growOne());
  };
}

/** Beyond this it is only said that there are many. */
const waitingMax = 100_000;

export async function countWaiting(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*) as count from (select 1 from tally_deltas limit ${waitingMax}) waiting`,
  );
  return row?.count ?? 0;
}

export async function selectTallies(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`select name from tallies order by name`);
  return rows.map(({ name }) => name);
}

/** A count that is not what the table says. Level 0 is all time. */
export type TallyMistake = {
  scope: string[];
  dims: (string | null)[];
  level: number;
  start: string | null;
  counted: number;
  tallied: number;
};

export async function verifyTally(db: Queryable, name: string): Promise<TallyMistake[]> {
  return db.query(sql`select * from tally_verify(${name})`);
}

/** Writers go on meanwhile; readers see the old counts until it ends. */
export async function rebuildTally(db: Queryable, name: string): Promise<void> {
  await db.query(sql`call tally_rebuild(${name})`);
}
