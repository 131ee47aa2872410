-- What keys asked for (docs/decisions/0055-requests.md). The functions that write and read it are in functions/requests.sql.

-- Rows and counts belong to a series: all requests of one key that ended in one way. Every filter of the list is a choice of series,
-- so one index serves them all. All keys of a mode together have series too, with counts and no rows: what names no key is counted by
-- them, which are few, however many keys there are.
create table request_series (
  id int generated always as identity primary key,
  workspace_id bigint not null,
  -- The id as a text, and the name as it last was: a key may be deleted sooner than what it asked for. Both are
  -- empty for all keys.
  api_key_id text collate "C" not null,
  api_key_name text collate "C" not null,
  mode key_mode not null,
  -- Of the answer: 2000, or that of the error.
  code text collate "C" not null,
  -- 2: it was answered with no error; 4: it was refused; 5: it failed. It follows from the code.
  status_class smallint not null,
  -- Rows that it has, and the time of the latest.
  n bigint not null,
  last_at timestamptz(3) not null,
  unique (workspace_id, api_key_id, mode, code)
) with (fillfactor = 70);

-- A partition for each day (UTC), requests_20260131, which is made before the first row of the day and dropped when the day is over
-- for long enough.
create sequence requests_id;
create table requests (
  -- Of rows of one time, which comes first.
  id bigint not null default nextval('requests_id'),
  series_id int not null,
  workspace_id bigint not null,
  -- When it arrived.
  occurred_at timestamptz(3) not null,
  request_id text collate "C" not null,
  method text collate "C" not null,
  -- The pattern of the route, never the path; none: there is no such route.
  route text collate "C" not null,
  status smallint not null,
  duration_ms int not null,
  -- Null: a trusted proxy named none that can be read.
  ip_address text collate "C"
) partition by range (occurred_at);
create index requests_series on requests (series_id, occurred_at, id);
-- By a hash: ids have up to 128 characters, and trusted proxies may give one to many requests.
create index requests_request_id on requests (workspace_id, hashtextextended(request_id, 0), occurred_at);

-- How many of a series began in an hour, and how long they took: latency[i] is the number of those that took less than
-- request_latency_bounds()[i] ms and no less than the bound before; the last one has those beyond all bounds. Kept with the rows, in
-- their transaction.
create table request_hours (
  series_id int not null,
  hour timestamptz(0) not null,
  n int not null,
  latency int[] not null,
  primary key (series_id, hour)
) with (fillfactor = 70);
-- For who takes a day away, and by an expression, so that nobody else is served by it.
create index request_hours_day on request_hours (date_bin('1 day', hour, 'epoch'));

-- The same by the day (UTC), so that a month is not read by the hour.
create table request_days (
  series_id int not null,
  day timestamptz(0) not null,
  n int not null,
  latency int[] not null,
  primary key (series_id, day)
) with (fillfactor = 70);

-- How many by the minute, to find a page by: request_minutes_20260131. Of few, each has a byte that says its second; of more, there is
-- a count for each of the sixty seconds. So a minute with one request takes no more than its count does, and a busy one has an end.
create table request_minutes (
  series_id int not null,
  minute timestamptz(0) not null,
  n int not null,
  few bytea,
  seconds int[],
  check ((few is null) <> (seconds is null)),
  primary key (series_id, minute)
) partition by range (minute);

-- Batches that were written lately. One whose answer was lost is sent again, and must not count twice.
create table request_batches (
  id uuid primary key,
  written_at timestamptz not null
);
create index request_batches_written on request_batches (written_at);
