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

-- A few rows are skipped faster than looked up; without this the buckets of a sparse table outnumber its rows.
create function tally_depth(n bigint) returns int language sql immutable
return case when n > 100000 then 2 when n > 1000 then 1 else 0 end;

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

-- Totals that have grown out of their depth since they were last looked at.
create table tally_grown (total_id bigint primary key);

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

-- The statement that says what the totals should hold: what the table has and no delta speaks of. $1 is the tally's name.
create function tally_counts(t tallies) returns text language sql immutable
return format($sql$
  select scope, tally_combination(dims, mask) as dims, sum(n)::bigint as n from (
    select scope, dims, sum(n)::bigint as n from (
      select scope, dims, count(*) as n from (select %s from %s where %s) r group by 1, 2
      union all
      select scope, dims, -n from tally_deltas where tally = $1
    ) parts group by 1, 2
  ) leaves cross join generate_series(0, (1 << cardinality(dims)) - 1) mask
  group by 1, 2 having sum(n) <> 0$sql$, tally_columns(t), t.relation, t.counted);

-- Starts to keep the tally of a table. The table is locked against writers until the transaction ends.
create procedure tally_attach(t tallies) language plpgsql as $$
declare
  append text := format('insert into tally_deltas (tally, scope, dims, hour, n) select %L, scope, dims, hour, sum(n) from ', t.name);
  part text := format('select %s, %%s as n from %%s where %s', tally_columns(t), t.counted);
  ends text := ' counted group by scope, dims, hour having sum(n) <> 0 order by hour';
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

-- What a total's buckets of some levels should hold. What the table has and no delta speaks of is what was folded: both are
-- read in one snapshot, so it is exact while writers go on.
create function tally_spread(total tally_totals, above int, depth int)
returns table (level int, start timestamptz, n bigint) stable language plpgsql as $$
declare
  t tallies;
begin
  select * into strict t from tallies where name = total.tally;
  return query execute format($sql$
    select l.level, date_trunc(l.unit, h.hour, 'UTC'), sum(h.n)::bigint
    from (
      select date_bin('1 hour', %I, 'epoch') as hour, count(*) as n from %s where %s group by 1
      union all
      select hour, -n from tally_deltas where tally = $1 and scope = $2 and tally_matches(dims, $3)
    ) h join tally_levels l on l.depth > $4 and l.depth <= $5
    group by 1, 2 having sum(h.n) <> 0$sql$,
    t.time_column, t.relation, tally_where(t, total.scope, total.dims))
  using total.tally, total.scope, total.dims, above, depth;
end $$;

-- Gives a total the buckets that its size asks for.
create procedure tally_deepen(total tally_totals) language plpgsql as $$
begin
  insert into tally_buckets (total_id, level, start, n)
  select total.id, s.level, s.start, s.n from tally_spread(total, total.depth, tally_depth(total.n)) s;
  update tally_totals set depth = tally_depth(n) where id = total.id;
end $$;

-- Adds a batch of deltas to totals and buckets. Returns how many it took; none when another instance is folding.
-- A leaf is a scope with full dimensions. It gets a number, because joins by number cost what their rows cost: the planner
-- does not know how many rows a batch has, and would compare each with each.
create function tally_fold(batch int) returns int language plpgsql set enable_nestloop = off set work_mem = '64MB' as $$
declare
  folded int;
begin
  if not pg_try_advisory_xact_lock(tally_lock_id()) then return 0; end if;
  with taken as (
    delete from tally_deltas where id = any (array(select id from tally_deltas order by id limit batch))
    returning tally, scope, dims, hour, n
  ), grouped as materialized (
    select dense_rank() over (order by tally, scope, dims) as leaf, tally, scope, dims, hour, sum(n) as n
    from taken group by tally, scope, dims, hour
  ), combined as materialized (
    select leaf, tally, scope, tally_combination(dims, mask) as combination, n
    from (select leaf, tally, scope, dims, sum(n)::bigint as n from grouped group by leaf, tally, scope, dims) leaves
    cross join generate_series(0, (1 << cardinality(dims)) - 1) mask
  ), totals as (
    insert into tally_totals as old (tally, scope, dims, n)
    select tally, scope, combination, sum(n) from combined group by 1, 2, 3
    on conflict (tally, scope, dims) do update set n = old.n + excluded.n
    returning id, tally, scope, dims, depth, n
  ), grown as (
    insert into tally_grown select id from totals where depth < tally_depth(n) on conflict do nothing
  ), deep as materialized (
    select c.leaf, t.id, t.depth
    from totals t join combined c on c.tally = t.tally and c.scope = t.scope and c.combination = t.dims where t.depth > 0
  ), spread as materialized (
    select g.leaf, l.level, l.depth, date_trunc(l.unit, g.hour, 'UTC') as start, sum(g.n) as n
    from grouped g cross join tally_levels l group by 1, 2, 3, 4
  ), buckets as (
    insert into tally_buckets as old (total_id, level, start, n)
    select deep.id, spread.level, spread.start, sum(spread.n)
    from deep join spread on spread.leaf = deep.leaf and spread.depth <= deep.depth
    group by 1, 2, 3 having sum(spread.n) <> 0
    on conflict (total_id, level, start) do update set n = old.n + excluded.n
  )
  select count(*) from taken into folded;
  return folded;
end $$;

-- Gives one total that has grown the buckets of its new depth. Returns whether there was one. While many deltas wait it would
-- read all of them again for each total, so it comes after folding.
create function tally_grow() returns boolean language plpgsql as $$
declare
  grown bigint;
  total tally_totals;
begin
  if not pg_try_advisory_xact_lock(tally_lock_id()) then return false; end if;
  delete from tally_grown where total_id = (select total_id from tally_grown limit 1) returning total_id into grown;
  if not found then return false; end if;
  select * into total from tally_totals where id = grown and depth < tally_depth(n);
  if found then call tally_deepen(total); end if;
  return true;
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
  execute format('insert into tally_totals (tally, scope, dims, n) select $1, scope, dims, n from (%s) counts', tally_counts(t))
  using t.name;
  for total in select * from tally_totals where tally = t.name and depth < tally_depth(n) loop
    call tally_deepen(total);
  end loop;
end $$;

-- Every count that is not what the table says: none, unless something wrote around the triggers. It is STABLE: all of it
-- sees one snapshot.
create function tally_verify(tally_name text)
returns table (scope text[], dims text[], level int, start timestamptz, counted bigint, tallied bigint) stable language plpgsql as $$
declare
  t tallies;
  total tally_totals;
begin
  select * into strict t from tallies where name = tally_name;
  return query execute format($sql$
    select scope, dims, 0, null::timestamptz, coalesce(e.n, 0), coalesce(o.n, 0)
    from (%s) e full join (select * from tally_totals where tally = $1) o using (scope, dims)
    where coalesce(e.n, 0) <> coalesce(o.n, 0)$sql$, tally_counts(t)) using t.name;
  for total in select * from tally_totals o where o.tally = t.name and o.depth > 0 loop
    return query
    select total.scope, total.dims, coalesce(e.level, o.level), coalesce(e.start, o.start), coalesce(e.n, 0), coalesce(o.n, 0)
    from tally_spread(total, 0, total.depth) e
    full join (select * from tally_buckets b where b.total_id = total.id) o on o.level = e.level and o.start = e.start
    where coalesce(e.n, 0) <> coalesce(o.n, 0);
  end loop;
end $$;
