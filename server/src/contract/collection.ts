import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { Asker, Executor, Queryable } from '../db/database.ts';
import { type Prepared, prepare, prepareOnce, type Sql, sql } from '../db/sql.ts';
import type { ApiError } from './api-error.ts';
import type { ErrorCode } from './catalogue.ts';
import { chainErrors, responses } from './describe.ts';
import { Envelope, LeanEnvelope, okText } from './envelope.ts';
import {
  linkHeader,
  Page,
  type PageRequest,
  type PageShape,
  pageQuery,
  pageText,
  readPageRequest,
  type Sort,
} from './page.ts';
import { pageStatement, recordStatement, type Selection, type Shape } from './page-statement.ts';
import { bagOf } from './page-values.ts';
import { serving } from './served.ts';
import { reader, typedQuery } from './validate.ts';

/** Where a caller may look. It is found out in the statement that reads the page. */
export type Place<Values extends object> = {
  /** One row, joined as `place`; its column `missing` is null, or says why the caller may not look. */
  select: Sql;
  refusal(missing: string): ApiError;
  /** Whose share of what all use together a question takes. */
  asker(values: Values): string;
  /** Never set: the values of the parameters that the statement has. */
  values?: Values;
};

/** A paginated collection, declared once: parsing, SQL, envelope and API description follow from it. */
export type Collection<Record extends TObject, Filters extends TObject, Values extends object> = Omit<
  Selection,
  'record' | 'columns'
> & {
  record: Record;
  filters: Filters;
  /** Where the filters travel. */
  filtersIn: 'body' | 'query';
  shape: PageShape;
  lean?: true;
  columns: { [Field in keyof Static<Record>]: Sql };
  defaultSort: Sort;
  place: Place<Values>;
  /** A place has so few rows that every order of them is soon made. Without it, some orders take the slow lane. */
  isSmall?: true;
};

export function collection<Record extends TObject, Filters extends TObject, Values extends object>(
  declaration: Collection<Record, Filters, Values>,
): Collection<Record, Filters, Values> {
  return declaration;
}

type AnyCollection = Collection<TObject, TObject, object>;

/** bigint has 8 bytes in PostgreSQL; a page beyond that is beyond every row. */
const offsetMax = 2n ** 63n - 1n;

/** One record of a collection, by any condition. */
export async function selectOne<Record extends TObject>(
  db: Queryable,
  declared: Pick<Collection<Record, TObject, never>, 'columns' | 'from' | 'record'>,
  conditions: Sql[],
): Promise<Static<Record> | undefined> {
  const [row] = await db.query<{ record: Static<Record> }>(recordStatement(declared, conditions));
  return row?.record;
}

/**
 * A statement whose cost and best plan depend on no value, and of which there are few, is prepared and kept: the first page in
 * one order, and any page in the order of the tally. Of the others the planner sees the values.
 */
function createStatements({ place, isSmall, ...selection }: AnyCollection) {
  const known = new Map<string, Prepared>();
  const isBrief = ({ sort, filters, isFirst }: Shape) =>
    sort.length === 1 && (sort[0]?.field === selection.tally?.time || (isFirst && filters.length === 0));
  return (shape: Shape): Prepared => {
    if (!isBrief(shape))
      return prepareOnce(pageStatement(selection, place.select, shape), isSmall ? 'brief' : 'long');
    const [sort] = shape.sort;
    const key = `${shape.isFirst} ${sort?.field} ${sort?.direction} ${shape.filters.join(' ')}`;
    const found = known.get(key) ?? prepare(pageStatement(selection, place.select, shape));
    known.set(key, found);
    return found;
  };
}

type RawQuery = { [name: string]: string | string[] | undefined };
type Asked = { page: PageRequest; filters: { [name: string]: unknown } };
type Row = { missing: string | null; total: number | null; content: string | null };

