-- The sealed log. Writers append to a table of what waits, in the transaction of what they write. One sealer at a time moves
-- what is committed from there to the log, in batches, and numbers it: 1, 2, 3 … Readers see the log alone, so that "after n"
-- never misses a row. docs/decisions/0032-the-sealed-log.md says why it is made like this; its functions are in functions/audit-log.sql.

-- Where each log ends. Its row is the lock of the sealer, so that it also holds behind a pooler.
create table log_heads (
  log text collate "C" primary key,
  -- Of the last row.
  sequence bigint not null default 0,
  hash text collate "C" not null default repeat('0', 64),
  -- Of the last row that the operator's retention took away.
  forgotten_sequence bigint not null default 0,
  forgotten_hash text collate "C" not null default repeat('0', 64)
);

create type actor_type as enum ('ACCOUNT', 'API_KEY', 'OPERATOR', 'SYSTEM');

-- What was done, by whom. Ids are those that the API shows, and nothing refers to a row elsewhere: the log outlives what it is about.
create table audit_log (
  sequence bigint primary key,
  audit_id text collate "C" not null,
  occurred_at timestamptz(3) not null,
  actor_type actor_type not null,
  actor_id text collate "C" not null,
  actor_name text collate "C" not null,
  action text collate "C" not null,
  subject_type text collate "C" not null,
  subject_id text collate "C" not null,
  -- Canonical JSON (RFC 8785), which is hashed as it stands.
  changes text collate "C" not null,
  ip_address text collate "C",
  request_id text collate "C",
  -- Null: for the operator alone.
  institution_id text collate "C",
  workspace_id text collate "C",
  hash text collate "C" not null
);

create table audit_waiting (like audit_log);
alter table audit_waiting
  drop column sequence, drop column hash,
  add column id bigint generated always as identity primary key,
  set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- One for each set of filters in the default order, and one for the other order (decision 20).
create index audit_log_occurred on audit_log (workspace_id, occurred_at, sequence) where workspace_id is not null;
create index audit_log_action on audit_log (workspace_id, action, occurred_at, sequence) where workspace_id is not null;
create index audit_log_actor on audit_log (workspace_id, actor_id, occurred_at, sequence) where workspace_id is not null;
create index audit_log_subject on audit_log (workspace_id, subject_id, occurred_at, sequence) where workspace_id is not null;
create index audit_log_action_actor on audit_log (workspace_id, action, actor_id, occurred_at, sequence) where workspace_id is not null;
create index audit_log_action_subject on audit_log (workspace_id, action, subject_id, occurred_at, sequence) where workspace_id is not null;
create index audit_log_actor_subject on audit_log (workspace_id, actor_id, subject_id, occurred_at, sequence) where workspace_id is not null;
create index audit_log_action_actor_subject on audit_log (workspace_id, action, actor_id, subject_id, occurred_at, sequence) where workspace_id is not null;
-- The other order is by an expression: by the bare column, the planner would walk the primary key past all other workspaces.
create index audit_log_sequence on audit_log (workspace_id, (sequence + 0), occurred_at, sequence) where workspace_id is not null;

call tally_attach(row('audit_log', 'audit_log', 'workspace_id is not null', '{workspace_id}', '{action,actor_id,subject_id}', 'occurred_at'));

-- What the sealer has numbered, kept where nobody who can write to this database can forge it (docs/audit-log.md).
create table audit_checkpoints (
  sequence bigint primary key,
  jws text not null,
  created_at timestamptz not null
);

insert into log_heads (log) values ('audit');
