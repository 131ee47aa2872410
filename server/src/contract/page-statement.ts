import type { TObject, TSchema } from 'typebox';
import { join, parameter, type Sql, sql, trusted } from '../db/sql.ts';
import type { Direction, Sort } from './page.ts';

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

/** How the tally of a collection is read; the migration that attached it has the other half. */
export type Tally = {
  name: string;
  /** Texts of the scope, and of each dimension: a filter by its name, or what it always is. */
  scope: Sql[];
  dimensions: (string | Sql)[];
  /** The sort field whose order the tally knows, and the filters by a range of it. */
  time: string;
  from?: string;
  to?: string;
};

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
  tally?: Tally;
};

/** What decides the text of a statement: everything else is a parameter. */
export type Shape = { sort: readonly Sort[]; filters: readonly string[] };

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

/** Times leave in ISO 8601 with milliseconds, which is no form of PostgreSQL's own. */
function output(column: Sql, schema: TSchema | undefined): Sql {
  const variants = [schema, ...((schema as { anyOf?: TSchema[] } | undefined)?.anyOf ?? [])];
  const isTime = variants.some(
    (variant) => (variant as { format?: string } | undefined)?.format === 'date-time',
  );
  return isTime ? sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : column;
}

/** The record as JSON. Only fields of its schema are in it. */
function recordOf({ record, columns }: Pick<Selection, 'record' | 'columns'>): Sql {
  const list = Object.entries(record.properties).map(
    ([field, schema]) => sql`${output(columns[field] as Sql, schema)} as ${trusted(`"${field}"`)}`, // declared for each field
  );
  return join(list, sql`, `);
}

function conditions({ within, filterBy }: Selection, filters: readonly string[]): Sql {
  const asked = filters.map((name) => (filterBy[name] as Filter).where(parameter(name))); // the reader let only these pass
  return join([sql`true`, ...within, ...asked], sql` and `);
}

const servesOrder = ({ tally }: Selection, sort: readonly Sort[]) =>
  tally !== undefined && sort.length === 1 && sort[0]?.field === tally.time;

/** Where the page is: counted by the tally, or, for a table that does not grow, by counting. */
function seek(declared: Selection, { sort, filters }: Shape): Sql {
  const { tally, filterBy, from } = declared;
  const page = sql`${parameter('offset')}::int8, ${parameter('size')}::int`;
  if (tally === undefined) {
    const where = conditions(declared, filters);
    return sql`
      select c.total, true as forward, ${parameter('offset')}::int8 as skip, ${parameter('size')}::int as take
      from place, lateral (select count(*) as total from ${from} where ${where}) c`;
  }
  const given = (name: string | undefined) => name !== undefined && filters.includes(name);
  const dimensions = tally.dimensions.map((dimension) => {
    if (typeof dimension !== 'string') return dimension;
    return given(dimension)
      ? (filterBy[dimension]?.dimension?.(parameter(dimension)) ?? sql`null`)
      : sql`null`;
  });
  const bound = (name: string | undefined) =>
    given(name) ? sql`to_timestamp(${parameter(name as string)}::float8 / 1000)` : sql`null`; // given only when named
  const walks = servesOrder(declared, sort);
  const flags = trusted(`${walks}, ${walks && sort[0]?.direction === 'desc'}`);
  return sql`
    select s.* from place, lateral tally_seek(${tally.name}, array[${join(tally.scope, sql`, `)}]::text[],
      array[${join(dimensions, sql`, `)}]::text[], ${bound(tally.from)}, ${bound(tally.to)}, ${flags}, ${page}) s`;
}

/** Ids first, from the index alone, forward or backward, whichever end is nearer; rows are fetched for the page only. */
function pickIds(declared: Selection, { sort, filters }: Shape): Sql {
  const { from, id, tally, sortable } = declared;
  const walks = servesOrder(declared, sort);
  const where = conditions(
    declared,
    walks ? filters.filter((name) => name !== tally?.from && name !== tally?.to) : filters,
  );
  const branch = (isForward: boolean) => {
    const order = walks
      ? orderBy(declared, sort, () => (isForward ? 'asc' : 'desc'))
      : orderBy(declared, sort, (direction) => (isForward ? direction : reverse[direction]));
    const time = walks ? (sortable[tally?.time ?? ''] as Sql) : sql``; // the tally's time is sortable
    const near = !walks
      ? sql``
      : isForward
        ? sql` and ${time} >= seek.first_time`
        : sql` and ${time} < seek.end_time`;
    return sql`(select ${id} as id from ${from} where ${where}${near} order by ${order}
      limit case when seek.forward then ${trusted(isForward ? 'seek.take else 0' : '0 else seek.take')} end offset seek.skip)`;
  };
  return tally === undefined ? branch(true) : sql`${branch(true)} union all ${branch(false)}`;
}

/**
 * One statement, so one snapshot: whether the caller may look, the exact total, and the page as JSON. `place` is a
 * statement of one row, whose column `missing` says why its caller may not.
 */
export function pageStatement(declared: Selection, place: Sql, shape: Shape): Sql {
  const order = orderBy(declared, shape.sort, (direction) => direction);
  return sql`
    with place as materialized (${place}), seek as materialized (${seek(declared, shape)})
    select place.missing, seek.total, coalesce(rows.content, '[]') as content
    from place left join seek on true left join lateral (
      select json_agg(record)::text as content from (
        select ${recordOf(declared)} from (${pickIds(declared, shape)}) picked join ${declared.from} on ${declared.id} = picked.id
        order by ${order}
      ) record
    ) rows on true`;
}

/** One record by any condition, as it stands in a page. */
export function recordStatement(declared: Pick<Selection, 'record' | 'columns' | 'from'>, where: Sql[]): Sql {
  return sql`select to_json(record) as record from (
    select ${recordOf(declared)} from ${declared.from} where ${join(where, sql` and `)}) record`;
}
