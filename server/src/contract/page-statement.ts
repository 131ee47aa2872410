import type { TObject, TSchema } from 'typebox';
import { type Effort, instant, isoTime, join, type Sql, sql, trusted } from '../db/sql.ts';
import type { Direction, Sort } from './page.ts';
import { given } from './page-values.ts';

/** What a filter asks of a row; `given` stands for the value. */
export type Filter = {
  where(given: Sql): Sql;
  /** The same as the text of a dimension of the tally. */
  dimension?(given: Sql): Sql;
  /** From what the client sent to what the database is sent. */
  // biome-ignore lint/suspicious/noExplicitAny: each filter reads the type that its own schema let pass
  read?(value: any): unknown;
};

/** A filter for rows whose column has the value. Nothing equals a value that is found nowhere. */
export function equal(column: Sql, value = (given: Sql) => given, read?: Filter['read']): Filter {
  return {
    where: (given) => sql`${column} = ${value(given)}`,
    dimension: (given) => sql`coalesce((${value(given)})::text, '')`,
    ...(read === undefined ? {} : { read }),
  };
}

/** How a tally of a collection is read. Columns are named in the order in which the migration attached them. */
export type Tally = {
  name: string;
  /** What each column is in the place. */
  scope: { [column: string]: Sql };
  /** What each column is asked to be: by a filter's name, or always the same. */
  dimensions: { [column: string]: string | Sql };
  /** The sort field whose order the tally knows, and the filters by a range of it. */
  time: string;
  from?: string;
  to?: string;
};

/** What a brief statement says instead of a page when there is more to look for than it may. */
export const tooMuch = 'too much';

/** What a page statement is made of. */
export type Selection = {
  record: TObject;
  /** Table and alias. */
  from: Sql;
  /** The select list: one expression for each field of the record. */
  columns: { [field: string]: Sql };
  /** Conditions that hold for every row of the place. */
  within: Sql[];
  filterBy: { [filter: string]: Filter };
  /** Sort keys by field. */
  sortable: { [field: string]: Sql };
  /** Sort keys that may be null, which come last. The others are NOT NULL, so that an index serves both directions. */
  nullable?: readonly string[];
  /** Columns that end every order, the last one unique, so that no row is lost or doubled between pages. */
  tieBreak: Sql[];
  /** The unique one of them. */
  id: Sql;
  tallies?: readonly Tally[];
  /**
   * A statement of its own, where counts are kept in another way. It is brief when its cost depends on no value; or when it looks
   * first, and says `tooMuch` in place of what is missing: then it is asked again as a long one.
   */
  pages?: { statement(place: Sql, shape: Shape, effort: Effort): Sql; isBrief(shape: Shape): boolean };
};

/** The same with the tally that serves what is asked, if there is one. */
type Counted = Selection & { tally: Tally | undefined };

/** What decides the text of a statement: everything else is a parameter. */
export type Shape = { sort: readonly Sort[]; filters: readonly string[]; isFirst: boolean };

/**
 * The tally that knows all filters, so that its totals are exact; best the one in whose order the page is. Where there is none, rows
 * are counted.
 */
export function tallyFor(
  { tallies = [] }: Pick<Selection, 'tallies'>,
  { sort, filters }: Shape,
): Tally | undefined {
  const serving = tallies.filter(({ dimensions, from, to }) => {
    const known = [...Object.values(dimensions), from, to];
    return filters.every((name) => known.includes(name));
  });
  return serving.find(({ time }) => time === sort[0]?.field) ?? serving[0];
}

const reverse = { asc: 'desc', desc: 'asc' } as const;

function orderBy(
  { sortable, nullable, tieBreak }: Selection,
  sorts: readonly Sort[],
  turned: (direction: Direction) => Direction,
): Sql {
  const keys = sorts.map(({ field, direction }) => {
    const nulls = !nullable?.includes(field)
      ? ''
      : turned(direction) === direction
        ? ' nulls last'
        : ' nulls first';
    return sql`${sortable[field] as Sql} ${trusted(turned(direction) + nulls)}`; // the reader let only sortable fields pass
  });
  const last = trusted(turned(sorts[0]?.direction ?? 'asc'));
  const ends = tieBreak.filter((column) => !sorts.some(({ field }) => sortable[field]?.text === column.text));
  return join([...keys, ...ends.map((column) => sql`${column} ${last}`)], sql`, `);
}

