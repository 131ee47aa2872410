import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSession } from '../../../test/database.ts';
import { createKey, type Key, openWorld, signedCall, type World } from '../../../test/world.ts';
import { lookBackSeconds } from '../../contract/command.ts';
import { sql } from '../../db/sql.ts';

type Row = { transferId: string; updatedAt: string; status: string };
type Copy = Map<string, Row>;
type Page = { content: Row[]; page: { totalPages: number }; timestamp: number };

const size = 100;

let world: World;
let key: Key;
beforeAll(async () => {
  world = await openWorld();
  key = await createKey(world);
});
afterAll(() => world.close());

/** What happens between two requests of the one who follows. */
type Meanwhile = () => Promise<unknown>;

async function list(query: Record<string, string | number>, meanwhile: Meanwhile): Promise<Page> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const answer = await signedCall(world, key, {
    url: `/api/v1/transfers?${text}&sort=updatedAt,asc&size=${size}`,
  });
  await meanwhile();
  return { ...answer.json().data, timestamp: answer.json().timestamp };
}

const later = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();

/** All of one millisecond, from its last page to its first. */
async function readMoment(
  updatedFrom: string,
  take: (rows: Row[]) => void,
  meanwhile: Meanwhile,
): Promise<void> {
  const moment = { updatedFrom, updatedTo: later(updatedFrom, 1) };
  const { page } = await list(moment, async () => {});
  for (let number = page.totalPages - 1; number >= 0; number--)
    take((await list({ ...moment, page: number }, meanwhile)).content);
}

/** The steps of docs/keeping-in-step.md; gives the new mark. */
async function follow(copy: Copy, mark: string | undefined, meanwhile: Meanwhile = async () => {}) {
  let latest = mark ?? '';
  const take = (rows: Row[]) => {
    for (const row of rows) {
      const known = copy.get(row.transferId);
      if (known === undefined || known.updatedAt < row.updatedAt) copy.set(row.transferId, row);
      if (row.updatedAt > latest) latest = row.updatedAt;
    }
  };
  let from = mark === undefined ? undefined : later(mark, -lookBackSeconds * 1000);
  let begun: string | undefined;
  for (;;) {
    const { content, timestamp } = await list(from === undefined ? {} : { updatedFrom: from }, meanwhile);
    begun ??= new Date(timestamp).toISOString();
    take(content);
    const [first, last] = [content[0], content.at(-1)];
    if (content.length < size || first === undefined || last === undefined)
      return latest < begun ? latest : begun;
    if (first.updatedAt < last.updatedAt) from = last.updatedAt;
    else {
      await readMoment(last.updatedAt, take, meanwhile);
      from = later(last.updatedAt, 1);
    }
  }
}

const current = async (): Promise<Record<string, string>> => {
  const rows = await world.db.query<{ id: string; status: string }>(
    sql`select biz_id as id, status::text as status from transfers where workspace_id = 1 and mode = 'LIVE'`,
  );
  return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
};
const shown = (copy: Copy) => Object.fromEntries([...copy].map(([id, { status }]) => [id, status]));

const insert = (prefix: string, count: number, at: string) => sql`
  insert into transfers (biz_id, workspace_id, mode, amount, currency, status, created_at, updated_at)
  select ${prefix} || n, 1, 'LIVE', 1.00, 'EUR', 'PENDING', ${at}::timestamptz, ${at}::timestamptz from generate_series(1, ${count}::int) n`;

/** Some of them change, as the service changes them: to the end of the order. */
const change = (nth: number) =>
  world.db.query(sql`
    update transfers t set status = 'PROCESSING', updated_at = greatest(to_timestamp(${world.clock.now() / 1000}::float8), t.updated_at + interval '1 millisecond')
    where t.status = 'PENDING' and t.workspace_id = 1 and t.mode = 'LIVE' and t.id % 11 = ${nth}`);

describe('who follows the steps', () => {
  it('misses nothing of what shares a millisecond and changes while it is read', async () => {
    const at = new Date(world.clock.now() - 3_600_000).toISOString();
    await world.db.query(insert('SAME_', 450, at));
    await world.db.query(insert('NEXT_', 30, later(at, 1)));
    const copy: Copy = new Map();
    let turn = 0;
    const mark = await follow(copy, undefined, async () => {
      if (turn < 11) await change(turn++);
    });
    expect(turn).toBe(11);
    await follow(copy, mark);
    expect(shown(copy)).toEqual(await current());
  });

  it('sees what was begun before and kept after the last that was seen', async () => {
    const copy: Copy = new Map();
    const late = await openSession(world.database);
    const beganMs = world.clock.now();
    await late.query('begin');
    await late.query(
      `insert into transfers (biz_id, workspace_id, mode, amount, currency, status, created_at, updated_at)
      values ('LATE', 1, 'LIVE', 1.00, 'EUR', 'PENDING', to_timestamp($1::float8), to_timestamp($1::float8))`,
      [beganMs / 1000],
    );
    await world.db.query(insert('SOON_', 1, new Date(beganMs + (lookBackSeconds - 1) * 1000).toISOString()));
    world.clock.advance(lookBackSeconds - 1);
    const mark = await follow(copy, undefined);
    expect([copy.has('SOON_1'), copy.has('LATE')]).toEqual([true, false]);
    await late.query('commit');
    await late.end();
    await follow(copy, mark);
    expect(copy.has('LATE')).toBe(true);
    expect(shown(copy)).toEqual(await current());
  });
});
