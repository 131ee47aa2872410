import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionSuite } from '../../../test/suites/collection.ts';
import {
  insertKeys,
  requestKeys as keys,
  miscounts,
  rowOf,
  timesOf,
  writeRows,
} from '../../../test/support/request-rows.ts';
import { openWorld, portalCall, tokenOf, type World } from '../../../test/world.ts';
import { entryOf } from '../../contract/catalogue.ts';
import { sql } from '../../db/sql.ts';
import type { RequestRow } from '../../requests/request-log.ts';
import { requests } from './collection.ts';
import { RequestRecord } from './schema.ts';

const startMs = Date.UTC(2026, 4, 30, 22, 30);
const dayMs = 86_400_000;
const codes = ['2000', '2000', '2000', '4031', '4290', '5030'] as const;

/** Rows that share times, over several days, of two keys and several ends, and some hundred within one minute. */
function history(): RequestRow[] {
  const sparse = Array.from({ length: 700 }, (_, n) => {
    const code = codes[n % codes.length] as string; // never beyond its end
    const atMs = startMs + Math.floor(n / 3) * 611_000;
    return rowOf({ apiKeyId: n % 2 === 0 ? keys.live : keys.test, code, atMs, durationMs: n * 20 });
  });
  const dense = Array.from({ length: 900 }, (_, n) =>
    rowOf({ apiKeyId: keys.live, code: n % 10 === 0 ? '4012' : '2000', atMs: startMs + dayMs + (n % 100) }),
  );
  return [...sparse, ...dense];
}

async function writeHistory({ db }: World): Promise<RequestRow[]> {
  const rows = history();
  await insertKeys(db);
  // In batches that overlap in time, as several instances write them.
  for (const part of [0, 1, 2])
    await writeRows(
      db,
      rows.filter((_, n) => n % 3 === part),
    );
  await writeRows(db, [rowOf({ apiKeyId: keys.other, atMs: startMs, requestId: 'of-another' })]);
  return rows;
}

const once = <Value>(make: (world: World) => Promise<Value>) => {
  const known = new WeakMap<World, Promise<Value>>();
  return (world: World) => {
    const found = known.get(world) ?? make(world);
    known.set(world, found);
    return found;
  };
};
const filled = once(writeHistory);
const viewerOf = once((world) => tokenOf(world, 'ACC_DEMO_VIEWER'));
const get = async (world: World, rest: string, token = viewerOf(world)) =>
  portalCall(world, await token, { method: 'GET', url: `/web/v1/workspaces/WS_DEMO/requests${rest}` });

collectionSuite({
  name: 'the requests of a workspace',
  shape: 'flat',
  fields: Object.keys(RequestRecord.properties),
  sortable: Object.keys(requests.sortable),
  defaultSort: 'occurredAt,desc',
  id: 'requestId',
  total: async (world) => (await filled(world)).length,
  get: async (world, query, noMatch) => {
    await filled(world);
    return get(world, `${query}${noMatch ? `${query === '' ? '?' : '&'}code=4041` : ''}`);
  },
});

