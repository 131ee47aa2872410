-- Revision 1
-- How the log of requests is written and read. docs/decisions/0055-requests.md says why it is made like this.

-- Milliseconds; each is about 1.4 times the one before, so a percentile is as exact.
create or replace function request_latency_bounds() returns int[] language sql immutable
return '{1,2,3,5,7,10,15,20,30,50,70,100,150,200,300,500,700,1000,1500,2000,3000,5000,7000,10000}'::int[];

-- How many lie below each bound, and beyond all of them.
create or replace function request_latency(durations int[]) returns int[] immutable language plpgsql as $$
declare
  bounds int[] := request_latency_bounds();
  counts int[] := array_fill(0, array[cardinality(bounds) + 1]);
  ms int;
  place int;
begin
  foreach ms in array durations loop
    place := width_bucket(ms, bounds) + 1;
    counts[place] := counts[place] + 1;
  end loop;
  return counts;
end $$;

-- Counts one by one. Unnesting them takes three times as long.
create or replace function request_add(a int[], b int[]) returns int[] immutable strict language plpgsql as $$
begin
  for i in 1 .. cardinality(a) loop a[i] := a[i] + b[i]; end loop;
  return a;
end $$;

create or replace aggregate request_sum(int[]) (sfunc = request_add, stype = int[]);

-- So many of a minute, and more, are counted by the second: as many bytes as the counts take.
create or replace function request_are_few(n bigint) returns boolean language sql immutable
return n < 240;

-- A byte for each row that says its second, given in which seconds how many were.
create or replace function request_bytes(second int, n bigint) returns bytea language sql immutable
return decode(repeat(lpad(to_hex(second), 2, '0'), n::int), 'hex');

-- Counts of a minute by the second, with others, if there are, and with rows that have a byte each.
create or replace function request_seconds(counts int[], others int[], few bytea) returns int[] immutable language plpgsql as $$
declare
  place int;
begin
  counts := coalesce(request_add(counts, others), counts, others, array_fill(0, array[60]));
  for i in 0 .. coalesce(length(few), 0) - 1 loop
    place := get_byte(few, i) + 1;
    counts[place] := counts[place] + 1;
  end loop;
  return counts;
end $$;

-- Makes the partitions of a day. A table that is attached locks nobody out; one that is made as a partition would.
create or replace procedure request_make_day(day date) language plpgsql as $$
declare
  part record;
begin
  if to_regclass('requests_' || to_char(day, 'YYYYMMDD')) is not null then return; end if;
  -- A lock of the table, and not an advisory one: only then does this session see what another made meanwhile.
  lock table requests in share update exclusive mode;
  if to_regclass('requests_' || to_char(day, 'YYYYMMDD')) is not null then return; end if;
  for part in select parent, parent || to_char(day, '_YYYYMMDD') as name from (values ('requests'), ('request_minutes')) p(parent) loop
    execute format('create table %I (like %I including defaults including constraints)', part.name, part.parent);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', part.parent, part.name,
      day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
  end loop;
end $$;

-- Takes away the oldest day before another, with its counts. Returns whether there was one. Readers and writers wait for it, so it
-- waits for them only for a moment.
create or replace function request_drop_day(before date) returns boolean language plpgsql set lock_timeout = '500ms' as $$
declare
  name text;
  since timestamptz;
begin
  if not exists (select from request_kept_days() d where d.day < before) then return false; end if;
  lock table requests, request_minutes in access exclusive mode;
  select to_char(d.day, 'YYYYMMDD'), d.day::timestamp at time zone 'UTC' into name, since from request_kept_days() d where d.day < before order by d.day limit 1;
  if not found then return false; end if;
  with hours as (
    delete from request_hours h where date_bin('1 day', h.hour, 'epoch') = since returning h.series_id
  ), days as (
    delete from request_days d using (select distinct series_id from hours) gone where d.series_id = gone.series_id and d.day = since returning d.series_id, d.n
  )
  update request_series s set n = s.n - days.n from days where s.id = days.series_id;
  delete from request_series s where s.n = 0;
  execute format('drop table %I, %I', 'requests_' || name, 'request_minutes_' || name);
  return true;
end $$;

create or replace function request_kept_days() returns table (day date) stable language sql as $$
  select to_date(right(c.relname, 8), 'YYYYMMDD') from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'requests'::regclass
$$;

-- Writes a batch: {"days": [day], "series": [{key, code, class, n, last}], "rows": [{s, at, id, method, route, status, ms, ip}]}, where
-- s is the place of a row's series, from 1, times are epoch milliseconds, and days are those of the rows, since the epoch: to look for
-- them in the rows takes a fifth of all. What names no key that there is leaves nothing. Series are locked in one order, and before them
-- the table, as by who drops a day: so nobody waits in a circle. Returns how many rows were kept; null when the batch was written before.
create or replace function request_write(batch uuid, given json) returns int language plpgsql set jit = off as $$
declare
  series int[];
  groups int[];
  workspaces bigint[];
  each_day date;
  kept int;
