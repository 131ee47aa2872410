-- What listSessions asks the database. :names are parameters. Written by npm run statements.

-- The first page
with place as materialized (
  select own.*, :place.signIn::uuid as sign_in_id
  from (
    select a.id as account_id, case when a.id is null then 'account' end as missing
    from (values (1)) asked
    left join accounts a on a.biz_id = :place.account
      and a.status = 'ACTIVE'
      and (:place.signIn::uuid is null or exists (
        select 1
        from sign_ins s
        where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
      ))
  ) own
)
select place.missing,
  (
    select count(*)
    from sign_ins s
    where true
      and s.account_id = place.account_id
      and s.revoked_at is null
      and s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000)
  ) as total,
  (
    select json_agg(record)::text
    from (
      select s.id as "sessionId",
        to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(s.seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSeenAt",
        s.ip_address as "ipAddress",
        s.user_agent as "userAgent",
        coalesce(s.id = place.sign_in_id, false) as "isCurrent"
      from sign_ins s
      where true
        and s.account_id = place.account_id
        and s.revoked_at is null
        and s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000)
      order by s.seen_at desc, s.id desc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page
with place as materialized (
  select own.*, :place.signIn::uuid as sign_in_id
  from (
    select a.id as account_id, case when a.id is null then 'account' end as missing
    from (values (1)) asked
    left join accounts a on a.biz_id = :place.account
      and a.status = 'ACTIVE'
      and (:place.signIn::uuid is null or exists (
        select 1
        from sign_ins s
        where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
      ))
  ) own
),
seek as materialized (
  select (
    select count(*)
    from sign_ins s
    where true
      and s.account_id = place.account_id
      and s.revoked_at is null
      and s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000)
  ) as total,
    true as forward,
    :page.offset::int8 as skip,
    :page.size::int as take
  from place
)
select place.missing, seek.total, rows.content
from place
left join seek on true
left join lateral (
  select json_agg(record order by position)::text as content
  from (
    select found.id, row_number() over () as position
    from (
      select s.id as id
      from sign_ins s
      where true
        and s.account_id = place.account_id
        and s.revoked_at is null
        and s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000)
      order by s.seen_at desc, s.id desc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select s.id as "sessionId",
      to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(s.seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSeenAt",
      s.ip_address as "ipAddress",
      s.user_agent as "userAgent",
      coalesce(s.id = place.sign_in_id, false) as "isCurrent"
    from sign_ins s
    where s.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, filtered by 
with place as materialized (
  select own.*, :place.signIn::uuid as sign_in_id
  from (
    select a.id as account_id, case when a.id is null then 'account' end as missing
    from (values (1)) asked
    left join accounts a on a.biz_id = :place.account
      and a.status = 'ACTIVE'
      and (:place.signIn::uuid is null or exists (
        select 1
        from sign_ins s
        where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
      ))
  ) own
)
select place.missing,
  (
    select count(*)
    from sign_ins s
    where true
      and s.account_id = place.account_id
      and s.revoked_at is null
      and s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000)
  ) as total,
  (
    select json_agg(record)::text
    from (
      select s.id as "sessionId",
        to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(s.seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSeenAt",
        s.ip_address as "ipAddress",
        s.user_agent as "userAgent",
        coalesce(s.id = place.sign_in_id, false) as "isCurrent"
      from sign_ins s
      where true
        and s.account_id = place.account_id
        and s.revoked_at is null
        and s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000)
      order by s.seen_at desc, s.id desc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, filtered by the same
with place as materialized (
  select own.*, :place.signIn::uuid as sign_in_id
  from (
    select a.id as account_id, case when a.id is null then 'account' end as missing
    from (values (1)) asked
    left join accounts a on a.biz_id = :place.account
      and a.status = 'ACTIVE'
      and (:place.signIn::uuid is null or exists (
        select 1
        from sign_ins s
        where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
      ))
  ) own
),
seek as materialized (
  select (
    select count(*)
    from sign_ins s
    where true
      and s.account_id = place.account_id
      and s.revoked_at is null
      and s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000)
  ) as total,
    true as forward,
    :page.offset::int8 as skip,
    :page.size::int as take
  from place
)
select place.missing, seek.total, rows.content
from place
left join seek on true
left join lateral (
  select json_agg(record order by position)::text as content
  from (
    select found.id, row_number() over () as position
    from (
      select s.id as id
      from sign_ins s
      where true
        and s.account_id = place.account_id
        and s.revoked_at is null
        and s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000)
      order by s.seen_at desc, s.id desc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select s.id as "sessionId",
      to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(s.seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSeenAt",
      s.ip_address as "ipAddress",
      s.user_agent as "userAgent",
      coalesce(s.id = place.sign_in_id, false) as "isCurrent"
    from sign_ins s
    where s.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, sorted by createdAt
with place as materialized (
  select own.*, :place.signIn::uuid as sign_in_id
  from (
    select a.id as account_id, case when a.id is null then 'account' end as missing
    from (values (1)) asked
    left join accounts a on a.biz_id = :place.account
      and a.status = 'ACTIVE'
      and (:place.signIn::uuid is null or exists (
        select 1
        from sign_ins s
        where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
      ))
  ) own
)
select place.missing,
  (
    select count(*)
    from sign_ins s
    where true
      and s.account_id = place.account_id
      and s.revoked_at is null
      and s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000)
  ) as total,
  (
    select json_agg(record)::text
    from (
      select s.id as "sessionId",
        to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(s.seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSeenAt",
        s.ip_address as "ipAddress",
        s.user_agent as "userAgent",
        coalesce(s.id = place.sign_in_id, false) as "isCurrent"
      from sign_ins s
      where true
        and s.account_id = place.account_id
        and s.revoked_at is null
        and s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000)
      order by s.created_at asc, s.id asc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, sorted by createdAt
with place as materialized (
  select own.*, :place.signIn::uuid as sign_in_id
  from (
    select a.id as account_id, case when a.id is null then 'account' end as missing
    from (values (1)) asked
    left join accounts a on a.biz_id = :place.account
      and a.status = 'ACTIVE'
      and (:place.signIn::uuid is null or exists (
        select 1
        from sign_ins s
        where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
      ))
  ) own
),
seek as materialized (
  select (
    select count(*)
    from sign_ins s
    where true
      and s.account_id = place.account_id
      and s.revoked_at is null
      and s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000)
  ) as total,
    true as forward,
    :page.offset::int8 as skip,
    :page.size::int as take
  from place
)
select place.missing, seek.total, rows.content
from place
left join seek on true
left join lateral (
  select json_agg(record order by position)::text as content
  from (
    select found.id, row_number() over () as position
    from (
      select s.id as id
      from sign_ins s
      where true
        and s.account_id = place.account_id
        and s.revoked_at is null
        and s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000)
      order by s.created_at asc, s.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select s.id as "sessionId",
      to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(s.seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSeenAt",
      s.ip_address as "ipAddress",
      s.user_agent as "userAgent",
      coalesce(s.id = place.sign_in_id, false) as "isCurrent"
    from sign_ins s
    where s.id = picked.id
    limit 1
  ) record
) rows on true;
