import { conditions, recordOf, type Selection, type Shape } from '../../contract/page-statement.ts';
import { given } from '../../contract/page-values.ts';
import { instant, type Sql, sql, trusted } from '../../db/sql.ts';

type Requests = Omit<Selection, 'pages'>;

/** Of the row, and not of its series. */
const ofRows = ['requestId', 'from', 'to'];

/** Rows of the place by the id of the request, which the index has as a hash. */
export const byRequestId = (id: Sql): Sql =>
  sql`r.workspace_id = place.workspace_id and hashtextextended(r.request_id, 0) = hashtextextended(${id}, 0) and r.request_id = ${id}`;

/** The series that filters leave, and then where in them the page is. What names no key is counted by the series of all keys. */
function seekPage(declared: Requests, place: Sql, { sort, filters }: Shape): Sql {
  const bound = (name: string) => (filters.includes(name) ? instant(given('filter', name)) : sql`null`);
  const ofSeries = filters.filter((name) => !ofRows.includes(name));
  const isCounted = filters.includes('apiKeyId') ? sql`true` : sql`s.api_key_id = ''`;
  return sql`
    with place as materialized (${place})
    select place.missing, page.total, (
      select json_agg(record order by r.position)::text
      from unnest(page.picked) with ordinality
        as r(id, series_id, workspace_id, occurred_at, request_id, method, route, status, duration_ms, ip_address, position)
      cross join lateral (
        select ${recordOf(declared)} from request_series s left join api_keys k on k.id = s.api_key_id where s.id = r.series_id
      ) record) as content
    from place cross join lateral (
      select coalesce(array_agg(s.id) filter (where ${isCounted}), '{}') as counted, coalesce(array_agg(s.id) filter (where s.api_key_id <> ''), '{}') as walked,
        coalesce(sum(s.n) filter (where ${isCounted}), 0)::int8 as n from request_series s
      where ${conditions({ ...declared, within: [sql`s.workspace_id = place.workspace_id`] }, ofSeries)}
    ) series cross join lateral request_page(series.counted, series.walked, series.n, ${bound('from')}, ${bound('to')},
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
  statement: (place, shape) =>
    shape.filters.includes('requestId')
      ? foundById(declared, place, shape)
      : seekPage(declared, place, shape),
});
