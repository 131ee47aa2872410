-- What listRequests asks the database. :names are parameters. Written by npm run statements.

-- The first page
with place as materialized (
  select m.workspace_id,
    case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
  left join workspaces w on w.biz_id = :place.workspace
  left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id
)
select case when series.are_many then 'too much' else place.missing end as missing,
  page.total,
  (
    select json_agg(record order by r.position)::text
    from unnest(page.picked)
    with ordinality as r(
      id,
      series_id,
      workspace_id,
      occurred_at,
      request_id,
      method,
      route,
      status,
      duration_ms,
      ip_address,
      position
    )
    cross join lateral (
      select r.request_id as "requestId",
        to_char(r.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
        s.api_key_id as "apiKeyId",
        coalesce(k.name, s.api_key_name) as "apiKeyName",
        s.mode::text as "mode",
        r.method as "method",
        r.route as "route",
        r.status as "status",
        s.code as "code",
        r.duration_ms as "durationMs",
        r.ip_address as "ipAddress"
      from request_series s
      left join api_keys k on k.id = s.api_key_id
      where s.id = r.series_id
    ) record
  ) as content
from place
cross join lateral (
  select coalesce(array_agg(s.id) filter (where s.api_key_id = '' and true), '{}') as counted,
    coalesce(array_agg(s.id) filter (where s.api_key_id <> '' and true), '{}') as walked,
    coalesce(sum(s.n) filter (where s.api_key_id = '' and true), 0)::int8 as n,
    count(*) > 500 as are_many
  from (
    select *
    from request_series
    where workspace_id = place.workspace_id
    order by workspace_id, api_key_id, mode, code
    limit 501
  ) s
) series
cross join lateral request_page(
  case when not series.are_many then series.counted else '{}' end,
  series.walked,
  case when series.are_many then 0 else series.n end,
  null,
  null,
  true,
  :page.offset::int8,
  :page.size::int
) page;

-- Any other page
with place as materialized (
  select m.workspace_id,
    case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
  left join workspaces w on w.biz_id = :place.workspace
  left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id
)
select case when series.are_many then 'too much' else place.missing end as missing,
  page.total,
  (
    select json_agg(record order by r.position)::text
    from unnest(page.picked)
    with ordinality as r(
      id,
      series_id,
      workspace_id,
      occurred_at,
      request_id,
      method,
      route,
      status,
      duration_ms,
      ip_address,
      position
    )
    cross join lateral (
      select r.request_id as "requestId",
        to_char(r.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
        s.api_key_id as "apiKeyId",
        coalesce(k.name, s.api_key_name) as "apiKeyName",
        s.mode::text as "mode",
        r.method as "method",
        r.route as "route",
        r.status as "status",
        s.code as "code",
        r.duration_ms as "durationMs",
        r.ip_address as "ipAddress"
      from request_series s
      left join api_keys k on k.id = s.api_key_id
      where s.id = r.series_id
    ) record
  ) as content
from place
cross join lateral (
  select coalesce(array_agg(s.id) filter (where s.api_key_id = '' and true), '{}') as counted,
    coalesce(array_agg(s.id) filter (where s.api_key_id <> '' and true), '{}') as walked,
    coalesce(sum(s.n) filter (where s.api_key_id = '' and true), 0)::int8 as n,
    count(*) > 500 as are_many
  from (
    select *
    from request_series
    where workspace_id = place.workspace_id
    order by workspace_id, api_key_id, mode, code
    limit 501
  ) s
) series
cross join lateral request_page(
  case when not series.are_many then series.counted else '{}' end,
  series.walked,
  case when series.are_many then 0 else series.n end,
  null,
  null,
  true,
  :page.offset::int8,
  :page.size::int
) page;

-- The first page, filtered by apiKeyId, mode, code, statusClass, requestId, from, to
with place as materialized (
  select m.workspace_id,
    case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
  left join workspaces w on w.biz_id = :place.workspace
  left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id
)
select place.missing,
  (
    select count(*)
    from requests r
    join request_series s on s.id = r.series_id
    left join api_keys k on k.id = s.api_key_id
    where true
      and r.workspace_id = place.workspace_id
      and hashtextextended(r.request_id, 0) = hashtextextended(:filter.requestId, 0)
      and r.request_id = :filter.requestId
      and s.api_key_id = :filter.apiKeyId
      and s.mode = :filter.mode::key_mode
      and s.code = :filter.code
      and s.status_class = :filter.statusClass::int2
      and r.occurred_at >= to_timestamp(:filter.from::float8 / 1000)
      and r.occurred_at < to_timestamp(:filter.to::float8 / 1000)
  ) as total,
  (
    select json_agg(record)::text
    from (
      select r.request_id as "requestId",
        to_char(r.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
        s.api_key_id as "apiKeyId",
        coalesce(k.name, s.api_key_name) as "apiKeyName",
        s.mode::text as "mode",
        r.method as "method",
        r.route as "route",
        r.status as "status",
        s.code as "code",
        r.duration_ms as "durationMs",
        r.ip_address as "ipAddress"
      from requests r
      join request_series s on s.id = r.series_id
      left join api_keys k on k.id = s.api_key_id
      where true
        and r.workspace_id = place.workspace_id
        and hashtextextended(r.request_id, 0) = hashtextextended(:filter.requestId, 0)
        and r.request_id = :filter.requestId
        and s.api_key_id = :filter.apiKeyId
        and s.mode = :filter.mode::key_mode
        and s.code = :filter.code
        and s.status_class = :filter.statusClass::int2
        and r.occurred_at >= to_timestamp(:filter.from::float8 / 1000)
        and r.occurred_at < to_timestamp(:filter.to::float8 / 1000)
      order by r.occurred_at desc, r.id desc
      limit :page.size::int offset :page.offset::int8
    ) record
  ) as content
from place;

-- Any other page, filtered by the same
with place as materialized (
  select m.workspace_id,
    case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
  left join workspaces w on w.biz_id = :place.workspace
  left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id
)
select place.missing,
  (
    select count(*)
    from requests r
    join request_series s on s.id = r.series_id
    left join api_keys k on k.id = s.api_key_id
    where true
      and r.workspace_id = place.workspace_id
      and hashtextextended(r.request_id, 0) = hashtextextended(:filter.requestId, 0)
      and r.request_id = :filter.requestId
      and s.api_key_id = :filter.apiKeyId
      and s.mode = :filter.mode::key_mode
      and s.code = :filter.code
      and s.status_class = :filter.statusClass::int2
      and r.occurred_at >= to_timestamp(:filter.from::float8 / 1000)
      and r.occurred_at < to_timestamp(:filter.to::float8 / 1000)
  ) as total,
  (
    select json_agg(record)::text
    from (
      select r.request_id as "requestId",
        to_char(r.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
        s.api_key_id as "apiKeyId",
        coalesce(k.name, s.api_key_name) as "apiKeyName",
        s.mode::text as "mode",
        r.method as "method",
        r.route as "route",
        r.status as "status",
        s.code as "code",
        r.duration_ms as "durationMs",
        r.ip_address as "ipAddress"
      from requests r
      join request_series s on s.id = r.series_id
      left join api_keys k on k.id = s.api_key_id
      where true
        and r.workspace_id = place.workspace_id
        and hashtextextended(r.request_id, 0) = hashtextextended(:filter.requestId, 0)
        and r.request_id = :filter.requestId
        and s.api_key_id = :filter.apiKeyId
        and s.mode = :filter.mode::key_mode
        and s.code = :filter.code
        and s.status_class = :filter.statusClass::int2
        and r.occurred_at >= to_timestamp(:filter.from::float8 / 1000)
        and r.occurred_at < to_timestamp(:filter.to::float8 / 1000)
      order by r.occurred_at desc, r.id desc
      limit :page.size::int offset :page.offset::int8
    ) record
  ) as content
from place;

-- The first page, sorted by occurredAt
with place as materialized (
  select m.workspace_id,
    case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
  left join workspaces w on w.biz_id = :place.workspace
  left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id
)
select case when series.are_many then 'too much' else place.missing end as missing,
  page.total,
  (
    select json_agg(record order by r.position)::text
    from unnest(page.picked)
    with ordinality as r(
      id,
      series_id,
      workspace_id,
      occurred_at,
      request_id,
      method,
      route,
      status,
      duration_ms,
      ip_address,
      position
    )
    cross join lateral (
      select r.request_id as "requestId",
        to_char(r.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
        s.api_key_id as "apiKeyId",
        coalesce(k.name, s.api_key_name) as "apiKeyName",
        s.mode::text as "mode",
        r.method as "method",
        r.route as "route",
        r.status as "status",
        s.code as "code",
        r.duration_ms as "durationMs",
        r.ip_address as "ipAddress"
      from request_series s
      left join api_keys k on k.id = s.api_key_id
      where s.id = r.series_id
    ) record
  ) as content
from place
cross join lateral (
  select coalesce(array_agg(s.id) filter (where s.api_key_id = '' and true), '{}') as counted,
    coalesce(array_agg(s.id) filter (where s.api_key_id <> '' and true), '{}') as walked,
    coalesce(sum(s.n) filter (where s.api_key_id = '' and true), 0)::int8 as n,
    count(*) > 500 as are_many
  from (
    select *
    from request_series
    where workspace_id = place.workspace_id
    order by workspace_id, api_key_id, mode, code
    limit 501
  ) s
) series
cross join lateral request_page(
  case when not series.are_many then series.counted else '{}' end,
  series.walked,
  case when series.are_many then 0 else series.n end,
  null,
  null,
  false,
  :page.offset::int8,
  :page.size::int
) page;

-- Any other page, sorted by occurredAt
with place as materialized (
  select m.workspace_id,
    case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
  left join workspaces w on w.biz_id = :place.workspace
  left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id
)
select case when series.are_many then 'too much' else place.missing end as missing,
  page.total,
  (
    select json_agg(record order by r.position)::text
    from unnest(page.picked)
    with ordinality as r(
      id,
      series_id,
      workspace_id,
      occurred_at,
      request_id,
      method,
      route,
      status,
      duration_ms,
      ip_address,
      position
    )
    cross join lateral (
      select r.request_id as "requestId",
        to_char(r.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
        s.api_key_id as "apiKeyId",
        coalesce(k.name, s.api_key_name) as "apiKeyName",
        s.mode::text as "mode",
        r.method as "method",
        r.route as "route",
        r.status as "status",
        s.code as "code",
        r.duration_ms as "durationMs",
        r.ip_address as "ipAddress"
      from request_series s
      left join api_keys k on k.id = s.api_key_id
      where s.id = r.series_id
    ) record
  ) as content
from place
cross join lateral (
  select coalesce(array_agg(s.id) filter (where s.api_key_id = '' and true), '{}') as counted,
    coalesce(array_agg(s.id) filter (where s.api_key_id <> '' and true), '{}') as walked,
    coalesce(sum(s.n) filter (where s.api_key_id = '' and true), 0)::int8 as n,
    count(*) > 500 as are_many
  from (
    select *
    from request_series
    where workspace_id = place.workspace_id
    order by workspace_id, api_key_id, mode, code
    limit 501
  ) s
) series
cross join lateral request_page(
  case when not series.are_many then series.counted else '{}' end,
  series.walked,
  case when series.are_many then 0 else series.n end,
  null,
  null,
  false,
  :page.offset::int8,
  :page.size::int
) page;
