create type transfer_status as enum ('CANCELLED', 'COMPLETED', 'FAILED', 'PENDING', 'PROCESSING');

create table transfers (
  id bigint generated always as identity primary key,
  biz_id text collate "C" not null unique,
  workspace_id bigint not null references workspaces,
  mode key_mode not null,
  amount numeric not null check (amount >= 0),
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  status transfer_status not null,
  reference text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The scale is kept with the number, so that its text has the digits of its currency (ISO 4217).
  constraint transfers_amount_digits check (scale(amount) = case
    when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
    else 2 end)
);

create index transfers_created on transfers (workspace_id, mode, created_at, id);
create index transfers_updated on transfers (workspace_id, mode, updated_at, id);
create index transfers_amount on transfers (workspace_id, mode, amount, id);
create index transfers_currency on transfers (workspace_id, mode, currency, id);
create index transfers_status on transfers (workspace_id, mode, status, id);
