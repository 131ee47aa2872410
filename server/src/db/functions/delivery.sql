-- Revision 1
-- How events become deliveries and deliveries are handed out. docs/decisions/0052-delivery.md says why it is made like this.
-- Each statement of a function sees what was committed before it began: what is read after a lock was had is not older than the lock.
-- Rows are found by their keys, and statements are planned anew for each batch: a plan made while a table was empty would be kept for long.
-- Rows are locked in one order everywhere: channels, deliveries, turns; several of a kind by their ids.

create or replace function delivery_lane(type_code text) returns text language sql immutable
return case type_code when 'EMAIL' then 'MAIL' when 'SMS' then 'SMS' when 'IN_APP' then 'QUICK' else 'CAREFUL' end;

-- Hands the events after the cursor to the channels that want them, in one order, as many as make at most about so many
-- deliveries. Returns how many events; none when another instance is at it.
create or replace function delivery_dispatch(at timestamptz, events_max int, rows_max int) returns int language plpgsql set enable_seqscan = off as $$
declare
  done bigint;
  last bigint;
  handled int;
begin
  select sequence into done from event_cursors where name = 'dispatch';
  if not exists (select from events where sequence > done) then return 0; end if;
  select sequence into done from event_cursors where name = 'dispatch' for update skip locked;
  if not found then return 0; end if;
  with next as materialized (
    select * from events where sequence > done order by sequence limit events_max
  ), matched as materialized (
    select e.sequence, e.type, c.id, c.type_code, c.status, case when e.channel_id is null then at else c.created_at end as due_at
    from next e join workspaces w on w.biz_id = e.workspace_id join channels c on c.workspace_id = w.id
    where c.deleted_at is null and c.status <> 'DISABLED'
      and case when e.channel_id is null
        then (e.mode is null or c.mode = e.mode) and e.type = any (c.event_types) and c.created_at <= e.occurred_at
        else c.id = e.channel_id end
  ), counted as (
    select n.sequence, sum(count(m.id)) over (order by n.sequence) - count(m.id) as before
    from next n left join matched m using (sequence) group by n.sequence
  ), taken as materialized (
    select sequence from counted where before = 0 or before < rows_max
  ), added as (
    -- A test is due before all else that its channel has, however much that is.
    insert into deliveries (channel_id, event_sequence, event_type, next_attempt_at, created_at, updated_at)
    select id, sequence, type, due_at, at, at from matched where sequence in (select sequence from taken) order by sequence, id
    on conflict do nothing
  ), turns as (
    insert into channel_turns as t (channel_id, due_at, lane)
    select id, at + case when min(status) = 'FAILING' then interval '1 second' else '0' end, delivery_lane(min(type_code))
    from matched where sequence in (select sequence from taken) group by id order by id
    on conflict (channel_id) do update set due_at = excluded.due_at where t.due_at > excluded.due_at
  )
  select max(sequence), count(*) into last, handled from taken;
  update event_cursors set sequence = last where name = 'dispatch';
  return handled;
end $$;

-- When the channels that someone has locked are next due. One that fails is not tried again at once.
create or replace function delivery_turn(channels bigint[], at timestamptz) returns void language plpgsql
set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update channel_turns t set due_at = case
    when c.status = 'DISABLED' or c.deleted_at is not null or next.due_at is null then 'infinity'
    when c.status = 'FAILING' then greatest(next.due_at, at + interval '1 second')
    else greatest(next.due_at, at) end
  from channels c cross join lateral (
    select min(d.next_attempt_at) as due_at from deliveries d where d.channel_id = c.id and d.status = 'PENDING'
  ) next
  where t.channel_id = any (channels) and c.id = t.channel_id;
end $$;

-- Leases what is due of the channels of a lane whose turn it is, in the order of their turns. `busy` and
-- `crowded` have the channel and the workspace of everything that the caller is at; `most` are its bounds for a channel, for a
-- workspace and for this call.
create or replace function delivery_claim(at timestamptz, until timestamptz, lane_wanted text, busy bigint[], crowded bigint[],
  channel_most int, workspace_most int, slots int, hour_most int)
