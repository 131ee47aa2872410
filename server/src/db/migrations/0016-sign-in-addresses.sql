-- Where an account has signed in from lately. Others may use up the sign-ins that may fail for an account; who comes from here again
-- is not refused for them. By household: an IPv4 address, or the /64 of an IPv6 one.
create table sign_in_addresses (
  account_id bigint not null references accounts on delete cascade,
  address text collate "C" not null,
  signed_in_at timestamptz not null,
  primary key (account_id, address)
);
create index sign_in_addresses_age on sign_in_addresses (signed_in_at);
