-- What listApiKeys asks the database. :names are parameters. Written by npm run statements.

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
  (select count(*) from api_keys k where true and k.workspace_id = place.workspace_id) as total,
  (
    select json_agg(record)::text
    from (
      select k.id as "apiKeyId",
        k.name as "name",
        k.mode::text as "mode",
        k.scopes as "scopes",
        k.ip_whitelist as "ipWhitelist",
        to_char(k.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        (case when k.status = 'ACTIVE' and k.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else k.status::text end) as "status",
        to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt",
        to_char(k.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastUsedAt",
        k.last_used_ip as "lastUsedIp",
        (select max(s.version) from api_key_secrets s where s.api_key_id = k.id) as "secretVersion",
        to_char((
          select max(s.expires_at)
          from api_key_secrets s
          where s.api_key_id = k.id
            and (s.expires_at is null or s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000))
        ) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "previousSecretExpiresAt",
        (
          select json_agg(json_build_object(
            'version',
            s.version,
            'lastUsedAt',
            to_char(s.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          ) order by s.version desc)
          from api_key_secrets s
          where s.api_key_id = k.id
            and (s.expires_at is null or s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000))
        ) as "secrets"
      from api_keys k
      where true and k.workspace_id = place.workspace_id
      order by k.created_at desc, k.id desc
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
  select (select count(*) from api_keys k where true and k.workspace_id = place.workspace_id) as total,
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
      select k.id as id
      from api_keys k
      where true and k.workspace_id = place.workspace_id
      order by k.created_at desc, k.id desc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select k.id as "apiKeyId",
      k.name as "name",
      k.mode::text as "mode",
      k.scopes as "scopes",
      k.ip_whitelist as "ipWhitelist",
      to_char(k.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      (case when k.status = 'ACTIVE' and k.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else k.status::text end) as "status",
      to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt",
      to_char(k.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastUsedAt",
      k.last_used_ip as "lastUsedIp",
      (select max(s.version) from api_key_secrets s where s.api_key_id = k.id) as "secretVersion",
      to_char((
        select max(s.expires_at)
        from api_key_secrets s
        where s.api_key_id = k.id
          and (s.expires_at is null or s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000))
      ) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "previousSecretExpiresAt",
      (
        select json_agg(json_build_object(
          'version',
          s.version,
          'lastUsedAt',
          to_char(s.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ) order by s.version desc)
        from api_key_secrets s
        where s.api_key_id = k.id
          and (s.expires_at is null or s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000))
      ) as "secrets"
    from api_keys k
    where k.id = picked.id
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
    from api_keys k
    where true
      and k.workspace_id = place.workspace_id
      and (case when k.status = 'ACTIVE' and k.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else k.status::text end) = :filter.status
      and k.mode = :filter.mode::key_mode
  ) as total,
  (
    select json_agg(record)::text
    from (
      select k.id as "apiKeyId",
        k.name as "name",
        k.mode::text as "mode",
        k.scopes as "scopes",
        k.ip_whitelist as "ipWhitelist",
        to_char(k.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        (case when k.status = 'ACTIVE' and k.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else k.status::text end) as "status",
        to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt",
        to_char(k.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastUsedAt",
        k.last_used_ip as "lastUsedIp",
        (select max(s.version) from api_key_secrets s where s.api_key_id = k.id) as "secretVersion",
        to_char((
          select max(s.expires_at)
          from api_key_secrets s
          where s.api_key_id = k.id
            and (s.expires_at is null or s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000))
        ) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "previousSecretExpiresAt",
        (
          select json_agg(json_build_object(
            'version',
            s.version,
            'lastUsedAt',
            to_char(s.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          ) order by s.version desc)
          from api_key_secrets s
          where s.api_key_id = k.id
            and (s.expires_at is null or s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000))
        ) as "secrets"
      from api_keys k
      where true
        and k.workspace_id = place.workspace_id
        and (case when k.status = 'ACTIVE' and k.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else k.status::text end) = :filter.status
        and k.mode = :filter.mode::key_mode
      order by k.created_at desc, k.id desc
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
    from api_keys k
    where true
      and k.workspace_id = place.workspace_id
      and (case when k.status = 'ACTIVE' and k.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else k.status::text end) = :filter.status
      and k.mode = :filter.mode::key_mode
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
      select k.id as id
      from api_keys k
      where true
        and k.workspace_id = place.workspace_id
        and (case when k.status = 'ACTIVE' and k.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else k.status::text end) = :filter.status
        and k.mode = :filter.mode::key_mode
      order by k.created_at desc, k.id desc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select k.id as "apiKeyId",
      k.name as "name",
      k.mode::text as "mode",
      k.scopes as "scopes",
      k.ip_whitelist as "ipWhitelist",
      to_char(k.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      (case when k.status = 'ACTIVE' and k.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else k.status::text end) as "status",
      to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt",
      to_char(k.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastUsedAt",
      k.last_used_ip as "lastUsedIp",
      (select max(s.version) from api_key_secrets s where s.api_key_id = k.id) as "secretVersion",
      to_char((
        select max(s.expires_at)
        from api_key_secrets s
        where s.api_key_id = k.id
          and (s.expires_at is null or s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000))
      ) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "previousSecretExpiresAt",
      (
        select json_agg(json_build_object(
          'version',
          s.version,
          'lastUsedAt',
          to_char(s.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ) order by s.version desc)
        from api_key_secrets s
        where s.api_key_id = k.id
          and (s.expires_at is null or s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000))
      ) as "secrets"
    from api_keys k
    where k.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, sorted by expiresAt
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
  (select count(*) from api_keys k where true and k.workspace_id = place.workspace_id) as total,
  (
    select json_agg(record)::text
    from (
      select k.id as "apiKeyId",
        k.name as "name",
        k.mode::text as "mode",
        k.scopes as "scopes",
        k.ip_whitelist as "ipWhitelist",
        to_char(k.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        (case when k.status = 'ACTIVE' and k.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else k.status::text end) as "status",
        to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt",
        to_char(k.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastUsedAt",
        k.last_used_ip as "lastUsedIp",
        (select max(s.version) from api_key_secrets s where s.api_key_id = k.id) as "secretVersion",
        to_char((
          select max(s.expires_at)
          from api_key_secrets s
          where s.api_key_id = k.id
            and (s.expires_at is null or s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000))
        ) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "previousSecretExpiresAt",
        (
          select json_agg(json_build_object(
            'version',
            s.version,
            'lastUsedAt',
            to_char(s.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          ) order by s.version desc)
          from api_key_secrets s
          where s.api_key_id = k.id
            and (s.expires_at is null or s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000))
        ) as "secrets"
      from api_keys k
      where true and k.workspace_id = place.workspace_id
      order by k.expires_at asc nulls last, k.id asc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, sorted by expiresAt
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
  select (select count(*) from api_keys k where true and k.workspace_id = place.workspace_id) as total,
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
      select k.id as id
      from api_keys k
      where true and k.workspace_id = place.workspace_id
      order by k.expires_at asc nulls last, k.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select k.id as "apiKeyId",
      k.name as "name",
      k.mode::text as "mode",
      k.scopes as "scopes",
      k.ip_whitelist as "ipWhitelist",
      to_char(k.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      (case when k.status = 'ACTIVE' and k.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else k.status::text end) as "status",
      to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt",
      to_char(k.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastUsedAt",
      k.last_used_ip as "lastUsedIp",
      (select max(s.version) from api_key_secrets s where s.api_key_id = k.id) as "secretVersion",
      to_char((
        select max(s.expires_at)
        from api_key_secrets s
        where s.api_key_id = k.id
          and (s.expires_at is null or s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000))
      ) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "previousSecretExpiresAt",
      (
        select json_agg(json_build_object(
          'version',
          s.version,
          'lastUsedAt',
          to_char(s.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ) order by s.version desc)
        from api_key_secrets s
        where s.api_key_id = k.id
          and (s.expires_at is null or s.expires_at > to_timestamp(:clock.nowMs::float8 / 1000))
      ) as "secrets"
    from api_keys k
    where k.id = picked.id
    limit 1
  ) record
) rows on true;
