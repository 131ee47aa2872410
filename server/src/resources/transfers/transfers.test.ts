import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionSuite } from '../../../test/suites/collection.ts';
import { createKey, type Key, openWorld, signedCall, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { TransferRecord } from '../../transfers/record.ts';
import { transferStatuses } from '../../transfers/status.ts';
import { transfers } from './collection.ts';

const keys = new WeakMap<World, Promise<Key>>();
const liveKey = (world: World) => {
  const key = keys.get(world) ?? createKey(world);
  keys.set(world, key);
  return key;
};

collectionSuite({
  name: 'transfers',
  shape: 'nested',
  fields: Object.keys(TransferRecord.properties),
  sortable: Object.keys(transfers.sortable),
  defaultSort: 'createdAt,desc',
  id: 'transferId',
  total: async () => 240,
  get: async (world, query, noMatch) =>
    signedCall(world, await liveKey(world), {
      url: `/api/v1/transfers${query}${noMatch ? '?currency=XXX' : ''}`,
    }),
});

describe('transfers', () => {
  let world: World;
  let key: Key;
  beforeAll(async () => {
    world = await openWorld();
    key = await liveKey(world);
  });
  afterAll(() => world.close());

  const list = (query: string, by = key) => signedCall(world, by, { url: `/api/v1/transfers${query}` });
  const total = async (query: string) => (await list(query)).json().data.page.totalElements;

  it('shows a key the transfers of its own workspace and mode alone', async () => {
    expect(await total('')).toBe(240);
    const test = await createKey(world, { mode: 2 });
    expect((await list('', test)).json().data.page.totalElements).toBe(60);
    const other = await createKey(world, {}, 'WS_OTHER', 'outsider@demo.test');
    expect((await list('', other)).json().data.page.totalElements).toBe(12);
  });

  it('names the parameter that a misspelt filter was meant to be, and gives no row', async () => {
    for (const [misspelt, meant] of [
      ['staus=FAILED', 'status'],
      ['creatdFrom=2025-01-01', 'createdFrom'],
      ['Status=FAILED', 'status'],
      ['limit=5', 'size'],
    ] as const) {
      const response = await list(`?${misspelt}`);
      expect(response.statusCode).toBe(400);
      const message =
        meant === 'size'
          ? /limit is not .* it takes page, size, sort/
          : new RegExp(`did you mean ${meant}\\?`);
      expect(response.json()).toEqual({
        success: false,
        code: '4000',
        message: expect.stringMatching(message),
      });
    }
  });

  it('gives amounts as decimal text with the digits of their currency, and times in ISO 8601 UTC', async () => {
    const { content } = (await list('?size=100')).json().data;
    const digits: Record<string, RegExp> = {
      USD: /^\d+\.\d{2}$/,
      EUR: /^\d+\.\d{2}$/,
      GBP: /^\d+\.\d{2}$/,
      JPY: /^\d+$/,
      KWD: /^\d+\.\d{3}$/,
    };
    for (const { amount, currency, createdAt, updatedAt } of content) {
      expect(amount).toMatch(digits[currency] as RegExp); // the demo world has these currencies
      for (const time of [createdAt, updatedAt])
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(
      new Set(content.map(({ reference }: { reference: string | null }) => reference === null)).size,
    ).toBe(2);
  });

  it('cannot store an amount with other digits than its currency has', async () => {
    const insert = (amount: string, currency: string) =>
      world.db.query(sql`
      insert into transfers (biz_id, workspace_id, mode, amount, currency, status, created_at, updated_at)
      select ${`T_${amount}`}, id, 'LIVE', ${amount}::numeric, ${currency}, 'PENDING', now(), now() from workspaces limit 1`);
    await expect(insert('1.5', 'USD')).rejects.toThrow(/transfers_amount_digits/);
    await expect(insert('1.00', 'JPY')).rejects.toThrow(/transfers_amount_digits/);
  });

  it('sorts amounts as numbers', async () => {
    const { content } = (await list('?size=100&sort=amount,asc')).json().data;
    const amounts = content.map(({ amount }: { amount: string }) => Number(amount));
    expect(amounts).toEqual([...amounts].sort((a, b) => a - b));
  });

  it('filters by status and currency together', async () => {
    let sum = 0;
    for (const status of transferStatuses) {
      const count = await total(`?status=${status}`);
      expect(count).toBeGreaterThan(0);
      sum += count;
    }
    expect(sum).toBe(240);
    const { content } = (await list('?status=COMPLETED&currency=JPY')).json().data;
    expect(content.length).toBeGreaterThan(0);
    for (const transfer of content) expect(transfer).toMatchObject({ status: 'COMPLETED', currency: 'JPY' });
  });

  it('takes createdFrom as inclusive and createdTo as exclusive, in any offset', async () => {
    const [{ createdAt }] = (await list('?size=1&page=100')).json().data.content;
    const from = encodeURIComponent(createdAt);
    const shifted = encodeURIComponent(
      `${new Date(Date.parse(createdAt) + 7_200_000).toISOString().slice(0, 19)}+02:00`,
    );
    expect((await total(`?createdFrom=${from}`)) + (await total(`?createdTo=${from}`))).toBe(240);
    expect(await total(`?createdFrom=${shifted}`)).toBe(await total(`?createdFrom=${from}`));
    expect(await total(`?createdFrom=${from}&createdTo=${from}`)).toBe(0);
  });

  it('refuses a filter value it cannot read with 400 4000 that names it', async () => {
    const wrong = [
      'status=completed',
      'status=',
      'status=COMPLETED&status=FAILED',
      'currency=usd',
      'currency=DOLLAR',
      'currency=%00',
      'createdFrom=yesterday',
      'createdFrom=2025-02-30T00:00:00Z',
      'createdFrom=2025-01-01',
      'createdTo=2025-01-01T00:00:00',
      'createdTo=2025-01-01T25:00:00Z',
      'createdTo=0000-01-01T00:00:00Z',
      'createdFrom=0001-01-01T00:00:00%2B23:59',
      'createdTo=9999-12-31T23:59:59-23:59',
      'updatedFrom=yesterday',
      'updatedTo=2025-01-01',
      'updatedFrom=',
      'reference=',
      `reference=${'x'.repeat(141)}`,
      'reference=%00',
      'reference=a&reference=b',
    ];
    for (const query of wrong) {
      const response = await list(`?${query}`);
      expect([query, response.statusCode, response.json().code]).toEqual([query, 400, '4000']);
      expect(response.json().message).toContain(query.split('=')[0]);
    }
  });

  it('takes the extremes of time that its format allows', async () => {
    expect(
      await total('?createdFrom=0001-01-01T00:00:00-23:59&createdTo=9999-12-31T23:59:59.999%2B23:59'),
    ).toBe(240);
  });

  it('compares times finer than a millisecond exactly', async () => {
    const [{ createdAt }] = (await list('?size=1&page=100')).json().data.content;
    const after = createdAt.replace('Z', '001Z');
    expect((await total(`?createdFrom=${after}`)) + (await total(`?createdTo=${after}`))).toBe(240);
    expect(await total(`?createdFrom=${after}`)).toBeLessThan(await total(`?createdFrom=${createdAt}`));
  });

  it('finds exactly the reference that is asked for', async () => {
    const own = await createKey(world, {}, 'WS_OTHER', 'outsider@demo.test');
    const references = [
      'Invoice 1',
      'invoice 1',
      'Invoice 10',
      'Invoice%',
      'Inv_ice 1',
      'é',
      'e\u0301',
      '🧾'.repeat(140),
    ];
    await world.db.query(sql`
      insert into transfers (biz_id, workspace_id, mode, amount, currency, status, reference, created_at, updated_at)
      select 'REF_' || n, w.id, 'LIVE', 1.00, 'EUR', 'PENDING', text, now(), now()
      from unnest(${[...references, 'twice', 'twice', 'x'.repeat(5000)]}::text[]) with ordinality u(text, n), workspaces w where w.biz_id = 'WS_OTHER'`);
    const found = async (reference: string, more = '') =>
      (await list(`?reference=${encodeURIComponent(reference)}${more}`, own)).json().data;
    for (const reference of references) {
      const { content, page } = await found(reference);
      expect([reference, page.totalElements, content.length]).toEqual([reference, 1, 1]);
      expect(content[0].reference).toBe(reference);
    }
    expect((await found('twice', '&size=1&page=1')).page).toMatchObject({ totalElements: 2, totalPages: 2 });
    expect((await found('twice', '&size=1&page=1')).content).toHaveLength(1);
    expect((await found('twice', '&status=FAILED')).page.totalElements).toBe(0);
    expect((await found('Invoice')).page.totalElements).toBe(0);
    expect(await total('?reference=twice')).toBe(0);
  });

  it('counts exactly and pages without loss, whatever filters and orders are joined', async () => {
    const all = [...(await list('?size=100')).json().data.content];
    for (const page of [1, 2]) all.push(...(await list(`?size=100&page=${page}`)).json().data.content);
    type Row = { updatedAt: string; createdAt: string; status: string; transferId: string };
    const times = all.map(({ updatedAt }: Row) => updatedAt).sort();
    const [from = '', to = ''] = [times[60], times[180]];
    const range = `updatedFrom=${encodeURIComponent(from)}&updatedTo=${encodeURIComponent(to)}`;
    const isIn = ({ updatedAt }: Row) => updatedAt >= from && updatedAt < to;
    const cases: [string, (row: Row) => boolean][] = [
      [range, isIn],
      [`updatedFrom=${encodeURIComponent(from)}`, ({ updatedAt }) => updatedAt >= from],
      [`updatedTo=${encodeURIComponent(to)}`, ({ updatedAt }) => updatedAt < to],
      [`${range}&status=COMPLETED`, (row) => isIn(row) && row.status === 'COMPLETED'],
      [`${range}&createdTo=${encodeURIComponent(to)}`, (row) => isIn(row) && row.createdAt < to],
    ];
    for (const [query, matches] of cases) {
      const wanted = all.filter(matches).map(({ transferId }: Row) => transferId);
      for (const sort of ['', '&sort=updatedAt,asc', '&sort=updatedAt,desc', '&sort=status,asc']) {
        const seen: string[] = [];
        for (let page = 0; page * 50 <= wanted.length; page++) {
          const { data } = (await list(`?${query}${sort}&size=50&page=${page}`)).json();
          expect([query, sort, data.page.totalElements]).toEqual([query, sort, wanted.length]);
          seen.push(...data.content.map(({ transferId }: Row) => transferId));
        }
        expect([query, sort, seen.sort()]).toEqual([query, sort, wanted.sort()]);
      }
    }
  });

  it('has its filter in the links to other pages', async () => {
    const { headers } = await list('?status=COMPLETED&size=10');
    expect(headers.link).toContain('status=COMPLETED');
  });
});
