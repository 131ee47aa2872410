-- Revision 2
-- How the tally is kept. docs/decisions/0020-tally.md says why it is made like this, and 0036 how a change of this file is made.

-- From how many rows on a count is spread. Fewer are skipped faster than looked up, and have no more buckets than they need.
create or replace function tally_crowd() returns bigint language sql immutable return 1000;

create or replace function tally_lock_id() returns bigint language sql immutable return 7023640002;

create or replace function tally_bucket_end(start timestamptz, unit text) returns timestamptz language sql immutable
return (start at time zone 'UTC' + ('1 ' || unit)::interval) at time zone 'UTC';

-- The combination that a mask makes of full dimensions: a bit that is 0 stands for any value. An expression without a query, so that it
-- becomes part of the statement that uses it: called, it would cost as much as adding to the totals.
create or replace function tally_combination(dims text[], mask int) returns text[] language sql immutable
return (array[case when mask & 1 > 0 then dims[1] end, case when mask & 2 > 0 then dims[2] end,
  case when mask & 4 > 0 then dims[3] end, case when mask & 8 > 0 then dims[4] end])[1:cardinality(dims)];

-- Whether full dimensions belong to a combination.
create or replace function tally_matches(dims text[], combination text[]) returns boolean language sql immutable
return (combination[1] is null or dims[1] = combination[1]) and (combination[2] is null or dims[2] = combination[2])
   and (combination[3] is null or dims[3] = combination[3]) and (combination[4] is null or dims[4] = combination[4]);

-- Conditions on the table that select the rows of a scope and combination, written so that its indexes serve.
create or replace function tally_where(t tallies, scope text[], combination text[]) returns text language sql immutable
return t.counted
  || (select string_agg(format(' and %I = %L', c, scope[i]), '') from unnest(t.scope_columns) with ordinality u(c, i))
  || coalesce((select string_agg(format(' and %I = %L', c, combination[i]), '')
     from unnest(t.dim_columns) with ordinality u(c, i) where combination[i] is not null), '');

-- The select list that turns a row of the table into scope, dims, hour and second of the hour.
create or replace function tally_columns(t tallies) returns text language sql immutable
return format($sql$array[%s]::text[] as scope, array[%s]::text[] as dims, date_bin('1 hour', %3$I, 'epoch') as hour,
  coalesce(date_part('minute', %3$I at time zone 'UTC') * 60 + floor(date_part('second', %3$I at time zone 'UTC')), 0)::smallint as second$sql$,
  (select string_agg(format('%I::text', c), ', ' order by i) from unnest(t.scope_columns) with ordinality u(c, i)),
  (select string_agg(format('%I::text', c), ', ' order by i) from unnest(t.dim_columns) with ordinality u(c, i)),
  t.time_column);

-- The statement that says what the totals should hold: what the table has and no delta speaks of. $1 is the tally's name.
create or replace function tally_counts(t tallies) returns text language sql immutable
return format($sql$
  select scope, tally_combination(dims, mask) as dims, sum(n)::bigint as n from (
    select scope, dims, sum(n)::bigint as n from (
      select scope, dims, count(*) as n from (select %s from %s where %s) r group by 1, 2
      union all
      select scope, dims, -n from tally_deltas where tally = $1
    ) parts group by 1, 2
  ) leaves cross join generate_series(0, (1 << cardinality(dims)) - 1) mask
  group by 1, 2 having sum(n) <> 0$sql$, tally_columns(t), t.relation, t.counted);

-- Makes the functions of a table's triggers, or makes them anew.
create or replace procedure tally_functions(t tallies) language plpgsql as $$
declare
  part text := format('select %s, %%s as n from %%s where %s', tally_columns(t), t.counted);
  added text := format(part, '1', 'added');
  removed text := format(part, '-1', 'removed');
  event record;
