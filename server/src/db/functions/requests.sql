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

create or replace function request_latency_add(a int[], b int[]) returns int[] language sql immutable
return (select array_agg(u.a + u.b order by u.i) from unnest(a, b) with ordinality u(a, b, i));

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
  update request_series s set n = s.n - gone.n
  from (select h.series_id, sum(h.n) as n from request_hours h where h.hour >= since and h.hour < since + interval '1 day' group by 1) gone
  where s.id = gone.series_id;
  delete from request_hours h where h.hour >= since and h.hour < since + interval '1 day';
  delete from request_days d where d.day = since;
  delete from request_series s where s.n = 0;
  execute format('drop table %I, %I', 'requests_' || name, 'request_minutes_' || name);
  return true;
end $$;

create or replace function request_kept_days() returns table (day date) stable language sql as $$
  select to_date(right(c.relname, 8), 'YYYYMMDD') from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'requests'::regclass
$$;

-- Writes a batch: {"series": [{key, code, class, n, last}], "rows": [{s, at, id, method, route, status, ms, ip}]}, where s is the
-- place of a row's series, from 1, and times are epoch milliseconds. What names no key that there is leaves nothing. Series are locked
-- in one order, and before them the table, as by who drops a day: so nobody waits in a circle. Returns how many rows were kept; null
-- when the batch was written before.
create or replace function request_write(batch uuid, given json) returns int language plpgsql set jit = off as $$
declare
  series int[];
  workspaces bigint[];
  each_day date;
  kept int;
begin
  lock table requests in row exclusive mode;
  insert into request_batches (id, written_at) values (batch, now()) on conflict do nothing;
  if not found then return null; end if;
  for each_day in
    select distinct (to_timestamp(r.at / 1000) at time zone 'UTC')::date from json_to_recordset(given -> 'rows') as r(at float8)
  loop
    call request_make_day(each_day);
  end loop;
  with named as materialized (
    select a.*, k.workspace_id, k.name, k.mode
    from rows from (json_to_recordset(given -> 'series') as (key text, code text, class smallint, n int, last float8)) with ordinality a(key, code, class, n, last, place)
    left join api_keys k on k.id = a.key
  ), counted as (
    insert into request_series as old (workspace_id, api_key_id, api_key_name, mode, code, status_class, n, last_at)
    select workspace_id, key, name, mode, code, class, n, to_timestamp(last / 1000) from named
    where workspace_id is not null order by workspace_id, key, code
    on conflict (workspace_id, api_key_id, code) do update
    set n = old.n + excluded.n, last_at = greatest(old.last_at, excluded.last_at), api_key_name = excluded.api_key_name
    returning id, api_key_id, code
  )
  select array_agg(c.id order by a.place), array_agg(a.workspace_id order by a.place) into series, workspaces
  from named a left join counted c on c.api_key_id = a.key and c.code = a.code;
  with rows as materialized (
    select series[r.s] as series_id, workspaces[r.s] as workspace_id, to_timestamp(r.at / 1000)::timestamptz(3) as occurred_at, r.*
    from json_to_recordset(given -> 'rows') as r(s int, at float8, id text, method text, route text, status smallint, ms int, ip text)
    where series[r.s] is not null
  ), stored as (
    insert into requests (series_id, workspace_id, occurred_at, request_id, method, route, status, duration_ms, ip_address)
    select series_id, workspace_id, occurred_at, id, method, route, status, ms, ip from rows
  ), hours as (
    insert into request_hours as old (series_id, hour, n, latency)
    select series_id, date_bin('1 hour', occurred_at, 'epoch'), count(*), request_latency(array_agg(ms)) from rows group by 1, 2
    on conflict (series_id, hour) do update set n = old.n + excluded.n, latency = request_latency_add(old.latency, excluded.latency)
  ), days as (
    insert into request_days as old (series_id, day, n, latency)
    select series_id, date_bin('1 day', occurred_at, 'epoch'), count(*), request_latency(array_agg(ms)) from rows group by 1, 2
    on conflict (series_id, day) do update set n = old.n + excluded.n, latency = request_latency_add(old.latency, excluded.latency)
  ), minutes as (
    insert into request_minutes as old (series_id, minute, n)
    select series_id, date_bin('1 minute', occurred_at, 'epoch'), count(*) from rows group by 1, 2
    on conflict (series_id, minute) do update set n = old.n + excluded.n
  )
  select count(*) into kept from rows;
  return kept;
