-- The tally: exact counts of growing tables, kept beside them, so that a total is a lookup and any page of the default
-- order is near a known place. docs/decisions/0020-tally.md says why it is made like this.
--
-- Writers append deltas. One folder at a time adds them to the totals and buckets. At every moment, for every reader:
--   rows of the table  =  totals (or buckets)  +  deltas that wait

create table tallies (
  name text collate "C" primary key,
  relation text not null,
  -- The rows that count.
  counted text not null,
  -- Columns that keep one caller's rows from another's, and those that a caller filters by.
  scope_columns text[] not null,
  dim_columns text[] not null check (cardinality(dim_columns) between 1 and 4),
  time_column text not null
);

-- Appended by triggers, one row for each group of rows that a statement added (n > 0) or took away (n < 0).
create table tally_deltas (
  id bigint generated always as identity primary key,
  tally text collate "C" not null,
  scope text[] collate "C" not null,
  dims text[] collate "C" not null,
  hour timestamptz not null,
  n int not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index tally_deltas_scope on tally_deltas (tally, scope);

-- One row for each scope and combination of dimensions; null in dims stands for any value.
create table tally_totals (
  id bigint generated always as identity primary key,
  tally text collate "C" not null,
  scope text[] collate "C" not null,
  dims text[] collate "C" not null,
  depth int not null default 0,
  n bigint not null,
  unique (tally, scope, dims)
) with (fillfactor = 50);

-- How a total is spread over time, down to the level that its depth asks for.
create table tally_buckets (
  total_id bigint not null,
  level int not null,
  start timestamptz not null,
  n bigint not null,
  primary key (total_id, level, start)
) with (fillfactor = 70);

create table tally_levels (
  level int primary key,
  unit text not null,
  -- Totals of this depth or more have the level.
  depth int not null
);
insert into tally_levels values (1, 'month', 1), (2, 'day', 1), (3, 'hour', 2);

-- A few rows are skipped faster than looked up; without this the buckets of a sparse table outnumber its rows.
create function tally_depth(n bigint) returns int language sql immutable
return case when n > 100000 then 2 when n > 1000 then 1 else 0 end;

-- As many rows are skipped without looking for a nearer place.
create function tally_near() returns bigint language sql immutable return 256;

create function tally_bucket_end(start timestamptz, unit text) returns timestamptz language sql immutable
return (start at time zone 'UTC' + ('1 ' || unit)::interval) at time zone 'UTC';

-- The combination that a mask makes of full dimensions: a bit that is 0 stands for any value.
create function tally_combination(dims text[], mask int) returns text[] language sql immutable
return (select array_agg(case when (mask >> (i::int - 1)) & 1 = 1 then v end order by i) from unnest(dims) with ordinality u(v, i));

-- Whether full dimensions belong to a combination.
create function tally_matches(dims text[], combination text[]) returns boolean language sql immutable
return (combination[1] is null or dims[1] = combination[1]) and (combination[2] is null or dims[2] = combination[2])
   and (combination[3] is null or dims[3] = combination[3]) and (combination[4] is null or dims[4] = combination[4]);

create function tally_lock_id() returns bigint language sql immutable return 7023640002;

-- Conditions on the table that select the rows of a scope and combination, written so that its indexes serve.
create function tally_where(t tallies, scope text[], combination text[]) returns text language sql immutable
return t.counted
  || (select string_agg(format(' and %I = %L', c, scope[i]), '') from unnest(t.scope_columns) with ordinality u(c, i))
  || coalesce((select string_agg(format(' and %I = %L', c, combination[i]), '')
     from unnest(t.dim_columns) with ordinality u(c, i) where combination[i] is not null), '');

-- The select list that turns a row of the table into scope, dims and hour.
create function tally_columns(t tallies) returns text language sql immutable
return format('array[%s]::text[] as scope, array[%s]::text[] as dims, date_bin(''1 hour'', %I, ''epoch'') as hour',
  (select string_agg(format('%I::text', c), ', ' order by i) from unnest(t.scope_columns) with ordinality u(c, i)),
  (select string_agg(format('%I::text', c), ', ' order by i) from unnest(t.dim_columns) with ordinality u(c, i)),
  t.time_column);

-- Starts to keep the tally of a table. The table is locked against writers until the transaction ends.
create procedure tally_attach(t tallies) language plpgsql as $$
declare
  append text := format('insert into tally_deltas (tally, scope, dims, hour, n) select %L, scope, dims, hour, sum(n) from ', t.name);
  part text := format('select %s, %%s as n from %%s where %s', tally_columns(t), t.counted);
  ends text := ' counted group by scope, dims, hour having sum(n) <> 0';
  added text := format(part, '1', 'added');
  removed text := format(part, '-1', 'removed');
  body text;
  event record;
begin
  insert into tallies select t.*;
  for event in values
    ('insert', 'after insert', 'referencing new table as added', added),
    ('update', 'after update', 'referencing new table as added old table as removed', added || ' union all ' || removed),
    ('delete', 'after delete', 'referencing old table as removed', removed),
    ('truncate', 'before truncate', '', format(part, '-1', t.relation))
  loop
    body := append || '(' || event.column4 || ')' || ends;
    execute format('create function %I() returns trigger language plpgsql as %L',
      'tally_' || t.name || '_' || event.column1, 'begin ' || body || '; return null; end');
    execute format('create trigger %I %s on %s %s for each statement execute function %I()',
      'tally_' || event.column1, event.column2, t.relation, event.column3, 'tally_' || t.name || '_' || event.column1);
  end loop;
  call tally_rebuild(t.name);
end $$;

-- Gives a total the buckets of its depth. What the table has and no delta speaks of is what was folded: both are read in one
-- snapshot, so it is exact while writers go on.
create procedure tally_deepen(total tally_totals) language plpgsql as $$
declare
  t tallies;
begin
  select * into strict t from tallies where name = total.tally;
  execute format($sql$
    insert into tally_buckets (total_id, level, start, n)
    select $1, l.level, date_trunc(l.unit, h.hour, 'UTC'), sum(h.n)
    from (
      select date_bin('1 hour', %I, 'epoch') as hour, count(*) as n from %s where %s group by 1
      union all
      select hour, -n from tally_deltas where tally = $2 and scope = $3 and tally_matches(dims, $4)
    ) h join tally_levels l on l.depth > $5 and l.depth <= tally_depth($6)
    group by 2, 3 having sum(h.n) <> 0$sql$,
    t.time_column, t.relation, tally_where(t, total.scope, total.dims))
  using total.id, total.tally, total.scope, total.dims, total.depth, total.n;
  update tally_totals set depth = tally_depth(n) where id = total.id;
end $$;

-- Adds a batch of deltas to totals and buckets. Returns how many it took; none when another instance is folding.
create function tally_fold(batch int) returns int language plpgsql as $$
declare
  taken int;
  grown bigint[];
  total tally_totals;
begin
  if not pg_try_advisory_xact_lock(tally_lock_id()) then return 0; end if;
  with taken as (
    delete from tally_deltas where id in (select id from tally_deltas order by id limit batch)
    returning tally, scope, dims, hour, n
  ), grouped as (
    select tally, scope, dims, hour, sum(n) as n from taken group by 1, 2, 3, 4
  ), leaves as (
    select tally, scope, dims, sum(n)::bigint as n from grouped group by 1, 2, 3
  ), combined as (
    select tally, scope, dims, n, tally_combination(dims, mask) as combination
    from leaves cross join generate_series(0, (1 << cardinality(dims)) - 1) mask
  ), totals as (
    insert into tally_totals as old (tally, scope, dims, n)
    select tally, scope, combination, sum(n) from combined group by 1, 2, 3
    on conflict (tally, scope, dims) do update set n = old.n + excluded.n
    returning id, tally, scope, dims, depth, n
  ), buckets as (
    insert into tally_buckets as old (total_id, level, start, n)
    select totals.id, l.level, date_trunc(l.unit, g.hour, 'UTC'), sum(g.n)
    from totals
    join combined c on c.tally = totals.tally and c.scope = totals.scope and c.combination = totals.dims
    join grouped g on g.tally = c.tally and g.scope = c.scope and g.dims = c.dims
    join tally_levels l on l.depth <= totals.depth
    where totals.depth > 0
    group by 1, 2, 3 having sum(g.n) <> 0
    on conflict (total_id, level, start) do update set n = old.n + excluded.n
  )
  select (select count(*) from taken), array(select id from totals where depth < tally_depth(n)) into taken, grown;
  for total in select * from tally_totals where id = any (grown) loop
    call tally_deepen(total);
  end loop;
  return taken;
end $$;

-- Counts the table anew. Writers go on; folding waits.
create procedure tally_rebuild(tally_name text) language plpgsql as $$
declare
  t tallies;
  total tally_totals;
begin
  perform pg_advisory_xact_lock(tally_lock_id());
  select * into strict t from tallies where name = tally_name;
  delete from tally_buckets where total_id in (select id from tally_totals where tally = t.name);
  delete from tally_totals where tally = t.name;
  execute format($sql$
    insert into tally_totals (tally, scope, dims, n)
    select $1, scope, tally_combination(dims, mask), sum(n) from (
      select scope, dims, sum(n)::bigint as n from (
        select scope, dims, count(*) as n from (select %s from %s where %s) r group by 1, 2
        union all
        select scope, dims, -n from tally_deltas where tally = $1
      ) parts group by 1, 2
    ) leaves cross join generate_series(0, (1 << cardinality(dims)) - 1) mask
    group by 2, 3 having sum(n) <> 0$sql$, tally_columns(t), t.relation, t.counted) using t.name;
  for total in select * from tally_totals where tally = t.name and depth < tally_depth(n) loop
    call tally_deepen(total);
  end loop;
end $$;

-- Every count that is not what the table says: none, unless something wrote around the triggers.
create function tally_verify(tally_name text)
returns table (scope text[], dims text[], level int, start timestamptz, counted bigint, tallied bigint) stable language plpgsql as $$
declare
  t tallies;
begin
  select * into strict t from tallies where name = tally_name;
  return query execute format($sql$
    with hours as materialized (
      select scope, dims, hour, sum(n)::bigint as n from (
        select scope, dims, hour, count(*) as n from (select %s from %s where %s) r group by 1, 2, 3
        union all
        select scope, dims, hour, -n from tally_deltas where tally = $1
      ) parts group by 1, 2, 3
    ), combined as materialized (
      select scope, dims, tally_combination(dims, mask) as combination
      from (select distinct scope, dims from hours) d cross join generate_series(0, (1 << cardinality(dims)) - 1) mask
    ), leaves as (
      select scope, dims, sum(n)::bigint as n from hours group by 1, 2
    ), totals as (
      select scope, combination as dims, sum(n)::bigint as n from combined join leaves using (scope, dims) group by 1, 2
    ), buckets as (
      select c.scope, c.combination as dims, l.level, date_trunc(l.unit, h.hour, 'UTC') as start, sum(h.n)::bigint as n
      from combined c join hours h using (scope, dims)
      join tally_totals o on o.tally = $1 and o.scope = c.scope and o.dims = c.combination
      join tally_levels l on l.depth <= o.depth
      group by 1, 2, 3, 4
    )
    select scope, dims, 0, null::timestamptz, coalesce(e.n, 0), coalesce(o.n, 0)
    from totals e full join (select * from tally_totals where tally = $1) o using (scope, dims)
    where coalesce(e.n, 0) <> coalesce(o.n, 0)
    union all
    select scope, dims, level, start, coalesce(e.n, 0), coalesce(o.n, 0)
    from buckets e full join (
      select o.scope, o.dims, b.level, b.start, b.n from tally_buckets b join tally_totals o on o.id = b.total_id where o.tally = $1
    ) o using (scope, dims, level, start)
    where coalesce(e.n, 0) <> coalesce(o.n, 0)$sql$, tally_columns(t), t.relation, t.counted) using t.name;
end $$;
