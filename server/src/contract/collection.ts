import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { Queryable } from '../db/database.ts';
import { join, type Sql, sql, trusted } from '../db/sql.ts';
import type { ErrorCode } from './catalogue.ts';
import { chainErrors, responses } from './describe.ts';
import { Envelope, LeanEnvelope, ok } from './envelope.ts';
import {
  linkHeader,
  Page,
  type PageRequest,
  type PageShape,
  pageOf,
  pageQuery,
  readPageRequest,
  type Sort,
} from './page.ts';
import { reader, typedQuery } from './validate.ts';

/** A paginated collection, declared once: parsing, SQL, envelope and API description follow from it. */
export type Collection<Record extends TObject, Filters extends TObject, Scope> = {
  record: Record;
  filters: Filters;
  /** Where the filters travel. */
  filtersIn: 'body' | 'query';
  shape: PageShape;
  lean?: true;
  /** Table and alias. */
  from: Sql;
  /** The select list: one expression for each field of the record. */
  columns: { [Field in keyof Static<Record>]: Sql };
  /** Sort keys by field. */
  sortable: { [field: string]: Sql };
  /** Sort keys that may be null, which come last. The others are NOT NULL, so that an index serves both directions. */
  nullable?: readonly string[];
  defaultSort: Sort;
  /** A unique column that ends every order, so that no row is lost or doubled between pages. */
  tieBreak: Sql;
  /** Conditions that keep the caller inside its own data, and those it asked for. */
  where(scope: Scope, filters: Static<Filters>): Sql[];
};

export function collection<Record extends TObject, Filters extends TObject, Scope>(
  declaration: Collection<Record, Filters, Scope>,
): Collection<Record, Filters, Scope> {
  return declaration;
}

type AnyCollection<Scope> = Collection<TObject, TObject, Scope>;
/** What a statement is made of. */
type Selection = Pick<AnyCollection<never>, 'columns' | 'from' | 'nullable' | 'sortable' | 'tieBreak'>;

/** bigint has 8 bytes in PostgreSQL; a page beyond that is beyond every row. */
const offsetMax = 2n ** 63n - 1n;

function orderBy({ sortable, nullable, tieBreak }: Selection, sorts: readonly Sort[]): Sql {
  const keys = sorts.map(({ field, direction }) => {
    const last = nullable?.includes(field) ? sql` nulls last` : sql``;
    return sql`${sortable[field] as Sql} ${trusted(direction)}${last}`; // the reader let only sortable fields pass
  });
  return join([...keys, sql`${tieBreak} ${trusted(sorts[0]?.direction ?? 'asc')}`], sql`, `);
}

function selectList({ columns }: { columns: { [field: string]: Sql } }): Sql {
  const list = Object.entries(columns).map(([field, column]) => sql`${column} as ${trusted(`"${field}"`)}`);
  return join(list, sql`, `);
}

/** One statement, so one snapshot: the page never disagrees with its own total, also past the end. */
export function pageStatement(
  declared: Selection,
  conditions: Sql[],
  { page, size, sort }: PageRequest,
): Sql {
  const where = conditions.length === 0 ? sql`` : sql`where ${join(conditions, sql` and `)}`;
  const offset = page * BigInt(size) > offsetMax ? offsetMax : page * BigInt(size);
  return sql`
    with counted as (select count(*) as total from ${declared.from} ${where})
    select counted.total as "total", rows.*
    from counted left join lateral (
      select true as "isRow", ${selectList(declared)} from ${declared.from} ${where}
      order by ${orderBy(declared, sort)} limit ${size} offset ${offset}::int8
    ) rows on true`;
}

/** One record of a collection, by any condition. */
export async function selectOne<Record extends TObject>(
  db: Queryable,
  declared: Pick<Collection<Record, TObject, never>, 'columns' | 'from' | 'record'>,
  conditions: Sql[],
): Promise<Static<Record> | undefined> {
  const rows = await db.query<Static<Record>>(
    sql`select ${selectList(declared)} from ${declared.from} where ${join(conditions, sql` and `)}`,
  );
  return rows[0];
}

async function selectPage(db: Queryable, declared: Selection, conditions: Sql[], request: PageRequest) {
  const rows = await db.query<{ total: number; isRow: true | null }>(
    pageStatement(declared, conditions, request),
  );
  return { total: rows[0]?.total ?? 0, content: rows.filter((row) => row.isRow !== null) };
}

function keptParameters(query: { [name: string]: unknown }, names: readonly string[]): [string, string][] {
  return names.flatMap((name) => {
    const given = Object.hasOwn(query, name) ? query[name] : undefined;
    return (Array.isArray(given) ? given : [given ?? ''])
      .filter((text) => text !== '')
      .map((text): [string, string] => [name, text]);
  });
}

/** The handler of a collection's endpoint. scopeOf establishes what the caller may see, before anything else is judged. */
export function listHandler<Record extends TObject, Filters extends TObject, Scope>(
  declared: Collection<Record, Filters, Scope>,
  services: { db: Queryable; now(): number },
  scopeOf: (request: FastifyRequest) => Scope | Promise<Scope>,
): RouteHandlerMethod {
  const readFilters = reader(declared.filters);
  const sortable = Object.keys(declared.sortable);
  const kept = ['sort', ...(declared.filtersIn === 'query' ? Object.keys(declared.filters.properties) : [])];
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const scope = await scopeOf(request);
    const query = request.query as { [name: string]: string | string[] | undefined }; // the parser's own result
    const page = readPageRequest(query, sortable, declared.defaultSort);
    const filters = readFilters(
      declared.filtersIn === 'query' ? typedQuery(declared.filters, query) : (request.body as object), // the parser lets only objects pass
    );
    const conditions = declared.where(scope, filters);
    const { content, total } = await selectPage(services.db, declared, conditions, page);
    const path = request.url.split('?', 1)[0] ?? '';
    reply.header('link', linkHeader(path, keptParameters(query, kept), page, total));
    return ok(pageOf(declared.shape, content, total, page), services.now());
  };
}

type Texts = { tags: string[]; summary: string; operationId: string; description: string };

/** The schema of a collection's route: what may be asked, what is answered, and every error, those of its chain included. */
export function listSchema(declared: AnyCollection<never>, texts: Texts, errors: readonly ErrorCode[]) {
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
