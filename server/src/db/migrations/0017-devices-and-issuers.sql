-- Where instances of this database are reached, as their tokens say it. Tokens of one are good at another only where it is the same.
create table issuers_in_use (
  issuer text collate "C" primary key,
  seen_at timestamptz not null
);

-- Sign-ins that a program asked for and a person confirms in the portal. Codes are kept as hashes; a row goes with the sign-in that comes of it.
create table device_codes (
  -- SHA-256 of what the program polls with.
  device_hash bytea primary key,
  -- SHA-256 of what the person types.
  user_hash bytea not null unique,
  -- What the person is shown of who asks.
  client_name text collate "C",
  ip_address text collate "C",
  user_agent text collate "C",
  -- One household's share of addresses.
  address_group text collate "C" not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  denied_at timestamptz(3),
  -- Who confirmed it, by which sign-in: null where a token of an outside issuer did.
  account_id bigint references accounts on delete cascade,
  sign_in_id uuid,
  check (denied_at is null or account_id is null)
);

create index device_codes_expires_at on device_codes (expires_at);
create index device_codes_address on device_codes (address_group);
create index device_codes_account on device_codes (account_id) where account_id is not null;