begin
  for event in values
    ('insert', added),
    ('update', added || ' union all ' || removed),
    ('delete', removed),
    ('truncate', format(part, '-1', t.relation))
  loop
    execute format('create or replace function %I() returns trigger language plpgsql as %L', 'tally_' || t.name || '_' || event.column1,
      format($sql$begin
        insert into tally_deltas (tally, scope, dims, hour, n, seconds, counts)
        select %L, scope, dims, hour, sum(n), array_agg(second), array_agg(n)
        from (
          select scope, dims, hour, second, sum(n)::int as n from (%s) counted group by scope, dims, hour, second having sum(n) <> 0
        ) moments group by scope, dims, hour order by hour;
        return null;
      end$sql$, t.name, event.column2));
  end loop;
end $$;

-- Starts to keep the tally of a table. The table is locked against writers until the transaction ends.
create or replace procedure tally_attach(t tallies) language plpgsql as $$
declare
  event record;
begin
  insert into tallies select t.*;
  call tally_functions(t);
  for event in values
    ('insert', 'after insert', 'referencing new table as added'),
    ('update', 'after update', 'referencing new table as added old table as removed'),
    ('delete', 'after delete', 'referencing old table as removed'),
    ('truncate', 'before truncate', '')
  loop
    execute format('create trigger %I %s on %s %s for each statement execute function %I()',
      'tally_' || event.column1, event.column2, t.relation, event.column3, 'tally_' || t.name || '_' || event.column1);
  end loop;
  call tally_rebuild(t.name);
end $$;

-- A delta as one count of its hour, or as counts of its seconds.
create or replace function tally_waiting(d tally_deltas, is_fine boolean) returns table (at timestamptz, n int) language sql immutable as $$
  select d.hour, d.n where not is_fine
  union all
  select d.hour + u.second * interval '1 second', u.n from unnest(d.seconds, d.counts) u(second, n) where is_fine
$$;

-- What the buckets below a total (level 0) or one of its buckets should hold, whichever of them there are; below an hour only
-- where it is large or split. What the table has and no delta speaks of is what was folded: both are read in one snapshot, so it
-- is exact while writers go on. `siblings` is what their parent holds.
create or replace function tally_spread(total tally_totals, above int, since timestamptz, until timestamptz)
returns table (level int, start timestamptz, n bigint, parent timestamptz, siblings bigint) stable language plpgsql set jit = off as $$
declare
  t tallies;
begin
  select * into strict t from tallies where name = total.tally;
  return query execute format($sql$
    with waiting as materialized (
      select w.at, w.n from tally_deltas d cross join lateral tally_waiting(d, true) w
      where d.tally = $1 and d.scope = $2 and d.hour >= date_trunc('hour', $4, 'UTC') and d.hour < $5
        and tally_matches(d.dims, $3) and w.at >= $4 and w.at < $5
    ), hours as materialized (
      select at, sum(n)::bigint as n from (
        select date_bin('1 hour', %1$I, 'epoch') as at, count(*) as n from %2$s where %3$s and %1$I >= $4 and %1$I < $5 group by 1
        union all
        select date_bin('1 hour', at, 'epoch'), -n from waiting
      ) parts group by 1
    ), crowded as materialized (
      select at from hours where n > tally_crowd()
      union
      select b.start from tally_buckets b where b.total_id = $6 and b.level = 3 and b.start >= $4 and b.start < $5 and b.split
    ), seconds as materialized (
      select at, sum(n)::bigint as n from (
        select s.at, s.n from crowded c cross join lateral (
          select date_bin('1 second', %1$I, 'epoch') as at, count(*) as n from %2$s
          where %3$s and %1$I >= greatest(c.at, $4) and %1$I < least(c.at + interval '1 hour', $5) group by 1
        ) s
        union all
        select w.at, -w.n from waiting w join crowded c on c.at = date_bin('1 hour', w.at, 'epoch')
      ) parts group by 1
    )
    select level, start at time zone 'UTC', n, parent at time zone 'UTC', sum(n) over (partition by level, parent)::bigint from (
      select l.level, date_trunc(l.unit, p.utc) as start, date_trunc(l.parent, p.utc) as parent, sum(p.n)::bigint as n
      from (select at at time zone 'UTC' as utc, n, false as is_fine from hours union all select at at time zone 'UTC', n, true from seconds) p
      join tally_levels l on l.is_fine = p.is_fine and l.level > $7
      group by 1, 2, 3 having sum(p.n) <> 0
    ) buckets$sql$, t.time_column, t.relation, tally_where(t, total.scope, total.dims))
  using total.tally, total.scope, total.dims, since, until, total.id, above;
