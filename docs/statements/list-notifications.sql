-- What listNotifications asks the database. :names are parameters. Written by npm run statements.

-- The first page
with place as materialized (
  select member.workspace_id,
    member.missing,
    coalesce((
      select k.event_sequence
      from notification_marks k
      join accounts a on a.id = k.account_id
      where k.workspace_id = member.workspace_id and a.biz_id = :place.account
    ), 0) as read_to
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
    from notifications n
    cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
    where true and n.workspace_id = place.workspace_id
  ) as total,
  (
    select json_agg(record)::text
    from (
      select 'EVT_' || n.event_sequence as "eventId",
        e.type as "eventType",
        e.mode::text as "mode",
        to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
        e.data::json as "data",
        n.event_sequence <= place.read_to as "isRead"
      from notifications n
      cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
      where true and n.workspace_id = place.workspace_id
      order by e.occurred_at desc, n.event_sequence desc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page
with place as materialized (
  select member.workspace_id,
    member.missing,
    coalesce((
      select k.event_sequence
      from notification_marks k
      join accounts a on a.id = k.account_id
      where k.workspace_id = member.workspace_id and a.biz_id = :place.account
    ), 0) as read_to
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
    from notifications n
    cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
    where true and n.workspace_id = place.workspace_id
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
      select n.event_sequence as id
      from notifications n
      cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
      where true and n.workspace_id = place.workspace_id
      order by e.occurred_at desc, n.event_sequence desc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select 'EVT_' || n.event_sequence as "eventId",
      e.type as "eventType",
      e.mode::text as "mode",
      to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
      e.data::json as "data",
      n.event_sequence <= place.read_to as "isRead"
    from notifications n
    cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
    where n.event_sequence = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, filtered by 
with place as materialized (
  select member.workspace_id,
    member.missing,
    coalesce((
      select k.event_sequence
      from notification_marks k
      join accounts a on a.id = k.account_id
      where k.workspace_id = member.workspace_id and a.biz_id = :place.account
    ), 0) as read_to
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
    from notifications n
    cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
    where true and n.workspace_id = place.workspace_id
  ) as total,
  (
    select json_agg(record)::text
    from (
      select 'EVT_' || n.event_sequence as "eventId",
        e.type as "eventType",
        e.mode::text as "mode",
        to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
        e.data::json as "data",
        n.event_sequence <= place.read_to as "isRead"
      from notifications n
      cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
      where true and n.workspace_id = place.workspace_id
      order by e.occurred_at desc, n.event_sequence desc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, filtered by the same
with place as materialized (
  select member.workspace_id,
    member.missing,
    coalesce((
      select k.event_sequence
      from notification_marks k
      join accounts a on a.id = k.account_id
      where k.workspace_id = member.workspace_id and a.biz_id = :place.account
    ), 0) as read_to
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
    from notifications n
    cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
    where true and n.workspace_id = place.workspace_id
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
      select n.event_sequence as id
      from notifications n
      cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
      where true and n.workspace_id = place.workspace_id
      order by e.occurred_at desc, n.event_sequence desc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select 'EVT_' || n.event_sequence as "eventId",
      e.type as "eventType",
      e.mode::text as "mode",
      to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
      e.data::json as "data",
      n.event_sequence <= place.read_to as "isRead"
    from notifications n
    cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
    where n.event_sequence = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, sorted by occurredAt
with place as materialized (
  select member.workspace_id,
    member.missing,
    coalesce((
      select k.event_sequence
      from notification_marks k
      join accounts a on a.id = k.account_id
      where k.workspace_id = member.workspace_id and a.biz_id = :place.account
    ), 0) as read_to
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
    from notifications n
    cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
    where true and n.workspace_id = place.workspace_id
  ) as total,
  (
    select json_agg(record)::text
    from (
      select 'EVT_' || n.event_sequence as "eventId",
        e.type as "eventType",
        e.mode::text as "mode",
        to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
        e.data::json as "data",
        n.event_sequence <= place.read_to as "isRead"
      from notifications n
      cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
      where true and n.workspace_id = place.workspace_id
      order by e.occurred_at asc, n.event_sequence asc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, sorted by occurredAt
with place as materialized (
  select member.workspace_id,
    member.missing,
    coalesce((
      select k.event_sequence
      from notification_marks k
      join accounts a on a.id = k.account_id
      where k.workspace_id = member.workspace_id and a.biz_id = :place.account
    ), 0) as read_to
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
    from notifications n
    cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
    where true and n.workspace_id = place.workspace_id
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
      select n.event_sequence as id
      from notifications n
      cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
      where true and n.workspace_id = place.workspace_id
      order by e.occurred_at asc, n.event_sequence asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select 'EVT_' || n.event_sequence as "eventId",
      e.type as "eventType",
      e.mode::text as "mode",
      to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
      e.data::json as "data",
      n.event_sequence <= place.read_to as "isRead"
    from notifications n
    cross join lateral (select * from events where sequence = n.event_sequence limit 1) e
    where n.event_sequence = picked.id
    limit 1
  ) record
) rows on true;
