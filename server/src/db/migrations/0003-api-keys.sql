create type key_mode as enum ('LIVE', 'TEST');
create type key_status as enum ('ACTIVE', 'DISABLED', 'REVOKED');

create table api_keys (
  id text collate "C" primary key,
  workspace_id bigint not null references workspaces,
  name text collate "C" not null,
  status key_status not null default 'ACTIVE',
  mode key_mode not null,
  scopes text[] not null,
  ip_whitelist text[] not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_ip text collate "C",
  created_at timestamptz(3) not null
);
create index api_keys_workspace on api_keys (workspace_id, created_at, id);

-- Encrypted under the master key. A rotation adds a version and gives the one before an end; only the last two are kept.
create table api_key_secrets (
  api_key_id text collate "C" not null references api_keys on delete cascade,
  version int not null,
  sealed bytea not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (api_key_id, version)
);

-- Logged on purpose: an unlogged table is emptied by a crash, and every nonce in it could be replayed.
create table api_nonces (
  api_key_id text collate "C" not null,
  nonce uuid not null,
  expires_at timestamptz not null,
  primary key (api_key_id, nonce)
);
create index api_nonces_expiry on api_nonces (expires_at);
