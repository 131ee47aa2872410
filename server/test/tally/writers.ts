import type { Database, Queryable } from '../../src/db/database.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import { fileCategories, fileStatuses } from '../../src/files/names.ts';

export type Random = (below: number) => number;

/** Small, seeded, and good enough to mix histories: mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

class RolledBack extends Error {}

const categories = Object.values(fileCategories).slice(0, 3);
const statuses = Object.values(fileStatuses).slice(0, 3);
const pick = <Value>(random: Random, values: readonly Value[]) => values[random(values.length)] as Value; // never empty

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** Two months before 1970, one hour, one minute of it, and one second of that: so buckets of every level fill and empty, with many ties. */
export function someTime(random: Random): Date {
  const start = Date.UTC(1969, 11, 1);
  const spread = random(4);
  if (spread === 0) return new Date(start + random(60) * dayMs + random(48) * 30 * minuteMs);
  const hour = start + 30 * dayMs + 23 * 60 * minuteMs;
  if (spread === 1) return new Date(hour + random(60 * minuteMs));
  return new Date(hour + 59 * minuteMs + (spread === 2 ? random(60) * 1000 : 59_000 + random(1000)));
}

export type Writer = { random: Random; number: number; of: number; made: number };

const inserted = (writer: Writer, rows: number): Sql => {
  const { random, number } = writer;
  writer.made += 1;
  return sql`
    insert into files (biz_id, institution_id, workspace_id, bucket, object_key, original_filename, file_size, content_type,
      category, status, etag, created_at, created_by)
    select ${`H_${number}_${writer.made}_`} || n, w.institution_id, w.id, 'b', 'k', 'f' || (n * ${random(97)}::int % 7), n * ${random(50)}::int % 11, 'text/plain',
      ${pick(random, categories)}::file_category, ${pick(random, statuses)}::file_status, 'e', ${someTime(random)}::timestamptz + n % 3 * interval '1 day', 'A'
    from workspaces w cross join generate_series(1, ${rows}::int) n where w.biz_id = ${pick(random, ['WS_DEMO', 'WS_DEMO_2'])}`;
};

/** Each writer has rows of its own, so that writers never wait for one another's rows. */
const own = ({ number, of, random }: Writer): Sql =>
  sql`id = (select id from files where id % ${of} = ${number} and institution_id = 1 order by hashint8(id + ${random(1000)}) limit 1)`;

function change(writer: Writer): Sql {
  const { random } = writer;
  const mine = own(writer);
  const changes = [
    () => inserted(writer, 1),
    () => inserted(writer, 1),
    () => inserted(writer, 1 + random(40)),
    () => sql`delete from files where ${mine}`,
    () => sql`update files set status = ${pick(random, statuses)}::file_status where ${mine}`,
    () => sql`update files set category = ${pick(random, categories)}::file_category where ${mine}`,
    () => sql`update files set created_at = ${someTime(random)}::timestamptz where ${mine}`,
    () =>
      sql`update files set workspace_id = (select id from workspaces where biz_id = ${pick(random, ['WS_DEMO', 'WS_DEMO_2'])}) where ${mine}`,
    () => sql`update files set deleted_at = case when deleted_at is null then now() end where ${mine}`,
    () => sql`update files set remark = 'same place' where ${mine}`,
    () =>
      sql`delete from files where id % ${writer.of} = ${writer.number} and institution_id = 1 and biz_id like 'H_%' and id % 3 = ${random(3)}`,
  ];
  return pick(random, changes)();
}

async function several(tx: Queryable, writer: Writer): Promise<void> {
  for (let left = 1 + writer.random(3); left > 0; left -= 1) await tx.query(change(writer));
}

/** One operation of a history: a statement, a transaction of several, or one that is rolled back. */
export async function operate(db: Database, writer: Writer): Promise<void> {
  const kind = writer.random(10);
  if (kind < 7) return void (await db.query(change(writer)));
  await db
    .transaction(async (tx) => {
      await several(tx, writer);
      if (kind === 9) throw new RolledBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
}