returns table ("deliveryId" bigint, "channelId" bigint, "workspaceId" bigint, "attempts" int, "channelBizId" text, "typeCode" text,
  "isFailing" boolean, config jsonb, sealed bytea, "eventSequence" bigint, type text, "occurredAt" text, mode text, "eventWorkspaceId" text, data text)
language plpgsql set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  full_channels bigint[] := array(select b from unnest(busy) b group by b having count(*) >= channel_most);
  full_workspaces bigint[] := array(select b from unnest(crowded) b group by b having count(*) >= workspace_most);
  -- Few at a time: each may have as much to send as a channel may.
  turns int := greatest(slots / 4, least(slots, 4));
  seen bigint[] := '{}';
  picked bigint[];
  claimed bigint[];
begin
  if not exists (select from channel_turns where lane = lane_wanted and due_at <= at) then return; end if;
  -- Turns that turn out to be nobody's, as those of deleted channels, hold up nobody: they are put off, and others are looked at.
  for round in 1 .. 10 loop
    picked := array(
      select t.channel_id from channel_turns t join channels c on c.id = t.channel_id
      where t.lane = lane_wanted and t.due_at <= at and t.channel_id <> all (full_channels || seen) and c.workspace_id <> all (full_workspaces)
      order by t.due_at limit turns for update of t skip locked);
    with turn as (
      select c.id, c.workspace_id, t.due_at as turn_at, case when c.status = 'FAILING' then 1 else channel_most end
          - (select count(*) from unnest(busy) b where b = c.id) as room,
        case when hour_most is null or t.hour_began is null or t.hour_began <= at - interval '1 hour' then hour_most else hour_most - t.hour_count end as allowance
      from channels c join channel_turns t on t.channel_id = c.id
      where c.id = any (picked) and c.status <> 'DISABLED' and c.deleted_at is null
    ), due as materialized (
      select d.id, turn.id as channel_id, turn.workspace_id, turn.turn_at, d.nth from turn cross join lateral (
        select l.*, row_number() over (order by l.next_attempt_at, l.id) as nth from (
          select id, next_attempt_at from deliveries where channel_id = turn.id and status = 'PENDING' and next_attempt_at <= at
          order by next_attempt_at, id limit greatest(least(turn.room, turn.allowance), 0)
        ) l
      ) d
    ), shared as (
      select id, turn_at, channel_id, nth, row_number() over (partition by workspace_id order by turn_at, channel_id, nth)
        + (select count(*) from unnest(crowded) b where b = workspace_id) as nth_of_workspace from due
    ), chosen as (
      select id from shared where nth_of_workspace <= workspace_most order by turn_at, channel_id, nth limit slots
    ), leased as (
      -- No other claim has these channels; whoever else has one of the rows is not waited for.
      update deliveries d set attempts = d.attempts + 1, next_attempt_at = until where d.id = any (array(
        -- Written so that no index but that of ids serves.
        select l.id from deliveries l where l.id = any (array(select id from chosen)) and l.status::text = 'PENDING' and l.next_attempt_at + interval '0' <= at
        for update skip locked))
      returning d.id
    )
    select coalesce(array_agg(id), '{}') into claimed from leased;
    if hour_most is not null then
      update channel_turns t set hour_count = n.count + case when t.hour_began > at - interval '1 hour' then t.hour_count else 0 end,
        hour_began = case when t.hour_began > at - interval '1 hour' then t.hour_began else at end
      from (select channel_id, count(*)::int from deliveries where id = any (claimed) group by channel_id) n where t.channel_id = n.channel_id;
    end if;
    perform delivery_turn(picked, at);
    if hour_most is not null then
      update channel_turns t set due_at = greatest(t.due_at, t.hour_began + interval '1 hour')
      where t.channel_id = any (picked) and t.hour_count >= hour_most and t.hour_began > at - interval '1 hour';
    end if;
    exit when cardinality(claimed) > 0 or cardinality(picked) < turns;
    seen := seen || picked;
  end loop;
  return query
    select d.id, c.id, c.workspace_id, d.attempts, c.biz_id, c.type_code, c.status = 'FAILING', c.config, c.sealed, d.event_sequence,
      e.type, to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), e.mode::text, e.workspace_id, e.data
    from deliveries d join channels c on c.id = d.channel_id left join events e on e.sequence = d.event_sequence
    where d.id = any (claimed);