describe('the requests of a workspace', () => {
  let world: World;
  let rows: RequestRow[];
  beforeAll(async () => {
    world = await openWorld();
    rows = await filled(world);
  });
  afterAll(() => world.close());

  const dataOf = async (rest: string) => (await get(world, rest)).json().data;
  const iso = (ms: number) => new Date(ms).toISOString();

  const filters = [
    '',
    `apiKeyId=${keys.live}`,
    'mode=2',
    'code=4031',
    'statusClass=4xx',
    'statusClass=2xx&mode=1',
    `apiKeyId=${keys.live}&code=4012`,
    `from=${iso(startMs + dayMs + 37)}`,
    `to=${iso(startMs + dayMs + 50)}&statusClass=4xx`,
    `from=${iso(startMs + 3_600_000)}&to=${iso(startMs + 2 * dayMs + 1)}&apiKeyId=${keys.live}`,
    `from=${iso(startMs + 9 * dayMs)}`,
    'code=5030&statusClass=4xx',
  ];

  it.each(filters)('are counted and found on every page, first to last, filtered by "%s"', async (filter) => {
    const all = timesOf(rows, new URLSearchParams(filter));
    for (const direction of ['asc', 'desc']) {
      const ordered = direction === 'asc' ? all : all.toReversed();
      const last = Math.floor(Math.max(0, ordered.length - 1) / 40);
      for (const page of new Set([0, 1, 7, 8, Math.floor(last / 2), last - 1, last, last + 1])) {
        if (page < 0) continue;
        const data = await dataOf(`?size=40&page=${page}&sort=occurredAt,${direction}&${filter}`);
        const found = data.content.map(({ occurredAt }: { occurredAt: string }) => occurredAt);
        expect([filter, direction, page, data.totalElements, found]).toEqual([
          filter,
          direction,
          page,
          all.length,
          ordered.slice(page * 40, page * 40 + 40),
        ]);
      }
    }
  });

  it('have each row on one page, whichever way they are walked', async () => {
    const walk = async (direction: string) => {
      const seen: string[] = [];
      for (let page = 0; page < 16; page += 1)
        for (const row of (await dataOf(`?size=100&page=${page}&sort=occurredAt,${direction}`)).content)
          seen.push(row.requestId);
      return seen;
    };
    const up = await walk('asc');
    expect(new Set(up).size).toBe(rows.length);
    expect(await walk('desc')).toEqual(up.toReversed());
  });

  it('have counts that are what the rows say', async () => {
    expect(await miscounts(world.db)).toEqual([]);
  });

  it('are told one by one with what their code means, by the latest of an id', async () => {
    const [refused] = rows.filter(({ code }) => code === '4031');
    const record = await dataOf(`/${refused?.requestId}`);
    expect(record).toEqual({
      requestId: refused?.requestId,
      occurredAt: iso(refused?.atMs ?? 0),
      apiKeyId: refused?.apiKeyId,
      apiKeyName: 'Test',
      mode: 'TEST',
      method: 'GET',
      route: '/api/v1/whoami',
      status: 403,
      code: '4031',
      durationMs: refused?.durationMs,
      ipAddress: '203.0.113.9',
      reason: { name: 'SCOPE_MISSING', description: entryOf('4031').description },
    });
    expect((await dataOf(`?requestId=${refused?.requestId}`)).totalElements).toBe(1);
    expect((await dataOf(`?requestId=${refused?.requestId}&code=2000`)).totalElements).toBe(0);
    expect((await dataOf(`/${rows[0]?.requestId}`)).reason).toBeNull();
  });

  it('of another workspace are not found, however they are asked for', async () => {
    expect((await get(world, '/of-another')).json().code).toBe('4040');
    for (const query of ['requestId=of-another', `apiKeyId=${keys.other}`])
      expect((await dataOf(`?${query}`)).totalElements).toBe(0);
    const outsider = tokenOf(world, 'ACC_DEMO_OUTSIDER');
    for (const rest of ['', `/${rows[0]?.requestId}`, '?code=nonsense'])
      expect((await get(world, rest, outsider)).json().code).toBe('4030');
  });

  it('refuse what no request can have, naming the field', async () => {
    for (const query of ['code=1234', 'statusClass=3xx', 'mode=3', 'from=yesterday', 'requestId='])
      expect((await get(world, `?${query}`)).json()).toMatchObject({
        code: '4000',
        message: expect.stringContaining(query.split('=')[0] ?? ''),
      });
  });

  it('keep the name of a key that is gone, and are found by an id that several have', async () => {
    const again = { apiKeyId: keys.live, requestId: 'of-a-proxy' };
    await writeRows(
      world.db,
      [1, 3, 2].map((n) => rowOf({ ...again, atMs: startMs + n, durationMs: n })),
    );
    expect((await dataOf('/of-a-proxy')).durationMs).toBe(3);
    const found = await dataOf('?requestId=of-a-proxy&size=2&page=1');
    expect([found.totalElements, found.content[0].durationMs]).toEqual([3, 1]);
    await world.db.query(sql`delete from api_keys where id = ${keys.live}`);
    expect((await dataOf('/of-a-proxy')).apiKeyName).toBe('Live');
  });
});
