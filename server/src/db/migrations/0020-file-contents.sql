-- Files have a mode, as keys and transfers have, and bytes. docs/decisions/0045-files-have-bytes.md says how one comes and goes.

-- Before PostgreSQL 18 the statement that counts is compiled, for seconds.
set local jit = off;

-- No fold goes on meanwhile: it would wait for the table, and this for it. Whoever reads the table for long is waited for in short
-- tries, or all who come after would wait behind this.
do $$
begin
  perform pg_advisory_xact_lock(tally_lock_id());
  set local lock_timeout = '300ms';
  loop
    begin
      lock table files in access exclusive mode;
      exit;
    exception when lock_not_available then
      perform pg_sleep(0.3);
    end;
  end loop;
  set local lock_timeout = 0;
end $$;

alter table files
  add column mode key_mode not null default 'LIVE',
  -- Its bytes are in the store, below object_key; records that came from elsewhere have none here.
  add column is_stored boolean not null default false,
  -- From then on whoever finds it goes on with it: with an upload that ended half-way, a removal, a scan. Null: nothing is to be done.
  add column due_at timestamptz;

update files set due_at = now() where deleted_at is not null;

create index files_unfinished on files (due_at) where due_at is not null and (deleted_at is not null or status = 'PENDING');
create index files_unscanned on files (due_at) where due_at is not null and deleted_at is null and status = 'PROCESSING';

-- Bytes of each institution that the store has, will have or has still to remove: what a quota is held against.
create table storage_usage (
  institution_id bigint primary key references institutions,
  bytes bigint not null check (bytes >= 0)
);

drop index files_created, files_category, files_status, files_category_status, files_filename, files_size, files_content_type,
  files_workspace, files_workspace_category, files_workspace_status, files_workspace_category_status, files_workspace_filename,
  files_workspace_size, files_workspace_content_type;

create index files_created on files (institution_id, mode, created_at, id) where deleted_at is null;
create index files_category on files (institution_id, mode, category, created_at, id) where deleted_at is null;
create index files_status on files (institution_id, mode, status, created_at, id) where deleted_at is null;
create index files_category_status on files (institution_id, mode, category, status, created_at, id) where deleted_at is null;
create index files_filename on files (institution_id, mode, original_filename, created_at, id) where deleted_at is null;
create index files_size on files (institution_id, mode, file_size, created_at, id) where deleted_at is null;
create index files_content_type on files (institution_id, mode, content_type, created_at, id) where deleted_at is null;

create index files_workspace on files (institution_id, mode, workspace_id, created_at, id) where deleted_at is null;
create index files_workspace_category on files (institution_id, mode, workspace_id, category, created_at, id) where deleted_at is null;
create index files_workspace_status on files (institution_id, mode, workspace_id, status, created_at, id) where deleted_at is null;
create index files_workspace_category_status on files (institution_id, mode, workspace_id, category, status, created_at, id) where deleted_at is null;
create index files_workspace_filename on files (institution_id, mode, workspace_id, original_filename, created_at, id) where deleted_at is null;
create index files_workspace_size on files (institution_id, mode, workspace_id, file_size, created_at, id) where deleted_at is null;
create index files_workspace_content_type on files (institution_id, mode, workspace_id, content_type, created_at, id) where deleted_at is null;

-- The table is locked by now, so what waits speaks of nothing that the new counts do not have.
do $$
declare
  t tallies;
begin
  delete from tally_deltas where tally = 'files';
  update tallies set scope_columns = '{institution_id,mode}' where name = 'files' returning * into t;
  call tally_functions(t);
  call tally_rebuild('files');
end $$;