begin
  lock table requests in row exclusive mode;
  insert into request_batches (id, written_at) values (batch, now()) on conflict do nothing;
  if not found then return null; end if;
  for each_day in
    select date 'epoch' + day::int from json_array_elements_text(given -> 'days') day
  loop
    call request_make_day(each_day);
  end loop;
  with named as materialized (
    select a.*, k.workspace_id, k.name, k.mode
    from rows from (json_to_recordset(given -> 'series') as (key text, code text, class smallint, n int, last float8)) with ordinality a(key, code, class, n, last, place)
    left join api_keys k on k.id = a.key
  ), counted as (
    insert into request_series as old (workspace_id, api_key_id, api_key_name, mode, code, status_class, n, last_at)
    select * from (
      select workspace_id, key, name, mode, code, class, n, to_timestamp(last / 1000) from named
      union all
      select workspace_id, '', '', mode, code, min(class), sum(n), to_timestamp(max(last) / 1000) from named group by workspace_id, mode, code
    ) a where workspace_id is not null order by workspace_id, key, mode, code
    on conflict (workspace_id, api_key_id, mode, code) do update
    set n = old.n + excluded.n, last_at = greatest(old.last_at, excluded.last_at), api_key_name = excluded.api_key_name
    returning id, workspace_id, api_key_id, mode, code
  )
  select array_agg(c.id order by a.place), array_agg(g.id order by a.place), array_agg(a.workspace_id order by a.place) into series, groups, workspaces
  from named a left join counted c on c.api_key_id = a.key and c.code = a.code
  left join counted g on g.api_key_id = '' and g.workspace_id = a.workspace_id and g.mode = a.mode and g.code = a.code;
  with rows as materialized (
    select series[r.s] as series_id, groups[r.s] as group_id, workspaces[r.s] as workspace_id, to_timestamp(r.at / 1000)::timestamptz(3) as occurred_at, r.*
    from json_to_recordset(given -> 'rows') as r(s int, at float8, id text, method text, route text, status smallint, ms int, ip text)
    where series[r.s] is not null
  ), stored as (
    insert into requests (series_id, workspace_id, occurred_at, request_id, method, route, status, duration_ms, ip_address)
    select series_id, workspace_id, occurred_at, id, method, route, status, ms, ip from rows
  ), by_hour as materialized (
    select series_id, date_bin('1 hour', occurred_at, 'epoch') as hour, count(*) as n, request_latency(array_agg(ms)) as latency from rows group by 1, 2
    union all
    select group_id, date_bin('1 hour', occurred_at, 'epoch'), count(*), request_latency(array_agg(ms)) from rows group by 1, 2
  ), hours as (
    insert into request_hours as old (series_id, hour, n, latency) select * from by_hour
    on conflict (series_id, hour) do update set n = old.n + excluded.n, latency = request_add(old.latency, excluded.latency)
  ), days as (
    insert into request_days as old (series_id, day, n, latency)
    select series_id, date_bin('1 day', hour, 'epoch'), sum(n), request_sum(latency) from by_hour group by 1, 2
    on conflict (series_id, day) do update set n = old.n + excluded.n, latency = request_add(old.latency, excluded.latency)
  ), by_second as (
    select series_id, date_bin('1 second', occurred_at, 'epoch') as second, count(*) as n from rows group by 1, 2
    union all
    select group_id, date_bin('1 second', occurred_at, 'epoch'), count(*) from rows group by 1, 2
  ), by_minute as (
    select series_id, date_bin('1 minute', second, 'epoch') as minute, sum(n)::int8 as n,
      string_agg(request_bytes(extract(second from second)::int, n), '') as bytes
    from by_second group by 1, 2
  ), minutes as (
    insert into request_minutes as old (series_id, minute, n, few, seconds)
    select series_id, minute, n, case when request_are_few(n) then bytes end, case when not request_are_few(n) then request_seconds(null, null, bytes) end
    from by_minute
    on conflict (series_id, minute) do update set n = old.n + excluded.n,
      few = case when request_are_few(old.n + excluded.n) then old.few || excluded.few end,
      seconds = case when not request_are_few(old.n + excluded.n)
        then request_seconds(old.seconds, excluded.seconds, coalesce(old.few, '') || coalesce(excluded.few, '')) end
  )
  select count(*) into kept from rows;
  return kept;
end $$;

-- A page is found by counts, those of the series `counted`, and read from the rows of the series `walked`, which are the same requests.
-- It reads the rows of the seconds in which it begins and ends, and looks once for each series that is walked.

