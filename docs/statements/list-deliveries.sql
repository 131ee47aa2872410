-- What listDeliveries asks the database. :names are parameters. Written by npm run statements.

-- The first page
with place as materialized (
  select c.id as channel_id, coalesce(member.missing, case when c.id is null then 'channel' end) as missing
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
  left join channels c on c.biz_id = :place.channel
    and c.workspace_id = member.workspace_id
    and c.deleted_at is null
)
select place.missing,
  coalesce((
    select t.n
    from tally_totals t
    where t.tally = 'deliveries'
      and t.scope = array[place.channel_id]::text[]
      and t.dims = array[null]::text[]
  ), 0) + coalesce((
    select sum(d.n)
    from tally_deltas d
    where d.tally = 'deliveries' and d.scope = array[place.channel_id]::text[]
  ), 0) as total,
  (
    select json_agg(record)::text
    from (
      select 'DLV_' || d.id as "deliveryId",
        'EVT_' || d.event_sequence as "eventId",
        d.event_type as "eventType",
        d.status::text as "status",
        d.attempts as "attempts",
        to_char(d.next_attempt_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "nextAttemptAt",
        d.response_status as "responseStatus",
        d.duration_ms as "durationMs",
        d.response_body as "responseBody",
        to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(d.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
      from deliveries d
      where true and d.channel_id = place.channel_id
      order by d.created_at desc, d.id desc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page
with place as materialized (
  select c.id as channel_id, coalesce(member.missing, case when c.id is null then 'channel' end) as missing
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
  left join channels c on c.biz_id = :place.channel
    and c.workspace_id = member.workspace_id
    and c.deleted_at is null
),
seek as materialized (
  select s.*
  from place, lateral tally_seek(
    'deliveries',
    array[place.channel_id]::text[],
    array[null]::text[],
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
      select d.id as id
      from deliveries d
      where true and d.channel_id = place.channel_id and d.created_at >= seek.first_time
      order by d.created_at asc, d.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
    union all
    select found.id, row_number() over () as position
    from (
      select d.id as id
      from deliveries d
      where true and d.channel_id = place.channel_id and d.created_at < seek.end_time
      order by d.created_at desc, d.id desc
      limit case when seek.forward then 0 else seek.take end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select 'DLV_' || d.id as "deliveryId",
      'EVT_' || d.event_sequence as "eventId",
      d.event_type as "eventType",
      d.status::text as "status",
      d.attempts as "attempts",
      to_char(d.next_attempt_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "nextAttemptAt",
      d.response_status as "responseStatus",
      d.duration_ms as "durationMs",
      d.response_body as "responseBody",
      to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(d.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
    from deliveries d
    where d.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, filtered by status
with place as materialized (
  select c.id as channel_id, coalesce(member.missing, case when c.id is null then 'channel' end) as missing
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
  left join channels c on c.biz_id = :place.channel
    and c.workspace_id = member.workspace_id
    and c.deleted_at is null
)
select place.missing,
  coalesce((
    select t.n
    from tally_totals t
    where t.tally = 'deliveries'
      and t.scope = array[place.channel_id]::text[]
      and t.dims = array[coalesce((:filter.status::delivery_status)::text, '')]::text[]
  ), 0) + coalesce((
    select sum(d.n)
    from tally_deltas d
    where d.tally = 'deliveries'
      and d.scope = array[place.channel_id]::text[]
      and d.dims[1] = (coalesce((:filter.status::delivery_status)::text, ''))::text
  ), 0) as total,
  (
    select json_agg(record)::text
    from (
      select 'DLV_' || d.id as "deliveryId",
        'EVT_' || d.event_sequence as "eventId",
        d.event_type as "eventType",
        d.status::text as "status",
        d.attempts as "attempts",
        to_char(d.next_attempt_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "nextAttemptAt",
        d.response_status as "responseStatus",
        d.duration_ms as "durationMs",
        d.response_body as "responseBody",
        to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(d.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
      from deliveries d
      where true and d.channel_id = place.channel_id and d.status = :filter.status::delivery_status
      order by d.created_at desc, d.id desc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, filtered by the same
with place as materialized (
  select c.id as channel_id, coalesce(member.missing, case when c.id is null then 'channel' end) as missing
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
  left join channels c on c.biz_id = :place.channel
    and c.workspace_id = member.workspace_id
    and c.deleted_at is null
),
seek as materialized (
  select s.*
  from place, lateral tally_seek(
    'deliveries',
    array[place.channel_id]::text[],
    array[coalesce((:filter.status::delivery_status)::text, '')]::text[],
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
      select d.id as id
      from deliveries d
      where true
        and d.channel_id = place.channel_id
        and d.status = :filter.status::delivery_status
        and d.created_at >= seek.first_time
      order by d.created_at asc, d.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
    union all
    select found.id, row_number() over () as position
    from (
      select d.id as id
      from deliveries d
      where true
        and d.channel_id = place.channel_id
        and d.status = :filter.status::delivery_status
        and d.created_at < seek.end_time
      order by d.created_at desc, d.id desc
      limit case when seek.forward then 0 else seek.take end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select 'DLV_' || d.id as "deliveryId",
      'EVT_' || d.event_sequence as "eventId",
      d.event_type as "eventType",
      d.status::text as "status",
      d.attempts as "attempts",
      to_char(d.next_attempt_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "nextAttemptAt",
      d.response_status as "responseStatus",
      d.duration_ms as "durationMs",
      d.response_body as "responseBody",
      to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(d.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
    from deliveries d
    where d.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, sorted by createdAt
with place as materialized (
  select c.id as channel_id, coalesce(member.missing, case when c.id is null then 'channel' end) as missing
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
  left join channels c on c.biz_id = :place.channel
    and c.workspace_id = member.workspace_id
    and c.deleted_at is null
)
select place.missing,
  coalesce((
    select t.n
    from tally_totals t
    where t.tally = 'deliveries'
      and t.scope = array[place.channel_id]::text[]
      and t.dims = array[null]::text[]
  ), 0) + coalesce((
    select sum(d.n)
    from tally_deltas d
    where d.tally = 'deliveries' and d.scope = array[place.channel_id]::text[]
  ), 0) as total,
  (
    select json_agg(record)::text
    from (
      select 'DLV_' || d.id as "deliveryId",
        'EVT_' || d.event_sequence as "eventId",
        d.event_type as "eventType",
        d.status::text as "status",
        d.attempts as "attempts",
        to_char(d.next_attempt_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "nextAttemptAt",
        d.response_status as "responseStatus",
        d.duration_ms as "durationMs",
        d.response_body as "responseBody",
        to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(d.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
      from deliveries d
      where true and d.channel_id = place.channel_id
      order by d.created_at asc, d.id asc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, sorted by createdAt
with place as materialized (
  select c.id as channel_id, coalesce(member.missing, case when c.id is null then 'channel' end) as missing
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
  left join channels c on c.biz_id = :place.channel
    and c.workspace_id = member.workspace_id
    and c.deleted_at is null
),
seek as materialized (
  select s.*
  from place, lateral tally_seek(
    'deliveries',
    array[place.channel_id]::text[],
    array[null]::text[],
    null,
    null,
    true,
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
      select d.id as id
      from deliveries d
      where true and d.channel_id = place.channel_id and d.created_at >= seek.first_time
      order by d.created_at asc, d.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
    union all
    select found.id, -row_number() over () as position
    from (
      select d.id as id
      from deliveries d
      where true and d.channel_id = place.channel_id and d.created_at < seek.end_time
      order by d.created_at desc, d.id desc
      limit case when seek.forward then 0 else seek.take end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select 'DLV_' || d.id as "deliveryId",
      'EVT_' || d.event_sequence as "eventId",
      d.event_type as "eventType",
      d.status::text as "status",
      d.attempts as "attempts",
      to_char(d.next_attempt_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "nextAttemptAt",
      d.response_status as "responseStatus",
      d.duration_ms as "durationMs",
      d.response_body as "responseBody",
      to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(d.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
    from deliveries d
    where d.id = picked.id
    limit 1
  ) record
) rows on true;
