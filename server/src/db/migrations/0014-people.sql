-- Only an active account may sign in, and only its tokens work.
create type account_status as enum ('ACTIVE', 'DISABLED');
alter table accounts
  add column status account_status not null default 'ACTIVE',
  -- The language in which the account is written to.
  add column locale text collate "C" not null default 'en' check (locale in ('en', 'zh-CN')),
  add column last_sign_in_at timestamptz(3);

-- A sign-in ends, however often it is renewed. It is shown to its account, which knows it by device and address. The defaults are
-- for instances from before, which may run beside newer ones for a while.
alter table sign_ins
  add column expires_at timestamptz not null default now() + interval '30 days',
  add column seen_at timestamptz not null default now(),
  add column ip_address text collate "C",
  add column user_agent text collate "C";
update sign_ins set expires_at = created_at + interval '30 days', seen_at = renewed_at;
create index sign_ins_expiry on sign_ins (expires_at);

-- Sealed: who sends a token twice within its grace is given the same successor twice.
alter table refresh_tokens add column successor bytea;
