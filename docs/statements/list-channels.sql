-- What listChannels asks the database. :names are parameters. Written by npm run statements.

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
select place.missing,
  (
    select count(*)
    from channels c
    where true and c.workspace_id = place.workspace_id and c.deleted_at is null
  ) as total,
  (
    select json_agg(record)::text
    from (
      select c.biz_id as "channelId",
        c.type_code as "typeCode",
        c.name as "name",
        c.mode::text as "mode",
        c.event_types as "eventTypes",
        c.config as "config",
        c.status::text as "status",
        to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt",
        to_char(c.last_success_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSuccessAt",
        to_char(c.failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "failingSince",
        c.disabled_reason as "disabledReason"
      from channels c
      where true and c.workspace_id = place.workspace_id and c.deleted_at is null
      order by c.created_at desc, c.id desc
      limit :page.size::int
    ) record
  ) as content
from place;

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
),
seek as materialized (
  select (
    select count(*)
    from channels c
    where true and c.workspace_id = place.workspace_id and c.deleted_at is null
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
      select c.id as id
      from channels c
      where true and c.workspace_id = place.workspace_id and c.deleted_at is null
      order by c.created_at desc, c.id desc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select c.biz_id as "channelId",
      c.type_code as "typeCode",
      c.name as "name",
      c.mode::text as "mode",
      c.event_types as "eventTypes",
      c.config as "config",
      c.status::text as "status",
      to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt",
      to_char(c.last_success_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSuccessAt",
      to_char(c.failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "failingSince",
      c.disabled_reason as "disabledReason"
    from channels c
    where c.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, filtered by status, mode
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
    from channels c
    where true
      and c.workspace_id = place.workspace_id
      and c.deleted_at is null
      and c.status = :filter.status::channel_status
      and c.mode = :filter.mode::key_mode
  ) as total,
  (
    select json_agg(record)::text
    from (
      select c.biz_id as "channelId",
        c.type_code as "typeCode",
        c.name as "name",
        c.mode::text as "mode",
        c.event_types as "eventTypes",
        c.config as "config",
        c.status::text as "status",
        to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt",
        to_char(c.last_success_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSuccessAt",
        to_char(c.failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "failingSince",
        c.disabled_reason as "disabledReason"
      from channels c
      where true
        and c.workspace_id = place.workspace_id
        and c.deleted_at is null
        and c.status = :filter.status::channel_status
        and c.mode = :filter.mode::key_mode
      order by c.created_at desc, c.id desc
      limit :page.size::int
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
),
seek as materialized (
  select (
    select count(*)
    from channels c
    where true
      and c.workspace_id = place.workspace_id
      and c.deleted_at is null
      and c.status = :filter.status::channel_status
      and c.mode = :filter.mode::key_mode
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
      select c.id as id
      from channels c
      where true
        and c.workspace_id = place.workspace_id
        and c.deleted_at is null
        and c.status = :filter.status::channel_status
        and c.mode = :filter.mode::key_mode
      order by c.created_at desc, c.id desc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select c.biz_id as "channelId",
      c.type_code as "typeCode",
      c.name as "name",
      c.mode::text as "mode",
      c.event_types as "eventTypes",
      c.config as "config",
      c.status::text as "status",
      to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt",
      to_char(c.last_success_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSuccessAt",
      to_char(c.failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "failingSince",
      c.disabled_reason as "disabledReason"
    from channels c
    where c.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, sorted by status
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
    from channels c
    where true and c.workspace_id = place.workspace_id and c.deleted_at is null
  ) as total,
  (
    select json_agg(record)::text
    from (
      select c.biz_id as "channelId",
        c.type_code as "typeCode",
        c.name as "name",
        c.mode::text as "mode",
        c.event_types as "eventTypes",
        c.config as "config",
        c.status::text as "status",
        to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt",
        to_char(c.last_success_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSuccessAt",
        to_char(c.failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "failingSince",
        c.disabled_reason as "disabledReason"
      from channels c
      where true and c.workspace_id = place.workspace_id and c.deleted_at is null
      order by c.status::text collate "C" asc, c.created_at asc, c.id asc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, sorted by status
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
),
seek as materialized (
  select (
    select count(*)
    from channels c
    where true and c.workspace_id = place.workspace_id and c.deleted_at is null
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
      select c.id as id
      from channels c
      where true and c.workspace_id = place.workspace_id and c.deleted_at is null
      order by c.status::text collate "C" asc, c.created_at asc, c.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select c.biz_id as "channelId",
      c.type_code as "typeCode",
      c.name as "name",
      c.mode::text as "mode",
      c.event_types as "eventTypes",
      c.config as "config",
      c.status::text as "status",
      to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt",
      to_char(c.last_success_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSuccessAt",
      to_char(c.failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "failingSince",
      c.disabled_reason as "disabledReason"
    from channels c
    where c.id = picked.id
    limit 1
  ) record
) rows on true;
