import { type Answer, type Answered, dataOf } from './answer.ts';
import type { CallOptions } from './call-options.ts';
import type { Envelope, NestedPage, PageQuery } from './envelope.ts';
import { PorticoError } from './errors.ts';
import type { SignedCaller } from './signed-caller.ts';
import { queryString } from './wire.ts';

export interface SignedCollection<Item, Query> {
  list(query?: Query & PageQuery, options?: CallOptions): Answer<NestedPage<Item>>;
  /** From the page asked for, or the first, to the last. */
  pages(query?: Query & PageQuery, options?: CallOptions): AsyncIterableIterator<NestedPage<Item>>;
  /** The same one by one, fetched in pages of 100 unless told otherwise. */
  items(query?: Query & PageQuery, options?: CallOptions): AsyncIterableIterator<Item>;
}

const sizeMax = 100;

/** A collection may grow while it is read; beyond this it grows faster than it is read. */
const pagesMax = (first: number) => first * 2 + 1000;

type AskPage<Item> = (
  page: number,
  until: string | undefined,
) => Promise<Answered<Envelope<NestedPage<Item>>>>;

/** All pages but the first end where the service's clock stood then. */
async function* pagesFrom<Item>(
  start: number,
  ask: AskPage<Item>,
): AsyncGenerator<NestedPage<Item>, void, undefined> {
  let bound: number | undefined;
  let until: string | undefined;
  for (let asked = start; ; asked++) {
    const { timestamp, data: answer } = (await ask(asked, until)).data;
    until ??= new Date(timestamp).toISOString();
    const { number, totalPages } = answer.page;
    if (number !== asked) throw new PorticoError(`page ${number} was answered when ${asked} was asked for`);
    yield answer;
    if (answer.content.length === 0 || asked + 1 >= totalPages) return;
    bound ??= pagesMax(totalPages);
    if (asked - start >= bound) throw new PorticoError('the collection grows faster than it can be read');
  }
}

/** The earlier one. */
function earlier(given: unknown, until: string): unknown {
  return typeof given === 'string' && Date.parse(given) < Date.parse(until) ? given : until;
}

/**
 * `until` is the filter, if there is one, that keeps new records out while pages are read: what arrives would shift the rest.
 * What was being written at that very moment still may, by less than a page, so `items` leaves out what it has just given.
 */
export function signedCollection<Item extends object, Query extends object>(
  caller: SignedCaller,
  path: string,
  id: keyof Item,
  until?: string,
): SignedCollection<Item, Query> {
  const ask = (query: object, options: CallOptions) =>
    caller.read<NestedPage<Item>>(`${path}${queryString(query)}`, options);
  const pages = (query: PageQuery & { [filter: string]: unknown }, options: CallOptions) =>
    pagesFrom(query.page ?? 0, (page, pinned) => {
      const pin = until && pinned ? { [until]: earlier(query[until], pinned) } : {};
      return ask({ ...query, ...pin, page }, options);
    });
  return {
    list: (query = {} as Query & PageQuery, options = {}) => dataOf(ask(query, options)), // each of its members is optional
    pages: (query, options = {}) => pages({ ...query }, options),
    async *items(query, options = {}) {
      let before = new Set<unknown>();
      for await (const { content } of pages({ size: sizeMax, ...query }, options)) {
        for (const item of content) if (!before.has(item[id])) yield item;
        before = new Set(content.map((item) => item[id]));
      }
    },
  };
}
