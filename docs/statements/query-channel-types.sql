-- What queryChannelTypes asks the database. :names are parameters. Written by npm run statements.

-- The first page
with place as materialized (
  select a.id as account_id, case when a.id is null then 'account' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
)
select place.missing,
  (select count(*) from channel_types c where true) as total,
  (
    select json_agg(record)::text
    from (
      select c.biz_id as "bizId",
        c.type_code as "typeCode",
        c.type_value as "typeValue",
        c.type_name as "typeName",
        c.type_description as "typeDescription",
        c.status::text as "typeStatus",
        c.display_order as "displayOrder",
        c.icon_url as "iconUrl",
        c.extra_config as "extraConfig",
        to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
      from channel_types c
      where true
      order by c.display_order asc, c.id asc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page
with place as materialized (
  select a.id as account_id, case when a.id is null then 'account' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
),
seek as materialized (
  select (select count(*) from channel_types c where true) as total,
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
      from channel_types c
      where true
      order by c.display_order asc, c.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select c.biz_id as "bizId",
      c.type_code as "typeCode",
      c.type_value as "typeValue",
      c.type_name as "typeName",
      c.type_description as "typeDescription",
      c.status::text as "typeStatus",
      c.display_order as "displayOrder",
      c.icon_url as "iconUrl",
      c.extra_config as "extraConfig",
      to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
    from channel_types c
    where c.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, filtered by bizId, typeCode, typeStatus, enabledOnly
with place as materialized (
  select a.id as account_id, case when a.id is null then 'account' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
)
select place.missing,
  (
    select count(*)
    from channel_types c
    where true
      and c.biz_id = :filter.bizId
      and c.type_code = :filter.typeCode
      and c.status = :filter.typeStatus::channel_type_status
      and (c.status = 'ENABLED' or not :filter.enabledOnly::boolean)
  ) as total,
  (
    select json_agg(record)::text
    from (
      select c.biz_id as "bizId",
        c.type_code as "typeCode",
        c.type_value as "typeValue",
        c.type_name as "typeName",
        c.type_description as "typeDescription",
        c.status::text as "typeStatus",
        c.display_order as "displayOrder",
        c.icon_url as "iconUrl",
        c.extra_config as "extraConfig",
        to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
      from channel_types c
      where true
        and c.biz_id = :filter.bizId
        and c.type_code = :filter.typeCode
        and c.status = :filter.typeStatus::channel_type_status
        and (c.status = 'ENABLED' or not :filter.enabledOnly::boolean)
      order by c.display_order asc, c.id asc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, filtered by the same
with place as materialized (
  select a.id as account_id, case when a.id is null then 'account' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
),
seek as materialized (
  select (
    select count(*)
    from channel_types c
    where true
      and c.biz_id = :filter.bizId
      and c.type_code = :filter.typeCode
      and c.status = :filter.typeStatus::channel_type_status
      and (c.status = 'ENABLED' or not :filter.enabledOnly::boolean)
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
      from channel_types c
      where true
        and c.biz_id = :filter.bizId
        and c.type_code = :filter.typeCode
        and c.status = :filter.typeStatus::channel_type_status
        and (c.status = 'ENABLED' or not :filter.enabledOnly::boolean)
      order by c.display_order asc, c.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select c.biz_id as "bizId",
      c.type_code as "typeCode",
      c.type_value as "typeValue",
      c.type_name as "typeName",
      c.type_description as "typeDescription",
      c.status::text as "typeStatus",
      c.display_order as "displayOrder",
      c.icon_url as "iconUrl",
      c.extra_config as "extraConfig",
      to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
    from channel_types c
    where c.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, sorted by updatedAt
with place as materialized (
  select a.id as account_id, case when a.id is null then 'account' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
)
select place.missing,
  (select count(*) from channel_types c where true) as total,
  (
    select json_agg(record)::text
    from (
      select c.biz_id as "bizId",
        c.type_code as "typeCode",
        c.type_value as "typeValue",
        c.type_name as "typeName",
        c.type_description as "typeDescription",
        c.status::text as "typeStatus",
        c.display_order as "displayOrder",
        c.icon_url as "iconUrl",
        c.extra_config as "extraConfig",
        to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
      from channel_types c
      where true
      order by c.updated_at asc, c.id asc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, sorted by updatedAt
with place as materialized (
  select a.id as account_id, case when a.id is null then 'account' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
),
seek as materialized (
  select (select count(*) from channel_types c where true) as total,
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
      from channel_types c
      where true
      order by c.updated_at asc, c.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select c.biz_id as "bizId",
      c.type_code as "typeCode",
      c.type_value as "typeValue",
      c.type_name as "typeName",
      c.type_description as "typeDescription",
      c.status::text as "typeStatus",
      c.display_order as "displayOrder",
      c.icon_url as "iconUrl",
      c.extra_config as "extraConfig",
      to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
    from channel_types c
    where c.id = picked.id
    limit 1
  ) record
) rows on true;
