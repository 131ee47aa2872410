import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  insertKeys,
  requestKeys as keys,
  miscounts,
  rowOf,
  timesOf,
  writeRows,
} from '../../../test/support/request-rows.ts';
import { openWorld, portalCall, tokenOf, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { createRequestLog, type RequestRow } from '../../requests/request-log.ts';

const minuteMs = 60_000;
const startMs = Date.UTC(2026, 4, 30, 23, 58);
const iso = (ms: number) => new Date(ms).toISOString();

/** Rows all over a minute and a little beyond both its ends, in no order: many of one series, some of another, few of the others. */
const minuteOf = (index: number): RequestRow[] =>
  Array.from({ length: 1300 }, (_, n) => {
    const atMs = startMs + index * minuteMs - 200 + ((n * 7919) % (minuteMs + 400));
    const code = n % 97 === 0 ? '5030' : n % 20 === 0 ? '4290' : n % 3 === 0 ? '4031' : '2000';
    return rowOf({ apiKeyId: n % 4 === 0 ? keys.test : keys.live, code, atMs });
  });

const partsOf = (rows: readonly RequestRow[], size: number) =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, n) => rows.slice(n * size, n * size + size));

/** How the rows of a minute come to be written. The second one lies around midnight. */
const ways: ((world: World, rows: readonly RequestRow[]) => Promise<unknown>)[] = [
  ({ db }, rows) => writeRows(db, rows),
  async ({ db }, rows) => {
    for (const part of partsOf(rows, 70)) await writeRows(db, part);
  },
  async ({ db }, rows) => {
    for (const part of partsOf(rows, 130)) {
      const [one, other] = [part.slice(0, 60), part.slice(60)];
      await Promise.all([writeRows(db, one), writeRows(db, other)]);
    }
  },
  async ({ db }, rows) => {
    const logs = [createRequestLog(), createRequestLog(), createRequestLog()];
    for (const [n, row] of rows.entries()) logs[n % logs.length]?.note('all', row, true);
    await Promise.all(logs.map((log) => log.flush(db)));
  },
];

describe('minutes with many requests', () => {
  let world: World;
  let viewer: string;
  const rows: RequestRow[] = [];
  beforeAll(async () => {
    world = await openWorld();
    viewer = await tokenOf(world, 'ACC_DEMO_VIEWER');
    await insertKeys(world.db);
    for (const [index, write] of ways.entries()) {
      const minute = minuteOf(index);
      await write(world, minute);
      rows.push(...minute);
    }
    const quiet = Array.from({ length: 90 }, (_, n) =>
      rowOf({ apiKeyId: keys.test, code: '4012', atMs: startMs - 5 * minuteMs + n * 7100 }),
    );
    await writeRows(world.db, quiet);
    rows.push(...quiet);
  });
  afterAll(() => world.close());

  const pageOf = async (query: string) => {
    const url = `/web/v1/workspaces/WS_DEMO/requests?${query}`;
    return (await portalCall(world, viewer, { method: 'GET', url })).json().data;
  };

  it('have counts of every second that are what the rows say, however they were written', async () => {
    expect(await miscounts(world.db)).toEqual([]);
    const forms = await world.db.query(sql`
      select count(*) filter (where seconds is not null)::int > 0 as counted, count(*) filter (where few is not null)::int > 0 as listed from request_minutes`);
    expect(forms).toEqual([{ counted: true, listed: true }]);
  });

  const at = (ms: number) => iso(startMs + ms);
  const filters = [
    '',
    'mode=1',
    `apiKeyId=${keys.live}`,
    'code=2000',
    'statusClass=4xx&mode=2',
    `apiKeyId=${keys.test}&code=5030`,
    `from=${at(17_000)}`,
    `from=${at(17_321)}&to=${at(17_322)}`,
    `from=${at(17_321)}&to=${at(44_000)}&mode=1`,
    `from=${at(59_999)}&to=${at(minuteMs + 1)}`,
    `to=${at(minuteMs + 30_500)}&statusClass=2xx`,
    `from=${at(minuteMs)}&to=${at(3 * minuteMs)}&apiKeyId=${keys.live}&code=4031`,
    `from=${at(2 * minuteMs + 59_000)}&to=${at(3 * minuteMs + 1000)}&code=4290`,
  ];

  it.each(filters)('are told on every page as counting tells them, filtered by "%s"', async (filter) => {
    const all = timesOf(rows, new URLSearchParams(filter));
    for (const [direction, size] of [
      ['asc', 90],
      ['desc', 100],
    ] as const) {
      const ordered = direction === 'asc' ? all : all.toReversed();
      const ids = new Set<string>();
      for (let page = 0; page * size <= ordered.length; page += 1) {
        const data = await pageOf(`size=${size}&page=${page}&sort=occurredAt,${direction}&${filter}`);
        const found: { occurredAt: string; requestId: string }[] = data.content;
        expect([page, data.totalElements, found.map(({ occurredAt }) => occurredAt)]).toEqual([
          page,
          all.length,
          ordered.slice(page * size, page * size + size),
        ]);
        for (const { requestId } of found) ids.add(requestId);
      }
      expect(ids.size).toBe(all.length);
    }
  });

  it.each([0, 1, 59, 60, 61, 119, 120, 239, 240, 241])(
    'are counted alike when they begin with %i more of a busy second',
    async (more) => {
      const atMs = startMs + 10 * minuteMs + more * minuteMs;
      const busy = Array.from({ length: more }, () => rowOf({ apiKeyId: keys.live, code: '4090', atMs }));
      await writeRows(world.db, busy);
      await writeRows(world.db, [rowOf({ apiKeyId: keys.live, code: '4090', atMs: atMs + 59_999 })]);
      const range = `code=4090&from=${iso(atMs)}`;
      expect((await pageOf(`${range}&to=${iso(atMs + 1000)}`)).totalElements).toBe(more);
      expect((await pageOf(`${range}&to=${iso(atMs + minuteMs)}`)).totalElements).toBe(more + 1);
      expect(await miscounts(world.db)).toEqual([]);
    },
  );

  it('have no page that is further from what is counted than a second is long, or few rows', async () => {
    const [most] = await world.db.query<{ second: number; span: number }>(sql`
      select (select max(n) from (select count(*)::int as n from requests group by date_bin('1 second', occurred_at, 'epoch')) seconds) as second,
        max(f.upto - f.older)::int as span
      from (select array_agg(id) as counted, sum(n)::int as n from request_series where api_key_id = '' and workspace_id = (select workspace_id from request_series limit 1)) s
      cross join lateral generate_series(0, s.n - 1, 53) place cross join lateral request_find(s.counted, place) f`);
    expect(most?.second).toBeGreaterThan(0);
    expect(most?.span).toBeLessThanOrEqual(Math.max(most?.second ?? 0, 240));
  });
});
