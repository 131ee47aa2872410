-- What listMembers asks the database. :names are parameters. Written by npm run statements.

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
    from workspace_members m
    join accounts a on a.id = m.account_id
    where true and m.workspace_id = place.workspace_id
  ) as total,
  (
    select json_agg(record)::text
    from (
      select a.biz_id as "accountId",
        a.email as "email",
        a.name as "name",
        m.role::text as "role",
        a.status::text as "status",
        to_char(a.last_sign_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSignInAt",
        to_char(m.joined_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "joinedAt"
      from workspace_members m
      join accounts a on a.id = m.account_id
      where true and m.workspace_id = place.workspace_id
      order by m.joined_at asc, m.id asc
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
    from workspace_members m
    join accounts a on a.id = m.account_id
    where true and m.workspace_id = place.workspace_id
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
      select m.id as id
      from workspace_members m
      join accounts a on a.id = m.account_id
      where true and m.workspace_id = place.workspace_id
      order by m.joined_at asc, m.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select a.biz_id as "accountId",
      a.email as "email",
      a.name as "name",
      m.role::text as "role",
      a.status::text as "status",
      to_char(a.last_sign_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSignInAt",
      to_char(m.joined_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "joinedAt"
    from workspace_members m
    join accounts a on a.id = m.account_id
    where m.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, filtered by role, status
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
    from workspace_members m
    join accounts a on a.id = m.account_id
    where true
      and m.workspace_id = place.workspace_id
      and m.role = :filter.role::workspace_role
      and a.status = :filter.status::account_status
  ) as total,
  (
    select json_agg(record)::text
    from (
      select a.biz_id as "accountId",
        a.email as "email",
        a.name as "name",
        m.role::text as "role",
        a.status::text as "status",
        to_char(a.last_sign_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSignInAt",
        to_char(m.joined_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "joinedAt"
      from workspace_members m
      join accounts a on a.id = m.account_id
      where true
        and m.workspace_id = place.workspace_id
        and m.role = :filter.role::workspace_role
        and a.status = :filter.status::account_status
      order by m.joined_at asc, m.id asc
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
    from workspace_members m
    join accounts a on a.id = m.account_id
    where true
      and m.workspace_id = place.workspace_id
      and m.role = :filter.role::workspace_role
      and a.status = :filter.status::account_status
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
      select m.id as id
      from workspace_members m
      join accounts a on a.id = m.account_id
      where true
        and m.workspace_id = place.workspace_id
        and m.role = :filter.role::workspace_role
        and a.status = :filter.status::account_status
      order by m.joined_at asc, m.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select a.biz_id as "accountId",
      a.email as "email",
      a.name as "name",
      m.role::text as "role",
      a.status::text as "status",
      to_char(a.last_sign_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSignInAt",
      to_char(m.joined_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "joinedAt"
    from workspace_members m
    join accounts a on a.id = m.account_id
    where m.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, sorted by lastSignInAt
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
    from workspace_members m
    join accounts a on a.id = m.account_id
    where true and m.workspace_id = place.workspace_id
  ) as total,
  (
    select json_agg(record)::text
    from (
      select a.biz_id as "accountId",
        a.email as "email",
        a.name as "name",
        m.role::text as "role",
        a.status::text as "status",
        to_char(a.last_sign_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSignInAt",
        to_char(m.joined_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "joinedAt"
      from workspace_members m
      join accounts a on a.id = m.account_id
      where true and m.workspace_id = place.workspace_id
      order by a.last_sign_in_at asc nulls last, m.id asc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, sorted by lastSignInAt
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
    from workspace_members m
    join accounts a on a.id = m.account_id
    where true and m.workspace_id = place.workspace_id
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
      select m.id as id
      from workspace_members m
      join accounts a on a.id = m.account_id
      where true and m.workspace_id = place.workspace_id
      order by a.last_sign_in_at asc nulls last, m.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select a.biz_id as "accountId",
      a.email as "email",
      a.name as "name",
      m.role::text as "role",
      a.status::text as "status",
      to_char(a.last_sign_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastSignInAt",
      to_char(m.joined_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "joinedAt"
    from workspace_members m
    join accounts a on a.id = m.account_id
    where m.id = picked.id
    limit 1
  ) record
) rows on true;
