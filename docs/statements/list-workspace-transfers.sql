-- What listWorkspaceTransfers asks the database. :names are parameters. Written by npm run statements.

-- The first page
with place as materialized (
  select member.*, :place.mode::key_mode as mode
  from (
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
  ) member
)
select place.missing,
  coalesce((
    select t.n
    from tally_totals t
    where t.tally = 'transfers'
      and t.scope = array[place.workspace_id, place.mode]::text[]
      and t.dims = array[null, null]::text[]
  ), 0) + coalesce((
    select sum(d.n)
    from tally_deltas d
    where d.tally = 'transfers' and d.scope = array[place.workspace_id, place.mode]::text[]
  ), 0) as total,
  (
    select json_agg(record)::text
    from (
      select t.biz_id as "transferId",
        t.amount::text as "amount",
        t.currency as "currency",
        t.status::text as "status",
        to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(t.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt",
        t.reference as "reference"
      from transfers t
      where true and t.workspace_id = place.workspace_id and t.mode = place.mode
      order by t.created_at desc, t.id desc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page
with place as materialized (
  select member.*, :place.mode::key_mode as mode
  from (
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
  ) member
),
seek as materialized (
  select s.*
  from place, lateral tally_seek(
    'transfers',
    array[place.workspace_id, place.mode]::text[],
    array[null, null]::text[],
    null,
    null,
    true,
    true,
    :page.offset::int8,
    :page.size::int
  ) s
)
select place.missing, seek.total, rows.content
from place
left join seek on true
left join lateral (
  select json_agg(record order by position)::text as content
  from (
    select found.id, -row_number() over () as position
    from (
      select t.id as id
      from transfers t
      where true
        and t.workspace_id = place.workspace_id
        and t.mode = place.mode
        and t.created_at >= seek.first_time
      order by t.created_at asc, t.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
    union all
    select found.id, row_number() over () as position
    from (
      select t.id as id
      from transfers t
      where true
        and t.workspace_id = place.workspace_id
        and t.mode = place.mode
        and t.created_at < seek.end_time
      order by t.created_at desc, t.id desc
      limit case when seek.forward then 0 else seek.take end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select t.biz_id as "transferId",
      t.amount::text as "amount",
      t.currency as "currency",
      t.status::text as "status",
      to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(t.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt",
      t.reference as "reference"
    from transfers t
    where t.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, filtered by status, currency, createdFrom, createdTo, reference, updatedFrom, updatedTo
with place as materialized (
  select member.*, :place.mode::key_mode as mode
  from (
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
  ) member
)
select place.missing,
  (
    select count(*)
    from transfers t
    where true
      and t.workspace_id = place.workspace_id
      and t.mode = place.mode
      and t.status = :filter.status::transfer_status
      and t.currency = :filter.currency
      and t.created_at >= to_timestamp(:filter.createdFrom::float8 / 1000)
      and t.created_at < to_timestamp(:filter.createdTo::float8 / 1000)
      and t.reference = :filter.reference
      and octet_length(t.reference) <= 560
      and t.updated_at >= to_timestamp(:filter.updatedFrom::float8 / 1000)
      and t.updated_at < to_timestamp(:filter.updatedTo::float8 / 1000)
  ) as total,
  (
    select json_agg(record)::text
    from (
      select t.biz_id as "transferId",
        t.amount::text as "amount",
        t.currency as "currency",
        t.status::text as "status",
        to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(t.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt",
        t.reference as "reference"
      from transfers t
      where true
        and t.workspace_id = place.workspace_id
        and t.mode = place.mode
        and t.status = :filter.status::transfer_status
        and t.currency = :filter.currency
        and t.created_at >= to_timestamp(:filter.createdFrom::float8 / 1000)
        and t.created_at < to_timestamp(:filter.createdTo::float8 / 1000)
        and t.reference = :filter.reference
        and octet_length(t.reference) <= 560
        and t.updated_at >= to_timestamp(:filter.updatedFrom::float8 / 1000)
        and t.updated_at < to_timestamp(:filter.updatedTo::float8 / 1000)
      order by t.created_at desc, t.id desc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, filtered by the same
with place as materialized (
  select member.*, :place.mode::key_mode as mode
  from (
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
  ) member
),
seek as materialized (
  select (
    select count(*)
    from transfers t
    where true
      and t.workspace_id = place.workspace_id
      and t.mode = place.mode
      and t.status = :filter.status::transfer_status
      and t.currency = :filter.currency
      and t.created_at >= to_timestamp(:filter.createdFrom::float8 / 1000)
      and t.created_at < to_timestamp(:filter.createdTo::float8 / 1000)
      and t.reference = :filter.reference
      and octet_length(t.reference) <= 560
      and t.updated_at >= to_timestamp(:filter.updatedFrom::float8 / 1000)
      and t.updated_at < to_timestamp(:filter.updatedTo::float8 / 1000)
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
      select t.id as id
      from transfers t
      where true
        and t.workspace_id = place.workspace_id
        and t.mode = place.mode
        and t.status = :filter.status::transfer_status
        and t.currency = :filter.currency
        and t.created_at >= to_timestamp(:filter.createdFrom::float8 / 1000)
        and t.created_at < to_timestamp(:filter.createdTo::float8 / 1000)
        and t.reference = :filter.reference
        and octet_length(t.reference) <= 560
        and t.updated_at >= to_timestamp(:filter.updatedFrom::float8 / 1000)
        and t.updated_at < to_timestamp(:filter.updatedTo::float8 / 1000)
      order by t.created_at desc, t.id desc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select t.biz_id as "transferId",
      t.amount::text as "amount",
      t.currency as "currency",
      t.status::text as "status",
      to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(t.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt",
      t.reference as "reference"
    from transfers t
    where t.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, sorted by status
with place as materialized (
  select member.*, :place.mode::key_mode as mode
  from (
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
  ) member
)
select place.missing,
  coalesce((
    select t.n
    from tally_totals t
    where t.tally = 'transfers'
      and t.scope = array[place.workspace_id, place.mode]::text[]
      and t.dims = array[null, null]::text[]
  ), 0) + coalesce((
    select sum(d.n)
    from tally_deltas d
    where d.tally = 'transfers' and d.scope = array[place.workspace_id, place.mode]::text[]
  ), 0) as total,
  (
    select json_agg(record)::text
    from (
      select t.biz_id as "transferId",
        t.amount::text as "amount",
        t.currency as "currency",
        t.status::text as "status",
        to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(t.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt",
        t.reference as "reference"
      from transfers t
      where true and t.workspace_id = place.workspace_id and t.mode = place.mode
      order by t.status asc, t.created_at asc, t.id asc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, sorted by status
with place as materialized (
  select member.*, :place.mode::key_mode as mode
  from (
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
  ) member
),
seek as materialized (
  select s.*
  from place, lateral tally_seek(
    'transfers',
    array[place.workspace_id, place.mode]::text[],
    array[null, null]::text[],
    null,
    null,
    false,
    false,
    :page.offset::int8,
    :page.size::int
  ) s
)
select place.missing, seek.total, rows.content
from place
left join seek on true
left join lateral (
  select json_agg(record order by position)::text as content
  from (
    select found.id, row_number() over () as position
    from (
      select t.id as id
      from transfers t
      where true and t.workspace_id = place.workspace_id and t.mode = place.mode
      order by t.status asc, t.created_at asc, t.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
    union all
    select found.id, -row_number() over () as position
    from (
      select t.id as id
      from transfers t
      where true and t.workspace_id = place.workspace_id and t.mode = place.mode
      order by t.status desc, t.created_at desc, t.id desc
      limit case when seek.forward then 0 else seek.take end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select t.biz_id as "transferId",
      t.amount::text as "amount",
      t.currency as "currency",
      t.status::text as "status",
      to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(t.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt",
      t.reference as "reference"
    from transfers t
    where t.id = picked.id
    limit 1
  ) record
) rows on true;