-- How many rows are older than a point in time: whole days, hours, minutes and seconds, and the rows of the last one.
create or replace function request_rank(counted int[], walked int[], point timestamptz) returns bigint stable language plpgsql as $$
declare
  the_day timestamptz := date_bin('1 day', point, 'epoch');
  the_hour timestamptz := date_bin('1 hour', point, 'epoch');
  the_minute timestamptz := date_bin('1 minute', point, 'epoch');
  the_second timestamptz := date_bin('1 second', point, 'epoch');
  rank bigint;
begin
  rank := (select coalesce(sum(d.n), 0) from request_days d where d.series_id = any (counted) and d.day < the_day)
    + (select coalesce(sum(h.n), 0) from request_hours h where h.series_id = any (counted) and h.hour >= the_day and h.hour < the_hour)
    + (select coalesce(sum(m.n), 0) from request_minutes m where m.series_id = any (counted) and m.minute >= the_hour and m.minute < the_minute);
  if the_minute < the_second then
    rank := rank + (select coalesce(sum(u.n), 0) from request_minutes m
      cross join lateral unnest((request_seconds(m.seconds, null, m.few))[:extract(second from the_second)::int]) u(n)
      where m.series_id = any (counted) and m.minute = the_minute);
  end if;
  if the_second < point then
    rank := rank + (select count(*) from requests r where r.series_id = any (walked) and r.occurred_at >= the_second and r.occurred_at < point);
  end if;
  return rank;
end $$;

-- The span of time that holds the row at a position, oldest first, and how many rows are older than its start and than its end. It is
-- a second, or a minute with few rows.
create or replace function request_find(counted int[], place bigint, out since timestamptz, out until timestamptz, out older bigint, out upto bigint)
stable language plpgsql as $$
begin
  select c.day, c.upto - c.n into since, older from (
    select d.day, sum(d.n) as n, sum(sum(d.n)) over (order by d.day) as upto
    from request_days d where d.series_id = any (counted) group by d.day
  ) c where c.upto > place order by c.day limit 1;
  select c.hour, older + c.upto - c.n into since, older from (
    select h.hour, sum(h.n) as n, sum(sum(h.n)) over (order by h.hour) as upto
    from request_hours h where h.series_id = any (counted) and h.hour >= since and h.hour < since + interval '1 day' group by h.hour
  ) c where older + c.upto > place order by c.hour limit 1;
  select c.minute, c.minute + interval '1 minute', older + c.upto - c.n, older + c.upto into since, until, older, upto from (
    select m.minute, sum(m.n) as n, sum(sum(m.n)) over (order by m.minute) as upto
    from request_minutes m where m.series_id = any (counted) and m.minute >= since and m.minute < since + interval '1 hour' group by m.minute
  ) c where older + c.upto > place order by c.minute limit 1;
  if request_are_few(upto - older) then return; end if;
  select since + c.second * interval '1 second', since + (c.second + 1) * interval '1 second', older + c.upto - c.n, older + c.upto
  into since, until, older, upto from (
    select u.i - 1 as second, sum(u.n) as n, sum(sum(u.n)) over (order by u.i) as upto
    from request_minutes m cross join lateral unnest(request_seconds(m.seconds, null, m.few)) with ordinality u(n, i)
    where m.series_id = any (counted) and m.minute = since group by u.i
  ) c where older + c.upto > place order by c.second limit 1;
end $$;

-- The exact total of series that have so many rows (within a range of time, if asked), and a page of them.
create or replace function request_page(
  counted int[], walked int[], whole bigint, time_from timestamptz, time_to timestamptz, descending boolean, page_offset bigint, page_size int,
  out total bigint, out picked requests[]
) stable language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  older bigint := 0;
  newer bigint;
  take bigint;
  first bigint;
  start record;
  finish record;
begin
  newer := whole;
  if time_from is not null then older := request_rank(counted, walked, time_from); end if;
  if time_to is not null then newer := greatest(request_rank(counted, walked, time_to), older); end if;
  total := newer - older;
  take := greatest(least(page_size, total - page_offset), 0);
  if take = 0 then return; end if;
  first := case when descending then newer - page_offset - take else older + page_offset end;
  select * into start from request_find(counted, first);
  finish := start;
  if first + take > start.upto then select * into finish from request_find(counted, first + take - 1); end if;
  select array_agg(r order by case when descending then r.occurred_at end desc, case when descending then r.id end desc, r.occurred_at, r.id) into picked from (
    select * from requests q where q.series_id = any (walked) and q.occurred_at >= start.since and q.occurred_at < finish.until
    order by q.occurred_at, q.id limit take offset first - start.older
  ) r;
end $$;
