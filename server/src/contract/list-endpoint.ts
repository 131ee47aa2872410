import type { RouteOptions } from 'fastify';
import { type TObject, Type } from 'typebox';
import type { Executor } from '../db/database.ts';
import { type AnyCollection, type Collection, createSelectPage, type PageAsked } from './collection.ts';
import { type Described, describeRoute, type Texts } from './describe.ts';
import type { Access } from './endpoint.ts';
import { Envelope, LeanEnvelope, okText } from './envelope.ts';
import { linkHeader, Page, pageErrors, pageQuery, pageText, readPageRequest } from './page.ts';
import { type Asked, askedOf, createPlaceCheck, leavingOf } from './place.ts';
import type { RawQuery } from './query.ts';
import { serving } from './served.ts';
import { reader, typedQuery } from './validate.ts';

type List<Caller> = Texts &
  Pick<Described, 'method' | 'url' | 'path'> & {
    access: Access<Caller>;
  };

const headers = {
  Link: Type.String({
    description: 'RFC 8288 links to the pages first, prev, next and last, as far as they exist.',
    examples: ['</api/v1/things?page=1&size=20>; rel="next", </api/v1/things?page=3&size=20>; rel="last"'],
  }),
};

function keptParameters(query: RawQuery, names: readonly string[]): [string, string][] {
  return names.flatMap((name) => {
    const given = Object.hasOwn(query, name) ? query[name] : undefined;
    return (Array.isArray(given) ? given : [given ?? ''])
      .filter((text) => text !== '')
      .map((text): [string, string] => [name, text]);
  });
}

/** Reads what is asked of a collection, from a request whose place is known. */
function createReadPage({ filters, filtersIn, sortable, defaultSort }: AnyCollection) {
  const readFilters = reader(filters);
  const sortFields = Object.keys(sortable);
  return ({ body, query }: Asked): PageAsked => ({
    page: readPageRequest(query, sortFields, defaultSort),
    filters: readFilters(filtersIn === 'query' ? typedQuery(filters, query) : body),
  });
}

/** What may be asked, and what is answered. */
function describeList(declared: AnyCollection) {
  const { record, filters, filtersIn, shape, lean, sortable, defaultSort, place } = declared;
  const page = pageQuery(Object.keys(sortable), defaultSort);
  const data = Page(record, shape);
  const inQuery = filtersIn === 'query';
  return {
    query: inQuery ? Type.Object({ ...page.properties, ...filters.properties }) : page,
    ...(inQuery ? {} : { body: filters }),
    success: lean ? LeanEnvelope(data) : Envelope(data),
    headers,
    errors: [...place.errors, ...pageErrors],
  };
}

/** The route of a collection. */
export function listEndpoint<Record extends TObject, Filters extends TObject, Caller, Values extends object>(
  collection: Collection<Record, Filters, Caller, Values>,
  { access, ...list }: List<Caller>,
  services: { db: Executor; now(): number },
): RouteOptions {
  const declared = collection as unknown as AnyCollection; // who calls and the values of the place are only handed on
  const selectPage = createSelectPage(declared, services);
  const checkPlace = createPlaceCheck(declared.place, services.db);
  const readPage = createReadPage(declared);
  const kept = ['sort', ...(declared.filtersIn === 'query' ? Object.keys(declared.filters.properties) : [])];
  return {
    ...describeRoute({ ...list, config: access.config, ...describeList(declared) }),
    handler: serving(declared, async (request, reply) => {
      const asked = askedOf(request);
      const values = collection.place.at(access.callerOf(request), asked);
      const asker = { id: collection.place.asker(values), leaving: () => leavingOf(reply) };
      let page: PageAsked;
      try {
        page = readPage(asked);
      } catch (refusal) {
        await checkPlace(values, asker); // whether the caller may look is judged before what it asks
        throw refusal;
      }
      const { content, total } = await selectPage(values, page, asker);
      const path = request.url.split('?', 1)[0] ?? '';
      reply.header('link', linkHeader(path, keptParameters(asked.query, kept), page.page, total));
      reply.header('content-type', 'application/json; charset=utf-8');
      const text = pageText(declared.shape, content, total, page.page);
      return okText(text, declared.lean === true ? undefined : services.now());
    }),
  };
}
