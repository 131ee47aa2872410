-- What listFiles asks the database. :names are parameters. Written by npm run statements.

-- The first page
with place as materialized (
  select member.*, :place.mode::key_mode as mode
  from (
    select m.institution_id,
      case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
    from (values (1)) asked
    left join accounts a on a.biz_id = :place.account
      and a.status = 'ACTIVE'
      and (:place.signIn::uuid is null or exists (
        select 1
        from sign_ins s
        where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
      ))
    left join institutions i on i.biz_id = :place.institution
    left join institution_members m on m.account_id = a.id and m.institution_id = i.id
  ) member
)
select place.missing,
  coalesce((
    select t.n
    from tally_totals t
    where t.tally = 'files'
      and t.scope = array[place.institution_id, place.mode]::text[]
      and t.dims = array[null, null, null]::text[]
  ), 0) + coalesce((
    select sum(d.n)
    from tally_deltas d
    where d.tally = 'files' and d.scope = array[place.institution_id, place.mode]::text[]
  ), 0) as total,
  (
    select json_agg(record)::text
    from (
      select f.biz_id as "bizId",
        f.bucket as "bucket",
        f.object_key as "objectKey",
        f.original_filename as "originalFilename",
        f.file_size as "fileSize",
        f.content_type as "contentType",
        f.category::text as "fileCategory",
        f.status::text as "fileStatus",
        f.etag as "etag",
        f.remark as "remark",
        to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        f.created_by as "createdBy"
      from files f
      where true and f.institution_id = place.institution_id and f.mode = place.mode and f.deleted_at is null
      order by f.created_at desc, f.id desc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page
with place as materialized (
  select member.*, :place.mode::key_mode as mode
  from (
    select m.institution_id,
      case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
    from (values (1)) asked
    left join accounts a on a.biz_id = :place.account
      and a.status = 'ACTIVE'
      and (:place.signIn::uuid is null or exists (
        select 1
        from sign_ins s
        where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
      ))
    left join institutions i on i.biz_id = :place.institution
    left join institution_members m on m.account_id = a.id and m.institution_id = i.id
  ) member
),
seek as materialized (
  select s.*
  from place, lateral tally_seek(
    'files',
    array[place.institution_id, place.mode]::text[],
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
      select f.id as id
      from files f
      where true
        and f.institution_id = place.institution_id
        and f.mode = place.mode
        and f.deleted_at is null
        and f.created_at >= seek.first_time
      order by f.created_at asc, f.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
    union all
    select found.id, row_number() over () as position
    from (
      select f.id as id
      from files f
      where true
        and f.institution_id = place.institution_id
        and f.mode = place.mode
        and f.deleted_at is null
        and f.created_at < seek.end_time
      order by f.created_at desc, f.id desc
      limit case when seek.forward then 0 else seek.take end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select f.biz_id as "bizId",
      f.bucket as "bucket",
      f.object_key as "objectKey",
      f.original_filename as "originalFilename",
      f.file_size as "fileSize",
      f.content_type as "contentType",
      f.category::text as "fileCategory",
      f.status::text as "fileStatus",
      f.etag as "etag",
      f.remark as "remark",
      to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      f.created_by as "createdBy"
    from files f
    where f.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, filtered by workspaceBizId, fileCategory, fileStatus
with place as materialized (
  select member.*, :place.mode::key_mode as mode
  from (
    select m.institution_id,
      case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
    from (values (1)) asked
    left join accounts a on a.biz_id = :place.account
      and a.status = 'ACTIVE'
      and (:place.signIn::uuid is null or exists (
        select 1
        from sign_ins s
        where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
      ))
    left join institutions i on i.biz_id = :place.institution
    left join institution_members m on m.account_id = a.id and m.institution_id = i.id
  ) member
)
select place.missing,
  coalesce((
    select t.n
    from tally_totals t
    where t.tally = 'files'
      and t.scope = array[place.institution_id, place.mode]::text[]
      and t.dims = array[
        coalesce(((select id from workspaces where biz_id = :filter.workspaceBizId))::text, ''),
        coalesce((:filter.fileCategory::file_category)::text, ''),
        coalesce((:filter.fileStatus::file_status)::text, '')
      ]::text[]
  ), 0) + coalesce((
    select sum(d.n)
    from tally_deltas d
    where d.tally = 'files'
      and d.scope = array[place.institution_id, place.mode]::text[]
      and d.dims[1] = (coalesce(((select id from workspaces where biz_id = :filter.workspaceBizId))::text, ''))::text
      and d.dims[2] = (coalesce((:filter.fileCategory::file_category)::text, ''))::text
      and d.dims[3] = (coalesce((:filter.fileStatus::file_status)::text, ''))::text
  ), 0) as total,
  (
    select json_agg(record)::text
    from (
      select f.biz_id as "bizId",
        f.bucket as "bucket",
        f.object_key as "objectKey",
        f.original_filename as "originalFilename",
        f.file_size as "fileSize",
        f.content_type as "contentType",
        f.category::text as "fileCategory",
        f.status::text as "fileStatus",
        f.etag as "etag",
        f.remark as "remark",
        to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        f.created_by as "createdBy"
      from files f
      where true
        and f.institution_id = place.institution_id
        and f.mode = place.mode
        and f.deleted_at is null
        and f.workspace_id = (select id from workspaces where biz_id = :filter.workspaceBizId)
        and f.category = :filter.fileCategory::file_category
        and f.status = :filter.fileStatus::file_status
      order by f.created_at desc, f.id desc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, filtered by the same
with place as materialized (
  select member.*, :place.mode::key_mode as mode
  from (
    select m.institution_id,
      case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
    from (values (1)) asked
    left join accounts a on a.biz_id = :place.account
      and a.status = 'ACTIVE'
      and (:place.signIn::uuid is null or exists (
        select 1
        from sign_ins s
        where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
      ))
    left join institutions i on i.biz_id = :place.institution
    left join institution_members m on m.account_id = a.id and m.institution_id = i.id
  ) member
),
seek as materialized (
  select s.*
  from place, lateral tally_seek(
    'files',
    array[place.institution_id, place.mode]::text[],
    array[
      coalesce(((select id from workspaces where biz_id = :filter.workspaceBizId))::text, ''),
      coalesce((:filter.fileCategory::file_category)::text, ''),
      coalesce((:filter.fileStatus::file_status)::text, '')
    ]::text[],
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
      select f.id as id
      from files f
      where true
        and f.institution_id = place.institution_id
        and f.mode = place.mode
        and f.deleted_at is null
        and f.workspace_id = (select id from workspaces where biz_id = :filter.workspaceBizId)
        and f.category = :filter.fileCategory::file_category
        and f.status = :filter.fileStatus::file_status
        and f.created_at >= seek.first_time
      order by f.created_at asc, f.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
    union all
    select found.id, row_number() over () as position
    from (
      select f.id as id
      from files f
      where true
        and f.institution_id = place.institution_id
        and f.mode = place.mode
        and f.deleted_at is null
        and f.workspace_id = (select id from workspaces where biz_id = :filter.workspaceBizId)
        and f.category = :filter.fileCategory::file_category
        and f.status = :filter.fileStatus::file_status
        and f.created_at < seek.end_time
      order by f.created_at desc, f.id desc
      limit case when seek.forward then 0 else seek.take end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select f.biz_id as "bizId",
      f.bucket as "bucket",
      f.object_key as "objectKey",
      f.original_filename as "originalFilename",
      f.file_size as "fileSize",
      f.content_type as "contentType",
      f.category::text as "fileCategory",
      f.status::text as "fileStatus",
      f.etag as "etag",
      f.remark as "remark",
      to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      f.created_by as "createdBy"
    from files f
    where f.id = picked.id
    limit 1
  ) record
) rows on true;

-- The first page, sorted by fileStatus
with place as materialized (
  select member.*, :place.mode::key_mode as mode
  from (
    select m.institution_id,
      case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
    from (values (1)) asked
    left join accounts a on a.biz_id = :place.account
      and a.status = 'ACTIVE'
      and (:place.signIn::uuid is null or exists (
        select 1
        from sign_ins s
        where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
      ))
    left join institutions i on i.biz_id = :place.institution
    left join institution_members m on m.account_id = a.id and m.institution_id = i.id
  ) member
)
select place.missing,
  coalesce((
    select t.n
    from tally_totals t
    where t.tally = 'files'
      and t.scope = array[place.institution_id, place.mode]::text[]
      and t.dims = array[null, null, null]::text[]
  ), 0) + coalesce((
    select sum(d.n)
    from tally_deltas d
    where d.tally = 'files' and d.scope = array[place.institution_id, place.mode]::text[]
  ), 0) as total,
  (
    select json_agg(record)::text
    from (
      select f.biz_id as "bizId",
        f.bucket as "bucket",
        f.object_key as "objectKey",
        f.original_filename as "originalFilename",
        f.file_size as "fileSize",
        f.content_type as "contentType",
        f.category::text as "fileCategory",
        f.status::text as "fileStatus",
        f.etag as "etag",
        f.remark as "remark",
        to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        f.created_by as "createdBy"
      from files f
      where true and f.institution_id = place.institution_id and f.mode = place.mode and f.deleted_at is null
      order by f.status asc, f.created_at asc, f.id asc
      limit :page.size::int
    ) record
  ) as content
from place;

-- Any other page, sorted by fileStatus
with place as materialized (
  select member.*, :place.mode::key_mode as mode
  from (
    select m.institution_id,
      case when a.id is null then 'account' when m.account_id is null then 'member' end as missing
    from (values (1)) asked
    left join accounts a on a.biz_id = :place.account
      and a.status = 'ACTIVE'
      and (:place.signIn::uuid is null or exists (
        select 1
        from sign_ins s
        where s.id = :place.signIn::uuid and s.account_id = a.id and s.revoked_at is null
      ))
    left join institutions i on i.biz_id = :place.institution
    left join institution_members m on m.account_id = a.id and m.institution_id = i.id
  ) member
),
seek as materialized (
  select s.*
  from place, lateral tally_seek(
    'files',
    array[place.institution_id, place.mode]::text[],
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
      select f.id as id
      from files f
      where true and f.institution_id = place.institution_id and f.mode = place.mode and f.deleted_at is null
      order by f.status asc, f.created_at asc, f.id asc
      limit case when seek.forward then seek.take else 0 end offset seek.skip
    ) found
    union all
    select found.id, -row_number() over () as position
    from (
      select f.id as id
      from files f
      where true and f.institution_id = place.institution_id and f.mode = place.mode and f.deleted_at is null
      order by f.status desc, f.created_at desc, f.id desc
      limit case when seek.forward then 0 else seek.take end offset seek.skip
    ) found
  ) picked
  cross join lateral (
    select f.biz_id as "bizId",
      f.bucket as "bucket",
      f.object_key as "objectKey",
      f.original_filename as "originalFilename",
      f.file_size as "fileSize",
      f.content_type as "contentType",
      f.category::text as "fileCategory",
      f.status::text as "fileStatus",
      f.etag as "etag",
      f.remark as "remark",
      to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      f.created_by as "createdBy"
    from files f
    where f.id = picked.id
    limit 1
  ) record
) rows on true;