end $$;

-- Keeps what became of deliveries, in the order in which it did, unless someone else has them by now. Returns those that it looked at:
-- what belongs to a channel that someone has locked is left for later. A channel told to be over has failed for as long as one may.
create or replace function delivery_settle(at timestamptz, slow_ms int, failing_most interval, ids bigint[], channels bigint[], begun int[], statuses text[],
  next_attempts timestamptz[], tries int[], responses int[], durations int[], bodies text[])
returns table ("deliveryId" bigint, "channelId" bigint, "isOver" boolean)
language plpgsql set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  locked bigint[] := array(select c.id from channels c where c.id = any (channels) order by c.id for no key update skip locked);
  -- Of a channel that goes on well, the turn is right, or is put right when it comes.
  turning bigint[] := array(select distinct o.id from unnest(channels, statuses) o (id, status)
    where o.id = any (locked) and (o.status <> 'SUCCEEDED' or (select c.status from channels c where c.id = o.id) <> 'ACTIVE'));
  own bigint[] := array(select o.id from unnest(ids, channels) o (id, channel_id) where o.channel_id = any (locked));
begin
  perform from deliveries d where d.id = any (own) order by d.id for no key update;
  with outcome as materialized (
    select o.* from unnest(ids, channels, begun, statuses, next_attempts, tries, responses, durations, bodies)
      with ordinality o (id, channel_id, begun, status, next_attempt_at, tries, response, duration, body, nth)
    where o.channel_id = any (locked)
  ), kept as (
    update deliveries d set status = o.status::delivery_status, next_attempt_at = o.next_attempt_at, attempts = o.tries,
      response_status = coalesce(o.response, case when o.duration is null then d.response_status end),
      response_body = case when o.duration is null then d.response_body else o.body end,
      duration_ms = coalesce(o.duration, d.duration_ms), updated_at = at
    from outcome o where d.id = o.id and d.status = 'PENDING' and d.attempts = o.begun
    returning d.id, d.channel_id, d.event_sequence, d.status, o.duration, o.nth
  ), told as (
    insert into notifications (workspace_id, event_sequence, channel_id, created_at)
    select c.workspace_id, k.event_sequence, c.id, at from kept k join channels c on c.id = k.channel_id
    where c.type_code = 'IN_APP' and k.status = 'SUCCEEDED' order by 1, 2 on conflict do nothing
  ), judged as materialized (
    select channel_id, bool_or(status = 'SUCCEEDED') as has_succeeded, (array_agg(status = 'SUCCEEDED' order by nth desc))[1] as is_well,
      max(duration) as duration from kept where duration is not null group by channel_id
  ), turned as (
    update channel_turns t set lane = case when j.is_well and j.duration < slow_ms then 'QUICK' else 'CAREFUL' end
    from judged j where t.channel_id = j.channel_id and t.lane in ('QUICK', 'CAREFUL')
      and t.lane <> case when j.is_well and j.duration < slow_ms then 'QUICK' else 'CAREFUL' end
  )
  update channels c set status = case when j.is_well then 'ACTIVE' else 'FAILING' end::channel_status,
    failing_since = case when j.is_well then null when j.has_succeeded then at else coalesce(c.failing_since, at) end,
    last_success_at = case when j.has_succeeded then at else c.last_success_at end
  from judged j where c.id = j.channel_id and c.status <> 'DISABLED'
    and not (j.is_well and c.status = 'ACTIVE' and c.failing_since is null and coalesce(c.last_success_at > at - interval '1 second', false))
    and not (c.status = 'FAILING' and c.failing_since is not null and not j.has_succeeded);
  perform from channel_turns t where t.channel_id = any (turning) order by t.channel_id for update;
  perform delivery_turn(turning, at);
  return query select o.id, o.channel_id, c.status = 'FAILING' and c.failing_since <= at - failing_most
    from unnest(ids, channels) o (id, channel_id) join channels c on c.id = o.channel_id where o.channel_id = any (locked);
end $$;
