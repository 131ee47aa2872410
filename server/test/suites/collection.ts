import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../world.ts';

type Response = { statusCode: number; body: string; headers: Record<string, unknown>; json(): PageBody };
// biome-ignore lint/suspicious/noExplicitAny: records differ by collection and are compared, never read by name
type PageBody = { code: string; message: string; data: any };

export type CollectionCase = {
  name: string;
  shape: 'flat' | 'nested';
  /** Fields of a record, in order. */
  fields: string[];
  sortable: string[];
  defaultSort: string;
  /** A field that identifies a record. */
  id: string;
  /** How many records the demo world has for this caller, by a count that does not go through the collection. */
  total(world: World): Promise<number>;
  /** A filter that matches nothing. */
  get(world: World, query: string, noMatch?: boolean): Promise<Response>;
};

type Open = () => World;

const defaultField = ({ defaultSort }: CollectionCase) => defaultSort.split(',')[0] ?? '';

const metaOf = (shape: 'flat' | 'nested', data: PageBody['data']) => (shape === 'flat' ? data : data.page);

async function walk(
  { get, id }: CollectionCase,
  world: World,
  query: string,
  size: number,
  total: number,
): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let page = 0; page * size < total; page += 1) {
    const { content } = (await get(world, `?page=${page}&size=${size}&${query}`)).json().data;
    seen.push(...content.map((record: Record<string, unknown>) => record[id]));
  }
  return seen;
}

function shapeGuarantees(open: Open, collection: CollectionCase): void {
  const { get, shape } = collection;

  it('answers page 0 of 20 in its default order when nothing is asked', async () => {
    const plain = (await get(open(), '')).json().data;
    expect(metaOf(shape, plain)).toMatchObject({ number: 0, size: 20 });
    expect(plain).toEqual((await get(open(), `?page=0&size=20&sort=${collection.defaultSort}`)).json().data);
    expect(plain).toEqual((await get(open(), '?page=&size=%20&sort=')).json().data);
  });

  it('has the members of its page shape and the fields of its record, and no others', async () => {
    const data = (await get(open(), '?size=1')).json().data;
    const counts = ['size', 'number', 'totalElements', 'totalPages'];
    expect(Object.keys(data)).toEqual(shape === 'flat' ? ['content', ...counts] : ['content', 'page']);
    if (shape === 'nested') expect(Object.keys(data.page)).toEqual(counts);
    expect(Object.keys(data.content[0])).toEqual(collection.fields);
  });

  it('counts exactly, on every page and past the last', async () => {
    const total = await collection.total(open());
    for (const [size, page] of [
      [1, 0],
      [7, 2],
      [20, 0],
      [20, 5],
      [100, 1],
      [100, 999],
    ] as const) {
      const data = (await get(open(), `?size=${size}&page=${page}`)).json().data;
      expect(metaOf(shape, data)).toMatchObject({
        totalElements: total,
        totalPages: Math.ceil(total / size),
        size,
        number: page,
      });
      expect(data.content.length).toBe(Math.max(0, Math.min(size, total - page * size)));
    }
  });

  it('answers an empty collection with content [] and zero totals', async () => {
    const data = (await get(open(), '', true)).json().data;
    expect(data.content).toEqual([]);
    expect(metaOf(shape, data)).toEqual(
      expect.objectContaining({ totalElements: 0, totalPages: 0, number: 0, size: 20 }),
    );
  });

  it('keeps the true totals and echoes the number exactly on a page past 2^63', async () => {
    const total = await collection.total(open());
    for (const [sent, echoed] of [
      ['9223372036854775807', '9223372036854775807'],
      [`1${'0'.repeat(40)}`, `1${'0'.repeat(40)}`],
      ['007', '7'],
      ['-0', '0'],
    ]) {
      const { statusCode, body } = await get(open(), `?page=${sent}`);
      expect(statusCode).toBe(200);
      expect(body).toContain(`"number":${echoed},`);
      expect(body).toContain(`"totalElements":${total}`);
    }
  });
}

