-- Every token of a sign-in begins with its family. A token of a family that is open, and of which there is no row, was replaced
-- long ago: that it is used again is seen without a row for each token that ever was.
alter table sign_ins
  add column family text collate "C" not null default substr(replace(gen_random_uuid()::text, '-', ''), 1, 22),
  add column renewed_at timestamptz not null default now();
create unique index sign_ins_family on sign_ins (family);

-- An account has a bounded number of them: those that ended go first, then those that were not renewed for longest.
create index sign_ins_kept on sign_ins (account_id, (revoked_at is null), renewed_at, id);
drop index sign_ins_account;

-- Tokens from before carry no family, so their rows are kept until they expire.
alter table refresh_tokens add column has_family boolean not null default false;
create index refresh_tokens_replaced on refresh_tokens (replaced_at) where has_family;

-- A workspace keeps a bounded number of revoked keys: those revoked last. Of those from before the time is not known.
alter table api_keys add column revoked_at timestamptz(3);
create index api_keys_revoked on api_keys (workspace_id, revoked_at desc nulls last, id desc) where status = 'REVOKED';