end $$;

-- Spreads a total or one of its buckets, and what is large below it.
create or replace procedure tally_split(total tally_totals, above int, since timestamptz, until timestamptz) language plpgsql as $$
begin
  insert into tally_buckets (total_id, level, start, n, split)
  select total.id, s.level, s.start, s.n, s.n > tally_crowd() and exists (select from tally_levels l where l.level > s.level)
  from tally_spread(total, above, since, until) s where s.level = above + 1 or s.siblings > tally_crowd();
  if above = 0 then
    update tally_totals set split = true where id = total.id;
  else
    update tally_buckets b set split = true where b.total_id = total.id and b.level = above and b.start = since;
  end if;
end $$;

-- Adds a batch of deltas to totals and buckets. Returns how many it took; none when another instance is folding.
-- A leaf is a scope with full dimensions. It gets a number, because joins by number cost what their rows cost: the planner
-- does not know how many rows a batch has, and would compare each with each. Each level is added to where the one above it is
-- split, which its rows say as they are written: nothing is read that the batch does not touch. Before PostgreSQL 18 a nested
-- loop that cannot be avoided costs so much on paper that the statement would be compiled each time.
create or replace function tally_fold(batch int) returns int language plpgsql
set enable_nestloop = off set jit = off set work_mem = '64MB' as $$
declare
  folded int;
begin
  if not pg_try_advisory_xact_lock(tally_lock_id()) then return 0; end if;
  with taken as (
    delete from tally_deltas where id = any (array(select id from tally_deltas order by id limit batch)) returning *
  ), numbered as materialized (
    select dense_rank() over (order by tally, scope, dims) as leaf, * from taken
  ), combined as materialized (
    select leaf, tally, scope, tally_combination(dims, mask) as combination, n
    from (select leaf, tally, scope, dims, sum(n)::bigint as n from numbered group by leaf, tally, scope, dims) leaves
    cross join generate_series(0, (1 << cardinality(dims)) - 1) mask
  ), totals as (
    insert into tally_totals as old (tally, scope, dims, n)
    select tally, scope, combination, sum(n) from combined group by 1, 2, 3
    on conflict (tally, scope, dims) do update set n = old.n + excluded.n returning *
  ), deep as materialized (
    select c.leaf, t.id
    from totals t join combined c on c.tally = t.tally and c.scope = t.scope and c.combination = t.dims where t.split
  ), hourly as materialized (
    select leaf, hour, sum(n) as n from numbered group by 1, 2
  ), months as (
    insert into tally_buckets as old (total_id, level, start, n)
    select deep.id, 1, p.start, sum(p.n)
    from deep join (select leaf, date_trunc('month', hour, 'UTC') as start, sum(n) as n from hourly group by 1, 2) p on p.leaf = deep.leaf
    group by 1, 3 on conflict (total_id, level, start) do update set n = old.n + excluded.n returning *
  ), days as (
    insert into tally_buckets as old (total_id, level, start, n)
    select deep.id, 2, p.start, sum(p.n)
    from deep join (select leaf, date_bin('1 day', hour, 'epoch') as start, sum(n) as n from hourly group by 1, 2) p on p.leaf = deep.leaf
    join months up on up.split and up.total_id = deep.id and up.start = date_trunc('month', p.start, 'UTC')
    group by 1, 3 on conflict (total_id, level, start) do update set n = old.n + excluded.n returning *
  ), hours as (
    insert into tally_buckets as old (total_id, level, start, n)
    select deep.id, 3, p.hour, sum(p.n)
    from deep join hourly p on p.leaf = deep.leaf
    join days up on up.split and up.total_id = deep.id and up.start = date_bin('1 day', p.hour, 'epoch')
    group by 1, 3 on conflict (total_id, level, start) do update set n = old.n + excluded.n returning *
  ), moments as materialized (
    select d.leaf, d.hour, d.hour + u.second / 60 * interval '1 minute' as minute, d.hour + u.second * interval '1 second' as second, sum(u.n) as n
    from numbered d join (
      select distinct deep.leaf, hours.start from deep join hours on hours.split and hours.total_id = deep.id
    ) up on up.leaf = d.leaf and up.start = d.hour
    cross join lateral unnest(d.seconds, d.counts) u(second, n) group by 1, 2, 3, 4
  ), minutes as (
    insert into tally_buckets as old (total_id, level, start, n)
    select deep.id, 4, p.start, sum(p.n)
    from deep join (select leaf, hour, minute as start, sum(n) as n from moments group by 1, 2, 3) p on p.leaf = deep.leaf
    join hours up on up.split and up.total_id = deep.id and up.start = p.hour
    group by 1, 3 on conflict (total_id, level, start) do update set n = old.n + excluded.n returning *
  ), seconds as (
    insert into tally_buckets as old (total_id, level, start, n)
    select deep.id, 5, p.second, sum(p.n)
    from deep join moments p on p.leaf = deep.leaf
    join minutes up on up.split and up.total_id = deep.id and up.start = p.minute
    group by 1, 3 on conflict (total_id, level, start) do update set n = old.n + excluded.n
  ), grown as (
    insert into tally_grown
    select id, 0, '-infinity' from totals where not split and n > tally_crowd()
    union all
    select total_id, level, start
    from (select * from months union all select * from days union all select * from hours union all select * from minutes) buckets
    where not split and n > tally_crowd()
    on conflict do nothing
  )
  select count(*) from taken into folded;
  return folded;
