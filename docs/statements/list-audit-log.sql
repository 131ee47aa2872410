-- What listAuditLog asks the database. :names are parameters. Written by npm run statements.

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
  coalesce((
    select t.n
    from tally_totals t
    where t.tally = 'audit_log'
      and t.scope = array[place.workspace_biz_id]::text[]
      and t.dims = array[null, null, null]::text[]
  ), 0) + coalesce((
    select sum(d.n)
    from tally_deltas d
    where d.tally = 'audit_log' and d.scope = array[place.workspace_biz_id]::text[]
  ), 0) as total,
  (
    select json_agg(record)::text
    from (
      select a.audit_id as "auditId",
        a.sequence as "sequence",
        to_char(a.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
        a.actor_type::text as "actorType",
        a.actor_id as "actorId",
        a.actor_name as "actorName",
        a.action as "action",
        a.subject_type as "subjectType",
        a.subject_id as "subjectId",
        a.changes::json as "changes",
        a.ip_address as "ipAddress",
        a.request_id as "requestId",
        a.hash as "hash"
      from audit_log a
      where true and a.workspace_id = place.workspace_biz_id and a.workspace_id is not null
      order by a.occurred_at desc, a.sequence desc
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
  select s.*
  from place, lateral tally_seek(
    'audit_log',
    array[place.workspace_biz_id]::text[],
    array[null, null, null]::text[],
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
      select a.sequence as id
      from audit_log a
      where true
        and a.workspace_id = place.workspace_biz_id
        and a.workspace_id is not null
        and a.occurred_at >= seek.first_time
      order by a.occurred_at asc, a.sequence asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
    union all
    select found.id, row_number() over () as position
    from (
      select a.sequence as id
      from audit_log a
      where true
        and a.workspace_id = place.workspace_biz_id
        and a.workspace_id is not null
        and a.occurred_at < seek.end_time
      order by a.occurred_at desc, a.sequence desc
      limit case when seek.forward then 0 else seek.take end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select a.audit_id as "auditId",
      a.sequence as "sequence",
      to_char(a.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
      a.actor_type::text as "actorType",
      a.actor_id as "actorId",
      a.actor_name as "actorName",
      a.action as "action",
      a.subject_type as "subjectType",
      a.subject_id as "subjectId",
      a.changes::json as "changes",
      a.ip_address as "ipAddress",
      a.request_id as "requestId",
      a.hash as "hash"
    from audit_log a
    where a.sequence = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, filtered by action, actorId, subjectId, occurredFrom, occurredTo
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
  select s.*
  from place, lateral tally_seek(
    'audit_log',
    array[place.workspace_biz_id]::text[],
    array[
      coalesce((:filter.action)::text, ''),
      coalesce((:filter.actorId)::text, ''),
      coalesce((:filter.subjectId)::text, '')
    ]::text[],
    to_timestamp(:filter.occurredFrom::float8 / 1000),
    to_timestamp(:filter.occurredTo::float8 / 1000),
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
      select a.sequence as id
      from audit_log a
      where true
        and a.workspace_id = place.workspace_biz_id
        and a.workspace_id is not null
        and a.action = :filter.action
        and a.actor_id = :filter.actorId
        and a.subject_id = :filter.subjectId
        and a.occurred_at >= seek.first_time
      order by a.occurred_at asc, a.sequence asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
    union all
    select found.id, row_number() over () as position
    from (
      select a.sequence as id
      from audit_log a
      where true
        and a.workspace_id = place.workspace_biz_id
        and a.workspace_id is not null
        and a.action = :filter.action
        and a.actor_id = :filter.actorId
        and a.subject_id = :filter.subjectId
        and a.occurred_at < seek.end_time
      order by a.occurred_at desc, a.sequence desc
      limit case when seek.forward then 0 else seek.take end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select a.audit_id as "auditId",
      a.sequence as "sequence",
      to_char(a.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
      a.actor_type::text as "actorType",
      a.actor_id as "actorId",
      a.actor_name as "actorName",
      a.action as "action",
      a.subject_type as "subjectType",
      a.subject_id as "subjectId",
      a.changes::json as "changes",
      a.ip_address as "ipAddress",
      a.request_id as "requestId",
      a.hash as "hash"
    from audit_log a
    where a.sequence = picked.id
    limit 1
  ) record
) rows on true;

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
  select s.*
  from place, lateral tally_seek(
    'audit_log',
    array[place.workspace_biz_id]::text[],
    array[
      coalesce((:filter.action)::text, ''),
      coalesce((:filter.actorId)::text, ''),
      coalesce((:filter.subjectId)::text, '')
    ]::text[],
    to_timestamp(:filter.occurredFrom::float8 / 1000),
    to_timestamp(:filter.occurredTo::float8 / 1000),
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
      select a.sequence as id
      from audit_log a
      where true
        and a.workspace_id = place.workspace_biz_id
        and a.workspace_id is not null
        and a.action = :filter.action
        and a.actor_id = :filter.actorId
        and a.subject_id = :filter.subjectId
        and a.occurred_at >= seek.first_time
      order by a.occurred_at asc, a.sequence asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
    union all
    select found.id, row_number() over () as position
    from (
      select a.sequence as id
      from audit_log a
      where true
        and a.workspace_id = place.workspace_biz_id
        and a.workspace_id is not null
        and a.action = :filter.action
        and a.actor_id = :filter.actorId
        and a.subject_id = :filter.subjectId
        and a.occurred_at < seek.end_time
      order by a.occurred_at desc, a.sequence desc
      limit case when seek.forward then 0 else seek.take end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select a.audit_id as "auditId",
      a.sequence as "sequence",
      to_char(a.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
      a.actor_type::text as "actorType",
      a.actor_id as "actorId",
      a.actor_name as "actorName",
      a.action as "action",
      a.subject_type as "subjectType",
      a.subject_id as "subjectId",
      a.changes::json as "changes",
      a.ip_address as "ipAddress",
      a.request_id as "requestId",
      a.hash as "hash"
    from audit_log a
    where a.sequence = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, sorted by sequence
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
  coalesce((
    select t.n
    from tally_totals t
    where t.tally = 'audit_log'
      and t.scope = array[place.workspace_biz_id]::text[]
      and t.dims = array[null, null, null]::text[]
  ), 0) + coalesce((
    select sum(d.n)
    from tally_deltas d
    where d.tally = 'audit_log' and d.scope = array[place.workspace_biz_id]::text[]
  ), 0) as total,
  (
    select json_agg(record)::text
    from (
      select a.audit_id as "auditId",
        a.sequence as "sequence",
        to_char(a.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
        a.actor_type::text as "actorType",
        a.actor_id as "actorId",
        a.actor_name as "actorName",
        a.action as "action",
        a.subject_type as "subjectType",
        a.subject_id as "subjectId",
        a.changes::json as "changes",
        a.ip_address as "ipAddress",
        a.request_id as "requestId",
        a.hash as "hash"
      from audit_log a
      where true and a.workspace_id = place.workspace_biz_id and a.workspace_id is not null
      order by (a.sequence + 0) asc, a.occurred_at asc, a.sequence asc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, sorted by sequence
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
  select s.*
  from place, lateral tally_seek(
    'audit_log',
    array[place.workspace_biz_id]::text[],
    array[null, null, null]::text[],
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
      select a.sequence as id
      from audit_log a
      where true and a.workspace_id = place.workspace_biz_id and a.workspace_id is not null
      order by (a.sequence + 0) asc, a.occurred_at asc, a.sequence asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
    union all
    select found.id, -row_number() over () as position
    from (
      select a.sequence as id
      from audit_log a
      where true and a.workspace_id = place.workspace_biz_id and a.workspace_id is not null
      order by (a.sequence + 0) desc, a.occurred_at desc, a.sequence desc
      limit case when seek.forward then 0 else seek.take end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select a.audit_id as "auditId",
      a.sequence as "sequence",
      to_char(a.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
      a.actor_type::text as "actorType",
      a.actor_id as "actorId",
      a.actor_name as "actorName",
      a.action as "action",
      a.subject_type as "subjectType",
      a.subject_id as "subjectId",
      a.changes::json as "changes",
      a.ip_address as "ipAddress",
      a.request_id as "requestId",
      a.hash as "hash"
    from audit_log a
    where a.sequence = picked.id
    limit 1
  ) record
) rows on true;
