-- Every order that can be asked for ends in (created_at, id): so the index that serves a filter by a column also serves the
-- sort by it. An index for each set of filters in the default order, and one for each other sort field, per scope.

alter table workspaces add unique (id, institution_id);
alter table files add foreign key (workspace_id, institution_id) references workspaces (id, institution_id);
alter table files drop constraint files_workspace_id_fkey;
alter table files drop constraint files_institution_id_fkey;

drop index files_filename, files_size, files_content_type, files_category, files_status, files_workspace_created;

create index files_category on files (institution_id, category, created_at, id) where deleted_at is null;
create index files_status on files (institution_id, status, created_at, id) where deleted_at is null;
create index files_category_status on files (institution_id, category, status, created_at, id) where deleted_at is null;
create index files_filename on files (institution_id, original_filename, created_at, id) where deleted_at is null;
create index files_size on files (institution_id, file_size, created_at, id) where deleted_at is null;
create index files_content_type on files (institution_id, content_type, created_at, id) where deleted_at is null;

create index files_workspace on files (institution_id, workspace_id, created_at, id) where deleted_at is null;
create index files_workspace_category on files (institution_id, workspace_id, category, created_at, id) where deleted_at is null;
create index files_workspace_status on files (institution_id, workspace_id, status, created_at, id) where deleted_at is null;
create index files_workspace_category_status on files (institution_id, workspace_id, category, status, created_at, id) where deleted_at is null;
create index files_workspace_filename on files (institution_id, workspace_id, original_filename, created_at, id) where deleted_at is null;
create index files_workspace_size on files (institution_id, workspace_id, file_size, created_at, id) where deleted_at is null;
create index files_workspace_content_type on files (institution_id, workspace_id, content_type, created_at, id) where deleted_at is null;

drop index transfers_updated, transfers_amount, transfers_currency, transfers_status;

create index transfers_status on transfers (workspace_id, mode, status, created_at, id);
create index transfers_currency on transfers (workspace_id, mode, currency, created_at, id);
create index transfers_status_currency on transfers (workspace_id, mode, status, currency, created_at, id);
create index transfers_updated on transfers (workspace_id, mode, updated_at, created_at, id);
create index transfers_amount on transfers (workspace_id, mode, amount, created_at, id);

call tally_attach(row('files', 'files', 'deleted_at is null', '{institution_id}', '{workspace_id,category,status}', 'created_at'));
call tally_attach(row('transfers', 'transfers', 'true', '{workspace_id,mode}', '{status,currency}', 'created_at'));
