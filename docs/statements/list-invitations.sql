-- What listInvitations asks the database. :names are parameters. Written by npm run statements.

-- The first page
with place as materialized (
  select m.workspace_id,
    case when m.account_id is not null then w.biz_id end as workspace_biz_id,
    case when a.id is null then 'account' when m.account_id is null then 'role' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
  left join workspaces w on w.biz_id = :place.workspace
  left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id and m.role = 'OWNER'
)
select place.missing,
  (select count(*) from invitations i where true and i.workspace_id = place.workspace_id) as total,
  (
    select json_agg(record)::text
    from (
      select i.id as "invitationId",
        i.email as "email",
        i.role::text as "role",
        case when i.status = 'PENDING' and i.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else i.status::text end as "status",
        (select a.name from accounts a where a.id = i.invited_by) as "inviterName",
        to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(i.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt"
      from invitations i
      where true and i.workspace_id = place.workspace_id
      order by i.created_at desc, i.id desc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page
with place as materialized (
  select m.workspace_id,
    case when m.account_id is not null then w.biz_id end as workspace_biz_id,
    case when a.id is null then 'account' when m.account_id is null then 'role' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
  left join workspaces w on w.biz_id = :place.workspace
  left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id and m.role = 'OWNER'
),
seek as materialized (
  select (select count(*) from invitations i where true and i.workspace_id = place.workspace_id) as total,
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
      select i.id as id
      from invitations i
      where true and i.workspace_id = place.workspace_id
      order by i.created_at desc, i.id desc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select i.id as "invitationId",
      i.email as "email",
      i.role::text as "role",
      case when i.status = 'PENDING' and i.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else i.status::text end as "status",
      (select a.name from accounts a where a.id = i.invited_by) as "inviterName",
      to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(i.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt"
    from invitations i
    where i.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, filtered by status
with place as materialized (
  select m.workspace_id,
    case when m.account_id is not null then w.biz_id end as workspace_biz_id,
    case when a.id is null then 'account' when m.account_id is null then 'role' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
  left join workspaces w on w.biz_id = :place.workspace
  left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id and m.role = 'OWNER'
)
select place.missing,
  (
    select count(*)
    from invitations i
    where true
      and i.workspace_id = place.workspace_id
      and case when i.status = 'PENDING'
      and i.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else i.status::text end = :filter.status
  ) as total,
  (
    select json_agg(record)::text
    from (
      select i.id as "invitationId",
        i.email as "email",
        i.role::text as "role",
        case when i.status = 'PENDING' and i.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else i.status::text end as "status",
        (select a.name from accounts a where a.id = i.invited_by) as "inviterName",
        to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(i.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt"
      from invitations i
      where true
        and i.workspace_id = place.workspace_id
        and case when i.status = 'PENDING'
        and i.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else i.status::text end = :filter.status
      order by i.created_at desc, i.id desc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, filtered by the same
with place as materialized (
  select m.workspace_id,
    case when m.account_id is not null then w.biz_id end as workspace_biz_id,
    case when a.id is null then 'account' when m.account_id is null then 'role' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
  left join workspaces w on w.biz_id = :place.workspace
  left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id and m.role = 'OWNER'
),
seek as materialized (
  select (
    select count(*)
    from invitations i
    where true
      and i.workspace_id = place.workspace_id
      and case when i.status = 'PENDING'
      and i.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else i.status::text end = :filter.status
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
      select i.id as id
      from invitations i
      where true
        and i.workspace_id = place.workspace_id
        and case when i.status = 'PENDING'
        and i.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else i.status::text end = :filter.status
      order by i.created_at desc, i.id desc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select i.id as "invitationId",
      i.email as "email",
      i.role::text as "role",
      case when i.status = 'PENDING' and i.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else i.status::text end as "status",
      (select a.name from accounts a where a.id = i.invited_by) as "inviterName",
      to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(i.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt"
    from invitations i
    where i.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, sorted by status
with place as materialized (
  select m.workspace_id,
    case when m.account_id is not null then w.biz_id end as workspace_biz_id,
    case when a.id is null then 'account' when m.account_id is null then 'role' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
  left join workspaces w on w.biz_id = :place.workspace
  left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id and m.role = 'OWNER'
)
select place.missing,
  (select count(*) from invitations i where true and i.workspace_id = place.workspace_id) as total,
  (
    select json_agg(record)::text
    from (
      select i.id as "invitationId",
        i.email as "email",
        i.role::text as "role",
        case when i.status = 'PENDING' and i.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else i.status::text end as "status",
        (select a.name from accounts a where a.id = i.invited_by) as "inviterName",
        to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(i.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt"
      from invitations i
      where true and i.workspace_id = place.workspace_id
      order by case when i.status = 'PENDING'
        and i.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else i.status::text end collate "C" asc, i.id asc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, sorted by status
with place as materialized (
  select m.workspace_id,
    case when m.account_id is not null then w.biz_id end as workspace_biz_id,
    case when a.id is null then 'account' when m.account_id is null then 'role' end as missing
  from (values (1)) asked
  left join accounts a on a.biz_id = :place.account
    and a.status = 'ACTIVE'
    and (:place.signIn::uuid is null or exists (
      select 1
      from sign_ins s
      where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
    ))
  left join workspaces w on w.biz_id = :place.workspace
  left join workspace_members m on m.account_id = a.id and m.workspace_id = w.id and m.role = 'OWNER'
),
seek as materialized (
  select (select count(*) from invitations i where true and i.workspace_id = place.workspace_id) as total,
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
      select i.id as id
      from invitations i
      where true and i.workspace_id = place.workspace_id
      order by case when i.status = 'PENDING'
        and i.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else i.status::text end collate "C" asc, i.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select i.id as "invitationId",
      i.email as "email",
      i.role::text as "role",
      case when i.status = 'PENDING' and i.expires_at <= to_timestamp(:clock.nowMs::float8 / 1000) then 'EXPIRED' else i.status::text end as "status",
      (select a.name from accounts a where a.id = i.invited_by) as "inviterName",
      to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(i.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt"
    from invitations i
    where i.id = picked.id
    limit 1
  ) record
) rows on true;