function createSelect(declared: AnyCollection, db: Executor) {
  const { filterBy, place } = declared;
  const statementOf = createStatements(declared);
  const placeStatement = prepare(sql`select missing from (${place.select}) place`);
  const filterNames = Object.keys(filterBy);
  const refuse = (row: { missing: string | null } | undefined) => {
    if (row?.missing !== null) throw place.refusal(row?.missing ?? 'place');
  };
  return {
    async selectPage(values: object, { page: { page, size, sort }, filters }: Asked, asker: Asker) {
      const given = filterNames.filter((name) => filters[name] !== undefined);
      const offset = page * BigInt(size);
      const read = (name: string) => filterBy[name]?.read?.(filters[name]) ?? filters[name];
      const bag = bagOf({
        place: values,
        filter: Object.fromEntries(given.map((name) => [name, read(name)])),
        page: { offset: offset > offsetMax ? offsetMax : offset, size },
      });
      const statement = statementOf({ sort, filters: given, isFirst: page === 0n });
      const [row] = await db.execute<Row>(statement, bag, asker);
      refuse(row);
      return { total: row?.total ?? 0, content: row?.content ?? '[]' };
    },
    async checkPlace(values: object, asker: Asker) {
      const bag = bagOf({ place: values, filter: {}, page: { offset: 0, size: 0 } });
      const [row] = await db.execute<Row>(placeStatement, bag, asker);
      refuse(row);
    },
  };
}

function keptParameters(query: { [name: string]: unknown }, names: readonly string[]): [string, string][] {
  return names.flatMap((name) => {
    const given = Object.hasOwn(query, name) ? query[name] : undefined;
    return (Array.isArray(given) ? given : [given ?? ''])
      .filter((text) => text !== '')
      .map((text): [string, string] => [name, text]);
  });
}

/** Reads what is asked of a collection, from a request whose place is known. */
function createReadAsked({ filters, filtersIn, sortable, defaultSort }: AnyCollection) {
  const readFilters = reader(filters);
  const sortFields = Object.keys(sortable);
  return ({ body }: FastifyRequest, query: RawQuery): Asked => ({
    page: readPageRequest(query, sortFields, defaultSort),
    filters: readFilters(filtersIn === 'query' ? typedQuery(filters, query) : (body as object)), // the parser lets only objects pass
  });
}

/** Aborted when the client has gone, or has its answer. */
function leavingOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (raw.destroyed) controller.abort();
  else raw.once('close', () => controller.abort());
  return controller.signal;
}

/** The handler of a collection's endpoint. valuesOf gives what the place asks for. */
export function listHandler<Record extends TObject, Filters extends TObject, Values extends object>(
  collection: Collection<Record, Filters, Values>,
  services: { db: Executor; now(): number },
  valuesOf: (request: FastifyRequest) => Values,
): RouteHandlerMethod {
  const declared = collection as unknown as AnyCollection; // the values of its place are only handed on
  const { selectPage, checkPlace } = createSelect(declared, services.db);
  const readAsked = createReadAsked(declared);
  const kept = ['sort', ...(declared.filtersIn === 'query' ? Object.keys(declared.filters.properties) : [])];
  return serving(declared, async (request: FastifyRequest, reply: FastifyReply) => {
    const values = valuesOf(request);
    const asker = { id: declared.place.asker(values), leaving: () => leavingOf(reply) };
    const query = request.query as RawQuery; // the parser's own result
    let asked: Asked;
    try {
      asked = readAsked(request, query);
    } catch (refusal) {
      await checkPlace(values, asker); // whether the caller may look is judged before what it asks
      throw refusal;
    }
    const { content, total } = await selectPage(values, asked, asker);
    const path = request.url.split('?', 1)[0] ?? '';
    reply.header('link', linkHeader(path, keptParameters(query, kept), asked.page, total));
    reply.header('content-type', 'application/json; charset=utf-8');
    const page = pageText(declared.shape, content, total, asked.page);
    return okText(page, declared.lean === true ? undefined : services.now());
  });
}

type Texts = { tags: string[]; summary: string; operationId: string; description: string };

/** The schema of a collection's route: what may be asked, what is answered, and every error, those of its chain included. */
export function listSchema(
  declared: Pick<
    AnyCollection,
    'record' | 'filters' | 'filtersIn' | 'shape' | 'lean' | 'sortable' | 'defaultSort'
  >,
  texts: Texts,
  errors: readonly ErrorCode[],
) {
  const page = pageQuery(Object.keys(declared.sortable), declared.defaultSort);
  const data = Page(declared.record, declared.shape);
  const inQuery = declared.filtersIn === 'query';
  const success = declared.lean ? LeanEnvelope(data) : Envelope(data);
  return {
    ...texts,
    ...(inQuery ? {} : { body: declared.filters }),
    querystring: inQuery
      ? { ...page, properties: { ...page.properties, ...declared.filters.properties } }
      : page,
    response: responses(200, success, [...errors, ...chainErrors.page], { hasBody: !inQuery }),
  };
}
