import { conditions, recordOf, type Selection, type Shape, tooMuch } from '../../contract/page-statement.ts';
import { given } from '../../contract/page-values.ts';
import { type Effort, instant, type Sql, sql, trusted } from '../../db/sql.ts';
import { areMany, firstSeries } from '../../requests/size.ts';

type Requests = Omit<Selection, 'pages'>;

/** Of the row, and not of its series. */
const ofRows = ['requestId', 'from', 'to'];

/** Rows of the place by the id of the request, which the index has as a hash. */
export const byRequestId = (id: Sql): Sql =>
  sql`r.workspace_id = place.workspace_id and hashtextextended(r.request_id, 0) = hashtextextended(${id}, 0) and r.request_id = ${id}`;

/** All series of the place that filters leave, or those of them among the first of the place, with how many these are. */
function chosenSeries(declared: Requests, filters: readonly string[], isBounded: boolean): Sql {
  const isCounted = filters.includes('apiKeyId') ? sql`true` : sql`s.api_key_id = ''`;
  const ofSeries = filters.filter((name) => !ofRows.includes(name));
  const within = isBounded ? [] : [sql`s.workspace_id = place.workspace_id`];
  const where = conditions({ ...declared, within }, ofSeries);
  const chosen = sql`coalesce(array_agg(s.id) filter (where ${isCounted} and ${where}), '{}') as counted,
    coalesce(array_agg(s.id) filter (where s.api_key_id <> '' and ${where}), '{}') as walked,
    coalesce(sum(s.n) filter (where ${isCounted} and ${where}), 0)::int8 as n`;
  return isBounded
    ? sql`select ${chosen}, ${areMany(sql`count(*)`)} as are_many from ${firstSeries(sql`place.workspace_id`)} s`
    : sql`select ${chosen}, false as are_many from request_series s where ${where}`;
}

/**
 * The series, and then where in them the page is. What names no key is counted by the series of all keys. A key has few series, all
 * keys may have any number: a brief statement looks at a few, and finds nothing where there are more.
 */
function seekPage(declared: Requests, place: Sql, { sort, filters }: Shape, effort: Effort): Sql {
  const bound = (name: string) => (filters.includes(name) ? instant(given('filter', name)) : sql`null`);
  const isBounded = effort === 'brief' && !filters.includes('apiKeyId');
  return sql`
    with place as materialized (${place})
    select case when series.are_many then ${trusted(`'${tooMuch}'`)} else place.missing end as missing, page.total, (
      select json_agg(record order by r.position)::text
      from unnest(page.picked) with ordinality
        as r(id, series_id, workspace_id, occurred_at, request_id, method, route, status, duration_ms, ip_address, position)
      cross join lateral (
        select ${recordOf(declared)} from request_series s left join api_keys k on k.id = s.api_key_id where s.id = r.series_id
      ) record) as content
    from place cross join lateral (${chosenSeries(declared, filters, isBounded)}) series
    cross join lateral request_page(case when not series.are_many then series.counted else '{}' end, series.walked,
      case when series.are_many then 0 else series.n end, ${bound('from')}, ${bound('to')},
      ${trusted(String(sort[0]?.direction === 'desc'))}, ${given('page', 'offset')}::int8, ${given('page', 'size')}::int) page`;
}

/** An id has one row, unless a trusted proxy gives it to many requests: then they are counted. */
function foundById(declared: Requests, place: Sql, { sort, filters }: Shape): Sql {
  const direction = trusted(sort[0]?.direction ?? 'desc');
  const within = [byRequestId(given('filter', 'requestId'))];
  const where = conditions(
    { ...declared, within },
    filters.filter((name) => name !== 'requestId'),
  );
  return sql`
    with place as materialized (${place})
    select place.missing, (select count(*) from ${declared.from} where ${where}) as total, (
      select json_agg(record)::text from (
        select ${recordOf(declared)} from ${declared.from} where ${where}
        order by r.occurred_at ${direction}, r.id ${direction} limit ${given('page', 'size')}::int offset ${given('page', 'offset')}::int8
      ) record) as content
    from place`;
}

/** The pages of the list of requests (docs/decisions/0055-requests.md). */
export const pagesOf = (declared: Requests): NonNullable<Selection['pages']> => ({
  isBrief: ({ filters }) => !filters.includes('requestId'),
  statement: (place, shape, effort) =>
    shape.filters.includes('requestId')
      ? foundById(declared, place, shape)
      : seekPage(declared, place, shape, effort),
});
