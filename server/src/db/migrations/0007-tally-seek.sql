-- Reading the tally. All of it is STABLE: it sees the snapshot of the statement that calls it, and so agrees with its page.

-- How many rows of a total are older than a point in time: whole buckets, then what waits, then the rows of the last bucket.
create function tally_rank(total tally_totals, point timestamptz) returns bigint stable language plpgsql as $$
declare
  t tallies;
  edge timestamptz := '-infinity';
  counted bigint := 0;
  rows bigint;
begin
  select * into strict t from tallies where name = total.tally;
  if total.depth > 0 then
    edge := date_trunc(case total.depth when 1 then 'day' else 'hour' end, point, 'UTC');
    -- The sum of each level is a subquery, or all buckets of the total are read to find those of the range.
    select coalesce(sum(part.n), 0)::bigint into counted
    from tally_levels l cross join lateral (
      select sum(b.n) as n from tally_buckets b
      where b.total_id = total.id and b.level = l.level and b.start < date_trunc(l.unit, point, 'UTC')
        and b.start >= case l.level when 1 then '-infinity' when 2 then date_trunc('month', point, 'UTC') else date_trunc('day', point, 'UTC') end
    ) part
    where l.depth <= total.depth;
    select counted + coalesce(sum(d.n), 0) into counted from tally_deltas d
    where d.tally = total.tally and d.scope = total.scope and d.hour < edge and tally_matches(d.dims, total.dims);
  end if;
  execute format('select count(*) from %s where %s and %I >= $1 and %I < $2',
    t.relation, tally_where(t, total.scope, total.dims), t.time_column, t.time_column)
  into rows using edge, point;
  return counted + rows;
end $$;

-- The bucket that holds the row at a position, oldest first, as deep as the total goes and only until it is small.
create function tally_walk(
  total tally_totals, sought bigint, inout first_time timestamptz, inout end_time timestamptz, inout older bigint, inout size bigint
) stable language plpgsql as $$
declare
  step tally_levels;
  bucket record;
begin
  for step in select * from tally_levels l where l.depth <= total.depth order by l.level loop
    exit when size <= tally_near();
    for bucket in
      select parts.start, sum(parts.n)::bigint as n from (
        select b.start, b.n from tally_buckets b
        where b.total_id = total.id and b.level = step.level and b.start >= first_time and b.start < end_time
        union all
        select date_trunc(step.unit, d.hour, 'UTC'), d.n from tally_deltas d
        where d.tally = total.tally and d.scope = total.scope and d.hour >= first_time and d.hour < end_time
          and tally_matches(d.dims, total.dims)
      ) parts group by 1 order by 1
    loop
      if sought < older + bucket.n then
        first_time := bucket.start;
        end_time := tally_bucket_end(bucket.start, step.unit);
        size := bucket.n;
        exit;
      end if;
      older := older + bucket.n;
    end loop;
  end loop;
end $$;

-- The exact total of a combination (within a range of time, if asked), and where its page begins: rows are read forward from
-- first_time or backward from end_time, `skip` passed over and `take` taken. Forward is oldest first when the tally walks, and
-- the order that was asked for when it does not.
create function tally_seek(
  tally_name text, tally_scope text[], combination text[], time_from timestamptz, time_to timestamptz,
  walks boolean, descending boolean, page_offset bigint, page_size int,
  out total bigint, out forward boolean, out first_time timestamptz, out end_time timestamptz, out skip bigint, out take int
) stable language plpgsql as $$
declare
  row tally_totals;
  waiting bigint;
  whole bigint;
  older bigint := 0;
  newer bigint;
  a bigint;
  b bigint;
  size bigint;
begin
  select * into row from tally_totals t where t.tally = tally_name and t.scope = tally_scope and t.dims = combination;
  select sum(d.n) into waiting from tally_deltas d
  where d.tally = tally_name and d.scope = tally_scope and tally_matches(d.dims, combination);
  whole := coalesce(row.n, 0) + coalesce(waiting, 0);
  newer := whole;
  if time_from is not null or time_to is not null then
    row.tally := tally_name; row.scope := tally_scope; row.dims := combination; row.depth := coalesce(row.depth, 0);
    if time_from is not null then older := tally_rank(row, time_from); end if;
    if time_to is not null then newer := greatest(tally_rank(row, time_to), older); end if;
  end if;
  total := newer - older;
  forward := true;
  first_time := '-infinity';
  end_time := 'infinity';
  skip := 0;
  take := greatest(least(page_size, total - page_offset), 0);
  if take = 0 then return; end if;
  if not walks then
    forward := page_offset <= total - page_offset - take;
    skip := case when forward then page_offset else total - page_offset - take end;
    return;
  end if;
  a := case when descending then newer - page_offset - take else older + page_offset end;
  b := a + take;
  size := whole;
  older := 0;
  if least(a, whole - b) > tally_near() then
    select w.first_time, w.end_time, w.older, w.size into first_time, end_time, older, size
    from tally_walk(row, a, first_time, end_time, older, size) w;
  end if;
  forward := b > older + size or a - older <= older + size - b;
  skip := case when forward then a - older else older + size - b end;
end $$;