function output(column: Sql, schema: TSchema | undefined): Sql {
  const variants = [schema, ...((schema as { anyOf?: TSchema[] } | undefined)?.anyOf ?? [])];
  const isTime = variants.some(
    (variant) => (variant as { format?: string } | undefined)?.format === 'date-time',
  );
  return isTime ? isoTime(column) : column;
}

/** The record as JSON. Only fields of its schema are in it. */
export function recordOf({ record, columns }: Pick<Selection, 'record' | 'columns'>): Sql {
  const list = Object.entries(record.properties).map(
    ([field, schema]) => sql`${output(columns[field] as Sql, schema)} as ${trusted(`"${field}"`)}`, // declared for each field
  );
  return join(list, sql`, `);
}

export function conditions(
  { within, filterBy }: Pick<Selection, 'within' | 'filterBy'>,
  filters: readonly string[],
): Sql {
  const asked = filters.map((name) => (filterBy[name] as Filter).where(given('filter', name))); // the reader let only these pass
  return join([sql`true`, ...within, ...asked], sql` and `);
}

const servesOrder = ({ tally }: Counted, sort: readonly Sort[]) =>
  tally !== undefined && sort.length === 1 && sort[0]?.field === tally.time;

/** The dimensions that are asked for, as texts by their place; null where any value will do. */
function askedDimensions({ tally, filterBy }: Counted, filters: readonly string[]): (Sql | null)[] {
  return Object.values(tally?.dimensions ?? {}).map((dimension) => {
    if (typeof dimension !== 'string') return dimension;
    return filters.includes(dimension)
      ? (filterBy[dimension]?.dimension?.(given('filter', dimension)) ?? null)
      : null;
  });
}

const textArray = (texts: readonly (Sql | null)[]) =>
  sql`array[${join(
    texts.map((text) => text ?? sql`null`),
    sql`, `,
  )}]::text[]`;

/** A total: what was folded, and what waits. */
function total(declared: Counted, filters: readonly string[]): Sql {
  const { tally, from } = declared;
  if (tally === undefined) return sql`(select count(*) from ${from} where ${conditions(declared, filters)})`;
  const dimensions = askedDimensions(declared, filters);
  const matches = dimensions.flatMap((text, index) =>
    text === null ? [] : [sql` and d.dims[${trusted(String(index + 1))}] = (${text})::text`],
  );
  const scope = textArray(Object.values(tally.scope));
  return sql`
    coalesce((select t.n from tally_totals t where t.tally = ${tally.name} and t.scope = ${scope} and t.dims = ${textArray(dimensions)}), 0)
    + coalesce((select sum(d.n) from tally_deltas d where d.tally = ${tally.name} and d.scope = ${scope}${join(matches, sql``)}), 0)`;
}

/** Where the page is: found by the tally, or, where none serves, by counting. */
function seek(declared: Counted, { sort, filters }: Shape): Sql {
  const { tally } = declared;
  const page = sql`${given('page', 'offset')}::int8, ${given('page', 'size')}::int`;
  if (tally === undefined)
    return sql`select ${total(declared, filters)} as total, true as forward, ${given('page', 'offset')}::int8 as skip, ${given('page', 'size')}::int as take from place`;
  const bound = (name: string | undefined) =>
    name !== undefined && filters.includes(name) ? instant(given('filter', name)) : sql`null`;
  const walks = servesOrder(declared, sort);
  const flags = trusted(`${walks}, ${walks && sort[0]?.direction === 'desc'}`);
  return sql`
    select s.* from place, lateral tally_seek(${tally.name}, ${textArray(Object.values(tally.scope))}, ${textArray(askedDimensions(declared, filters))},
      ${bound(tally.from)}, ${bound(tally.to)}, ${flags}, ${page}) s`;
}

