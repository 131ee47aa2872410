-- Revision 1
-- Reading the tally. All of it is STABLE: it sees the snapshot of the statement that calls it, and so agrees with its page.

-- As many rows are skipped without looking for a nearer place.
create or replace function tally_near() returns bigint language sql immutable return 256;

-- How many rows of a total are older than a point in time: whole buckets, then what waits, then the rows of the last bucket.
create or replace function tally_rank(total tally_totals, point timestamptz) returns bigint stable language plpgsql as $$
declare
  t tallies;
  step tally_levels;
  edge timestamptz := '-infinity';
  next_edge timestamptz;
  is_split boolean := total.split;
  counted bigint := 0;
  part bigint;
begin
  select * into strict t from tallies where name = total.tally;
  for step in select * from tally_levels l order by l.level loop
    exit when is_split is not true;
    next_edge := date_trunc(step.unit, point, 'UTC');
    select sum(b.n) filter (where b.start < next_edge), bool_or(b.split) filter (where b.start = next_edge) into part, is_split
    from tally_buckets b where b.total_id = total.id and b.level = step.level and b.start >= edge and b.start <= next_edge;
    counted := counted + coalesce(part, 0);
    edge := next_edge;
  end loop;
  select sum(w.n) into part
  from tally_deltas d cross join lateral tally_waiting(d, d.hour > edge - interval '1 hour') w
  where d.tally = total.tally and d.scope = total.scope and d.hour < edge and tally_matches(d.dims, total.dims) and w.at < edge;
  counted := counted + coalesce(part, 0);
  execute format('select count(*) from %s where %s and %I >= $1 and %I < $2',
    t.relation, tally_where(t, total.scope, total.dims), t.time_column, t.time_column)
  into part using edge, point;
  return counted + part;
end $$;

-- The bucket that holds the row at a position, oldest first, as deep as they go and only until it is small.
create or replace function tally_walk(
  total tally_totals, sought bigint, inout first_time timestamptz, inout end_time timestamptz, inout older bigint, inout size bigint
) stable language plpgsql as $$
declare
  step tally_levels;
  bucket record;
  is_split boolean := total.split;
begin
  for step in select * from tally_levels l order by l.level loop
    exit when is_split is not true or size <= tally_near();
    for bucket in
      select parts.start, sum(parts.n)::bigint as n, bool_or(parts.split) as split from (
        select b.start, b.n, b.split from tally_buckets b
        where b.total_id = total.id and b.level = step.level and b.start >= first_time and b.start < end_time
        union all
        select date_trunc(step.unit, w.at, 'UTC'), w.n, false
        from tally_deltas d cross join lateral tally_waiting(d, step.is_fine) w
        where d.tally = total.tally and d.scope = total.scope and d.hour >= date_trunc('hour', first_time, 'UTC') and d.hour < end_time
          and tally_matches(d.dims, total.dims) and w.at >= first_time and w.at < end_time
      ) parts group by 1 order by 1
    loop
      if sought < older + bucket.n then
        first_time := bucket.start;
        end_time := tally_bucket_end(bucket.start, step.unit);
        size := bucket.n;
        is_split := bucket.split;
        exit;
      end if;
      older := older + bucket.n;
    end loop;
  end loop;
end $$;

-- The exact total of a combination (within a range of time, if asked), and where its page begins: rows are read forward from
-- first_time or backward from end_time, `skip` passed over and `take` taken. Forward is oldest first when the tally walks, and
-- the order that was asked for when it does not.
create or replace function tally_seek(
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
    row.tally := tally_name; row.scope := tally_scope; row.dims := combination;
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
