-- Labels stand in code point order, so that sorting by the type is sorting by the name that is returned.

create type file_category as enum (
  'AUDIT_EXPORT', 'BANK_STATEMENT', 'BENEFICIAL_OWNERSHIP', 'BRANDING', 'BUSINESS_REGISTRATION', 'COMPLIANCE_REPORT',
  'CONTRACT', 'DISPUTE_EVIDENCE', 'IDENTITY_DOCUMENT', 'INVOICE', 'OTHER', 'PAYOUT_BATCH', 'PROOF_OF_ADDRESS',
  'RECONCILIATION_REPORT', 'SETTLEMENT_REPORT', 'TAX_DOCUMENT', 'TRANSACTION_REPORT'
);

create type file_status as enum ('ACTIVE', 'ARCHIVED', 'EXPIRED', 'PENDING', 'PROCESSING', 'QUARANTINED', 'REJECTED');

create table files (
  id bigint generated always as identity primary key,
  biz_id text collate "C" not null unique,
  institution_id bigint not null references institutions,
  workspace_id bigint not null references workspaces,
  bucket text collate "C" not null,
  object_key text collate "C" not null,
  original_filename text collate "C" not null,
  file_size bigint not null check (file_size >= 0),
  content_type text collate "C" not null,
  category file_category not null,
  status file_status not null,
  etag text collate "C" not null,
  remark text collate "C" not null default '',
  created_at timestamptz(3) not null,
  created_by text collate "C" not null,
  deleted_at timestamptz
);

create index files_created on files (institution_id, created_at, id) where deleted_at is null;
create index files_filename on files (institution_id, original_filename, id) where deleted_at is null;
create index files_size on files (institution_id, file_size, id) where deleted_at is null;
create index files_content_type on files (institution_id, content_type, id) where deleted_at is null;
create index files_category on files (institution_id, category, id) where deleted_at is null;
create index files_status on files (institution_id, status, id) where deleted_at is null;
create index files_workspace_created on files (workspace_id, created_at, id) where deleted_at is null;
