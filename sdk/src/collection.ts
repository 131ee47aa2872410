import type { NestedPage, PageQuery } from './envelope.ts';
import { PorticoError } from './errors.ts';

export interface SignedCollection<Item, Query> {
  list(query?: Query & PageQuery): Promise<NestedPage<Item>>;
  /** From the page asked for, or the first, to the last. */
  pages(query?: Query & PageQuery): AsyncIterableIterator<NestedPage<Item>>;
  /** The same one by one, fetched in pages of 100 unless told otherwise. */
  items(query?: Query & PageQuery): AsyncIterableIterator<Item>;
}

const sizeMax = 100;

/** A collection may grow while it is read; beyond this it grows faster than it is read. */
const pagesMax = (first: number) => first * 2 + 1000;

async function* pagesFrom<Item>(
  start: number,
  list: (page: number) => Promise<NestedPage<Item>>,
): AsyncGenerator<NestedPage<Item>, void, undefined> {
  let bound: number | undefined;
  for (let asked = start; ; asked++) {
    const answer = await list(asked);
    const { number, totalPages } = answer.page;
    if (number !== asked) throw new PorticoError(`page ${number} was answered when ${asked} was asked for`);
    yield answer;
    if (answer.content.length === 0 || asked + 1 >= totalPages) return;
    bound ??= pagesMax(totalPages);
    if (asked - start >= bound) throw new PorticoError('the collection grows faster than it can be read');
  }
}

export function signedCollection<Item, Query extends object>(
  fetchPage: (query: object) => Promise<NestedPage<Item>>,
): SignedCollection<Item, Query> {
  const pages = (query: Partial<Query> & PageQuery) =>
    pagesFrom(query.page ?? 0, (page) => fetchPage({ ...query, page }));
  return {
    list: (query) => fetchPage(query ?? {}),
    pages: (query) => pages(query ?? ({} as Partial<Query>)), // an empty object is a Partial of anything
    async *items(query) {
      for await (const page of pages({ size: sizeMax, ...query } as Partial<Query> & PageQuery))
        yield* page.content; // the spread forgets the type parameter
    },
  };
}
