-- Members are listed. A number of its own names a membership in pages; those from before joined now, as nobody knows better.
alter table workspace_members
  add column id bigint generated always as identity,
  add column joined_at timestamptz(3) not null default now();
create unique index workspace_members_id on workspace_members (id);
create index workspace_members_workspace on workspace_members (workspace_id, joined_at, id);

create type invitation_status as enum ('PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED');

create table invitations (
  id text collate "C" primary key,
  workspace_id bigint not null references workspaces on delete cascade,
  -- As it was typed. Compared as the addresses of accounts are.
  email text collate "C" not null,
  role workspace_role not null,
  -- SHA-256 of what the link carries.
  token_hash bytea not null unique,
  -- Null: by the operator.
  invited_by bigint references accounts on delete set null,
  -- PENDING past its end is EXPIRED, whether or not it is written so.
  status invitation_status not null default 'PENDING',
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create unique index invitations_pending on invitations (workspace_id, lower(email)) where status = 'PENDING';
create index invitations_workspace on invitations (workspace_id, created_at, id);
create index invitations_expiry on invitations (expires_at);