function limitGuarantees(open: Open, collection: CollectionCase): void {
  const { get, shape } = collection;
  const field = defaultField(collection);
  it('caps a size above 100 to 100 with no error, however large', async () => {
    for (const size of ['101', '1000', '9'.repeat(50)]) {
      const { data } = (await get(open(), `?size=${size}`)).json();
      expect(metaOf(shape, data).size).toBe(100);
      expect(metaOf(shape, data).totalPages).toBe(Math.ceil(metaOf(shape, data).totalElements / 100));
    }
  });

  it('refuses every other page, size or sort with VALIDATION.INVALID_PARAMETER', async () => {
    const wrong = [
      'page=-1',
      'size=-1',
      'size=0',
      'size=-0',
      'page=a',
      'page=1.5',
      'page=1e3',
      'page=1e400',
      'page=0x10',
      'page=%2B1',
      'page=1%201',
      'page=%D9%A3',
      'page=1&page=1',
      'size=1&size=2',
      'page=&page=',
      `sort=${field}`,
      `sort=${field},`,
      `sort=${field},up`,
      `sort=${field},asc,desc`,
      'sort=,asc',
      'sort=nope,asc',
      'sort=__proto__,asc',
      'sort=constructor,desc',
      'sort=createdat,asc',
      `sort=${field}%00,asc`,
      `sort=${field},asc;drop%20table%20files`,
      'sort=(select%201),asc',
      `sort=${field}%20,asc`,
      `sort=${field},%20asc`,
      'page=%FF',
      'sort=%ED%A0%80,asc',
      Array.from({ length: 6 }, () => `sort=${field},asc`).join('&'),
    ];
    for (const query of wrong) {
      const response = await get(open(), `?${query}`);
      expect([query, response.statusCode, response.json().code]).toEqual([
        query,
        400,
        'VALIDATION.INVALID_PARAMETER',
      ]);
    }
  });

  it('names what is allowed when a sort is refused', async () => {
    expect((await get(open(), '?sort=nope,asc')).json().message).toContain(field);
    expect((await get(open(), `?sort=${field},up`)).json().message).toMatch(/asc or desc/);
  });
}

function orderGuarantees(open: Open, collection: CollectionCase): void {
  const { get } = collection;
  const time = defaultField(collection);

  it('loses and doubles no record between pages, in every order and both directions', async () => {
    const total = await collection.total(open());
    for (const field of collection.sortable) {
      for (const direction of ['asc', 'DESC']) {
        const seen = await walk(collection, open(), `sort=${field},${direction}`, 37, total);
        expect([field, direction, new Set(seen).size]).toEqual([field, direction, total]);
      }
    }
  });

  it('sorts by what is returned, text by code point, nulls last, and breaks ties by the later sorts', async () => {
    for (const field of collection.sortable) {
      const { content } = (await get(open(), `?size=100&sort=${field},desc&sort=${time},asc`)).json().data;
      const keys: [unknown, string][] = content.map((record: Record<string, string>) => [
        sortKey(field, record[field]),
        record[time],
      ]);
      const sorted = [...keys].sort(
        ([a, at], [b, bt]) => nullsLast(a, b) || compare(b, a) || compare(at, bt),
      );
      expect([field, keys]).toEqual([field, sorted]);
    }
  });

  it('links to first, prev, next and last', async () => {
    const total = await collection.total(open());
    const { headers } = await get(open(), `?size=1&page=1&sort=${collection.defaultSort}`);
    const links = [...String(headers['link']).matchAll(/<([^>]+)>; rel="(\w+)"/g)];
    const pages = links.map(([, url = '', rel]) => {
      const query = new URL(url, 'http://localhost').searchParams;
      return [rel, query.get('page'), query.get('size'), query.get('sort')];
    });
    const expected = [
      ['first', 0],
      ['prev', 0],
      ['next', 2],
      ['last', total - 1],
    ];
    expect(pages).toEqual(expected.map(([rel, page]) => [rel, String(page), '1', collection.defaultSort]));
    expect(String((await get(open(), '?page=99999')).headers['link'])).not.toContain('next');
  });
}

function sortKey(field: string, value: unknown): unknown {
  return field === 'amount' ? Number(value) : value;
}

function nullsLast(a: unknown, b: unknown): number {
  return Number(a === null) - Number(b === null);
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

/** What every paginated collection guarantees. */
export function collectionSuite(collection: CollectionCase): void {
  describe(`${collection.name} as a paginated collection`, () => {
    let world: World;
    beforeAll(async () => {
      world = await openWorld();
    });
    afterAll(() => world.close());
    shapeGuarantees(() => world, collection);
    limitGuarantees(() => world, collection);
    orderGuarantees(() => world, collection);
  });
}