end $$;

-- Spreads one total or bucket that has grown. Returns whether there was one. While many deltas wait it would read all of them
-- again for each, so it comes after folding.
create or replace function tally_grow() returns boolean language plpgsql as $$
declare
  grown tally_grown;
  total tally_totals;
  unit text;
begin
  if not pg_try_advisory_xact_lock(tally_lock_id()) then return false; end if;
  delete from tally_grown where (total_id, level, start) = (select g.total_id, g.level, g.start from tally_grown g limit 1) returning * into grown;
  if not found then return false; end if;
  select * into total from tally_totals where id = grown.total_id;
  if grown.level = 0 then
    if not total.split and total.n > tally_crowd() then call tally_split(total, 0, '-infinity', 'infinity'); end if;
    return true;
  end if;
  select l.unit into unit from tally_buckets b join tally_levels l on l.level = b.level
  where b.total_id = grown.total_id and b.level = grown.level and b.start = grown.start and not b.split and b.n > tally_crowd();
  if found then call tally_split(total, grown.level, grown.start, tally_bucket_end(grown.start, unit)); end if;
  return true;
end $$;

-- Counts the table anew. Writers go on; folding waits.
create or replace procedure tally_rebuild(tally_name text) language plpgsql as $$
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
  for total in select * from tally_totals where tally = t.name and n > tally_crowd() loop
    call tally_split(total, 0, '-infinity', 'infinity');
  end loop;
end $$;

-- Every count that is not what the table says: none, unless something wrote around the triggers. It is STABLE: all of it
-- sees one snapshot.
create or replace function tally_verify(tally_name text)
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
  for total in select * from tally_totals o where o.tally = t.name and o.split loop
    return query
    with stored as materialized (select * from tally_buckets b where b.total_id = total.id),
    expected as (
      select s.* from tally_spread(total, 0, '-infinity', 'infinity') s
      where s.level = 1 or (s.level - 1, s.parent) in (select p.level, p.start from stored p where p.split)
    )
    select total.scope, total.dims, coalesce(e.level, o.level), coalesce(e.start, o.start), coalesce(e.n, 0), coalesce(o.n, 0)
    from expected e full join stored o on o.level = e.level and o.start = e.start
    where coalesce(e.n, 0) <> coalesce(o.n, 0);
  end loop;
end $$;

-- The functions of the triggers are made by one of the above, so they follow it.
do $$
declare
  t tallies;
begin
  for t in select * from tallies loop call tally_functions(t); end loop;
end $$;