/** Ids first, from the index alone, forward or backward, whichever end is nearer; rows are fetched for the page only. */
function pickIds(declared: Counted, { sort, filters }: Shape): Sql {
  const { from, id, tally, sortable } = declared;
  const walks = servesOrder(declared, sort);
  const range = [tally?.from, tally?.to];
  const where = conditions(declared, walks ? filters.filter((name) => !range.includes(name)) : filters);
  const time = sortable[tally?.time ?? ''] ?? id;
  const bounds = walks
    ? { forward: sql` and ${time} >= seek.first_time`, backward: sql` and ${time} < seek.end_time` }
    : { forward: sql``, backward: sql`` };
  const branch = (way: 'forward' | 'backward') => {
    const turned = (asked: Direction): Direction => {
      const ahead = walks ? 'asc' : asked;
      return way === 'forward' ? ahead : reverse[ahead];
    };
    const isAsked = sort[0] === undefined || turned(sort[0].direction) === sort[0].direction;
    const take = trusted(
      way === 'forward'
        ? 'case when seek.forward then seek.take else 0 end'
        : 'case when seek.forward then 0 else seek.take end',
    );
    return sql`select found.id, ${trusted(isAsked ? '' : '-')}row_number() over () as position from (
      select ${id} as id from ${from} where ${where}${bounds[way]} order by ${orderBy(declared, sort, turned)}
      limit ${take} offset seek.skip) found`;
  };
  return tally === undefined ? branch('forward') : sql`${branch('forward')} union all ${branch('backward')}`;
}

const hasRange = ({ tally }: Counted, filters: readonly string[]) =>
  [tally?.from, tally?.to].some((name) => name !== undefined && filters.includes(name));

/** Nothing to look for: the page begins where the order does. */
function firstPage(declared: Counted, place: Sql, { sort, filters }: Shape): Sql {
  return sql`
    with place as materialized (${place})
    select place.missing, ${total(declared, filters)} as total, (
      select json_agg(record)::text from (
        select ${recordOf(declared)} from ${declared.from} where ${conditions(declared, filters)}
        order by ${orderBy(declared, sort, (direction) => direction)} limit ${given('page', 'size')}::int
      ) record) as content
    from place`;
}

/** The planner cannot know how few rows a page has: a limit inside each fetch keeps it from joining by reading the table. */
function laterPage(declared: Counted, place: Sql, shape: Shape): Sql {
  return sql`
    with place as materialized (${place}), seek as materialized (${seek(declared, shape)})
    select place.missing, seek.total, rows.content
    from place left join seek on true left join lateral (
      select json_agg(record order by position)::text as content from (${pickIds(declared, shape)}) picked cross join lateral (
        select ${recordOf(declared)} from ${declared.from} where ${declared.id} = picked.id limit 1
      ) record
    ) rows on true`;
}

/**
 * One statement, so one snapshot: whether the caller may look, the exact total, and the page as JSON, or null when it has no
 * rows. `place` is a statement of one row, whose column `missing` says why its caller may not look.
 */
export function pageStatement(declared: Selection, place: Sql, shape: Shape, effort: Effort = 'brief'): Sql {
  if (declared.pages !== undefined) return declared.pages.statement(place, shape, effort);
  const served = { ...declared, tally: tallyFor(declared, shape) };
  return shape.isFirst && !hasRange(served, shape.filters)
    ? firstPage(served, place, shape)
    : laterPage(served, place, shape);
}

/** One record by any condition, as it stands in a page. */
export function recordStatement(declared: Pick<Selection, 'record' | 'columns' | 'from'>, where: Sql[]): Sql {
  return sql`select to_json(record) as record from (
    select ${recordOf(declared)} from ${declared.from} where ${join(where, sql` and `)}) record`;
}

/** The same of a row that a statement has at hand, such as one that it has just written. */
export const recordAtHand = (declared: Pick<Selection, 'record' | 'columns'>): Sql =>
  sql`(select to_json(record) from (select ${recordOf(declared)}) record)`;

/** The same of a place: one row that says why its caller may not look, or has the record, or null when there is none. */
export function placedRecordStatement(
  declared: Pick<Selection, 'record' | 'columns' | 'from'>,
  place: Sql,
  where: Sql[],
): Sql {
  return sql`
    with place as materialized (${place})
    select place.missing, (${recordStatement(declared, where)}) as record from place`;
}