end $$;

-- How many rows of series are older than a point in time: whole hours, whole minutes, and the rows of the last one.
create or replace function request_rank(series int[], point timestamptz) returns bigint stable language sql
set enable_seqscan = off set enable_bitmapscan = off as $$
  select (select coalesce(sum(h.n), 0) from request_hours h where h.series_id = any (series) and h.hour < date_bin('1 hour', point, 'epoch'))
    + (select coalesce(sum(m.n), 0) from request_minutes m where m.series_id = any (series)
      and m.minute >= date_bin('1 hour', point, 'epoch') and m.minute < date_bin('1 minute', point, 'epoch'))
    + (select count(*) from requests r where r.series_id = any (series)
      and r.occurred_at >= date_bin('1 minute', point, 'epoch') and r.occurred_at < point)
$$;

-- The minute that holds the row at a position, oldest first, and how many rows are older than it.
create or replace function request_find(series int[], place bigint, out start timestamptz, out older bigint) stable language plpgsql
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  hour timestamptz;
  before bigint;
begin
  select c.hour, c.upto - c.n into hour, before from (
    select h.hour, sum(h.n) as n, sum(sum(h.n)) over (order by h.hour) as upto
    from request_hours h where h.series_id = any (series) group by h.hour
  ) c where c.upto > place order by c.hour limit 1;
  select c.minute, before + c.upto - c.n into start, older from (
    select m.minute, sum(m.n) as n, sum(sum(m.n)) over (order by m.minute) as upto
    from request_minutes m where m.series_id = any (series) and m.minute >= hour and m.minute < hour + interval '1 hour' group by m.minute
  ) c where before + c.upto > place order by c.minute limit 1;
end $$;

-- Rows of series in a span of time, some passed over and some taken, from its older or its newer end. Each series is walked along its
-- index, for no more rows than that.
create or replace function request_rows(series int[], since timestamptz, until timestamptz, skip bigint, take bigint, forward boolean)
returns setof requests stable language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  if forward then
    return query select r.* from unnest(series) s(id) cross join lateral (
      select * from requests q where q.series_id = s.id and q.occurred_at >= since and q.occurred_at < until order by q.occurred_at, q.id limit skip + take
    ) r order by r.occurred_at, r.id limit take offset skip;
  else
    return query select r.* from unnest(series) s(id) cross join lateral (
      select * from requests q where q.series_id = s.id and q.occurred_at >= since and q.occurred_at < until order by q.occurred_at desc, q.id desc limit skip + take
    ) r order by r.occurred_at desc, r.id desc limit take offset skip;
  end if;
end $$;

-- The exact total of series that have so many rows (within a range of time, if asked), and a page of them.
create or replace function request_page(
  series int[], whole bigint, time_from timestamptz, time_to timestamptz, descending boolean, page_offset bigint, page_size int,
  out total bigint, out picked requests[]
) stable language plpgsql as $$
declare
  -- As many rows are skipped without looking for a nearer place.
  near constant bigint := 256;
  older bigint := 0;
  newer bigint;
  first bigint;
  take bigint;
  since timestamptz := '-infinity';
  until timestamptz := 'infinity';
  before bigint := 0;
  forward boolean;
  skip bigint;
begin
  newer := whole;
  if time_from is not null then older := request_rank(series, time_from); end if;
  if time_to is not null then newer := greatest(request_rank(series, time_to), older); end if;
  total := newer - older;
  take := greatest(least(page_size, total - page_offset), 0);
  if take = 0 then return; end if;
  first := case when descending then newer - page_offset - take else older + page_offset end;
  if least(first, whole - first - take) > near then
    select f.start, f.older into since, before from request_find(series, first) f;
    select f.start + interval '1 minute' into until from request_find(series, first + take - 1) f;
    whole := null; -- of the span it is not known
  end if;
  forward := whole is null or first <= whole - first - take;
  skip := case when forward then first - before else whole - first - take end;
  select array_agg(r order by case when descending then r.occurred_at end desc, case when descending then r.id end desc, r.occurred_at, r.id)
  into picked from request_rows(series, since, until, skip, take, forward) r;
end $$;
