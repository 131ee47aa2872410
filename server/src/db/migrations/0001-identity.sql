-- Text is compared by code point everywhere, whatever the database's own collation.

create type workspace_role as enum ('OWNER', 'VIEWER');

create table institutions (
  id bigint generated always as identity primary key,
  biz_id text collate "C" not null unique,
  name text not null
);

create table workspaces (
  id bigint generated always as identity primary key,
  biz_id text collate "C" not null unique,
  institution_id bigint not null references institutions,
  name text not null
);

create table accounts (
  id bigint generated always as identity primary key,
  biz_id text collate "C" not null unique,
  email text collate "C" not null,
  name text not null,
  password_hash text,
  is_demo boolean not null default false,
  created_at timestamptz(3) not null default now()
);
create unique index accounts_email on accounts (lower(email));

create table institution_members (
  account_id bigint not null references accounts on delete cascade,
  institution_id bigint not null references institutions on delete cascade,
  primary key (account_id, institution_id)
);

create table workspace_members (
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  role workspace_role not null,
  primary key (account_id, workspace_id)
);

-- What an outside issuer calls the person. Never matched by e-mail.
create table account_identities (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  account_id bigint not null references accounts on delete cascade,
  primary key (issuer, subject)
);

create table jwt_signing_keys (
  kid text collate "C" primary key,
  public_jwk jsonb not null,
  private_jwk bytea not null,
  created_at timestamptz not null default now()
);

-- One sign-in. Refresh tokens replace one another inside it.
create table sign_ins (
  id uuid primary key default gen_random_uuid(),
  account_id bigint not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);

create table refresh_tokens (
  token_hash bytea primary key,
  sign_in_id uuid not null references sign_ins on delete cascade,
  parent_hash bytea,
  expires_at timestamptz not null,
  replaced_at timestamptz
);
create index refresh_tokens_sign_in on refresh_tokens (sign_in_id);
create index refresh_tokens_expiry on refresh_tokens (expires_at);
create index refresh_tokens_parent on refresh_tokens (parent_hash);

create table turnstile_passes (
  account_id bigint not null references accounts on delete cascade,
  token_hash bytea not null,
  expires_at timestamptz not null,
  primary key (account_id, token_hash)
);
create index turnstile_passes_expiry on turnstile_passes (expires_at);
