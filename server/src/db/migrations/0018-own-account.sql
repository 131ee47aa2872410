-- A link by which a password is set anew. An account has one at most: a newer one takes its place.
create table password_resets (
  account_id bigint primary key references accounts on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz(3) not null
);
create index password_resets_expires_at on password_resets (expires_at);

-- The second factor of an account: codes that change with time (TOTP, RFC 6238).
create table second_factors (
  account_id bigint primary key references accounts on delete cascade,
  -- What the codes are made of, under the master key.
  sealed bytea not null,
  -- Null: not confirmed yet, and asked for nowhere.
  confirmed_at timestamptz(3),
  -- The time step of the last code that was taken. Only later ones are.
  used_step bigint not null default 0,
  -- Codes tried since the last right one, and when the next one may be. Here, as it holds over all instances.
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default '-infinity'
);

-- Each stands once for a code of the second factor, and goes with it.
create table recovery_codes (
  account_id bigint not null references second_factors on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);
