import type { Static, TObject } from 'typebox';
import type { Asker, Executor, Queryable } from '../db/database.ts';
import { filled, named, type Prepared, prepareOnce, type Sql } from '../db/sql.ts';
import type { PageRequest, PageShape, Sort } from './page.ts';
import {
  pageStatement,
  recordStatement,
  type Selection,
  type Shape,
  tallyFor,
  tooMuch,
} from './page-statement.ts';
import { bagOf } from './page-values.ts';
import { type Place, refuseMissing } from './place.ts';

/** A paginated collection, declared once: parsing, SQL, envelope and API description follow from it. */
export type Collection<Record extends TObject, Filters extends TObject, Caller, Values extends object> = Omit<
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
  place: Place<Caller, Values>;
  /** A place has so few rows that every order of them is soon made. Without it, some orders take the slow lane. */
  isSmall?: true;
};

export function collection<Record extends TObject, Filters extends TObject, Caller, Values extends object>(
  declaration: Collection<Record, Filters, Caller, Values>,
): Collection<Record, Filters, Caller, Values> {
  return declaration;
}

export type AnyCollection = Collection<TObject, TObject, unknown, object>;

/** bigint has 8 bytes in PostgreSQL; a page beyond that is beyond every row. */
const offsetMax = 2n ** 63n - 1n;

/** One record of a collection, by any condition; of a name where it is asked for often. */
export async function selectOne<Record extends TObject>(
  db: Queryable,
  declared: Pick<Collection<Record, TObject, never, never>, 'columns' | 'from' | 'record'>,
  conditions: Sql[],
  nowMs: number,
  name?: string,
): Promise<Static<Record> | undefined> {
  const statement = filled(recordStatement(declared, conditions), bagOf({ clock: { nowMs } }));
  const [row] = await db.query<{ record: Static<Record> }>(
    name === undefined ? statement : named(name, statement),
  );
  return row?.record;
}

/**
 * A statement whose cost and best plan depend on no value, and of which there are few, is prepared and kept: the first page in
 * one order, and any page in the order of a tally. Of the others the planner sees the values.
 */
function createStatements({ place, isSmall, ...selection }: AnyCollection, db: Executor) {
  const known = new Map<string, Prepared>();
  const isBrief = (shape: Shape) =>
    selection.pages?.isBrief(shape) ??
    (shape.sort.length === 1 &&
      (shape.sort[0]?.field === tallyFor(selection, shape)?.time ||
        (shape.isFirst && shape.filters.length === 0)));
  const long = (shape: Shape) =>
    prepareOnce(pageStatement(selection, place.select, shape, 'long'), isSmall ? 'brief' : 'long');
  const first = (shape: Shape): Prepared => {
    if (!isBrief(shape)) return long(shape);
    const [sort] = shape.sort;
    const key = `${shape.isFirst} ${sort?.field} ${sort?.direction} ${shape.filters.join(' ')}`;
    const found = known.get(key) ?? db.prepare(pageStatement(selection, place.select, shape));
    known.set(key, found);
    return found;
  };
  return { first, long };
}

/** What is asked of a collection. */
export type PageAsked = { page: PageRequest; filters: { [name: string]: unknown } };
type Row = { missing: string | null; total: number | null; content: string | null };

/** Reads a page of the place, or refuses. */
export function createSelectPage(declared: AnyCollection, { db, now }: { db: Executor; now(): number }) {
  const { filterBy, place, defaultSort } = declared;
  const statements = createStatements(declared, db);
  // Most are asked for these, so they are made before anybody asks.
  for (const isFirst of [true, false]) statements.first({ sort: [defaultSort], filters: [], isFirst });
  const filterNames = Object.keys(filterBy);
  return async (values: object, { page: { page, size, sort }, filters }: PageAsked, asker: Asker) => {
    const given = filterNames.filter((name) => filters[name] !== undefined);
    const offset = page * BigInt(size);
    const read = (name: string) => filterBy[name]?.read?.(filters[name]) ?? filters[name];
    const bag = bagOf({
      place: values,
      filter: Object.fromEntries(given.map((name) => [name, read(name)])),
      page: { offset: offset > offsetMax ? offsetMax : offset, size },
      clock: { nowMs: now() },
    });
    const shape = { sort, filters: given, isFirst: page === 0n };
    const ask = async (statement: Prepared) => (await db.execute<Row>(statement, bag, asker))[0];
    const row = await ask(statements.first(shape));
    const found = row?.missing === tooMuch ? await ask(statements.long(shape)) : row;
    const { total, content } = refuseMissing(place, found);
    return { total: total ?? 0, content: content ?? '[]' };
  };
}
