-- Transfers are made, cancelled and moved (docs/decisions/0047-transfers-move.md).

-- Who moves transfers of any workspace, on a portal for that.
alter table accounts add column is_operator boolean not null default false;

alter table transfers
  -- For the log and the operator; the record has no field for it.
  add column failure_reason text collate "C",
  -- When the service takes a TEST transfer a step further; null: it does not. What was there before stays as it is.
  add column moves_at timestamptz(3);

-- By workspace first: each is given its turn.
create index transfers_moves on transfers (workspace_id, moves_at, id) where moves_at is not null;

-- What is longer than a reference may be is not looked for, and would not fit into an index.
create index transfers_reference on transfers (workspace_id, mode, reference, created_at, id) where octet_length(reference) <= 560;

-- As currencies.ts has them, to which a test holds this. Rows from before are not looked at again.
alter table transfers drop constraint transfers_amount_digits;
update transfers set amount = round(amount, case currency when 'UYI' then 0 else 4 end)
where currency in ('CLF', 'UYW') or (currency = 'UYI' and amount = trunc(amount));
alter table transfers add constraint transfers_amount_digits check (scale(amount) = case
  when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0
  when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
  when currency in ('CLF', 'UYW') then 4
  else 2 end) not valid;

-- Who follows changes asks for them in the order of updated_at: a second tally of the table, whose triggers have its name.
do $$
declare
  t tallies := row('transfers_updated', 'transfers', 'true', '{workspace_id}', '{mode}', 'updated_at');
  event record;
begin
  insert into tallies select t.*;
  call tally_functions(t);
  for event in values
    ('insert', 'after insert', 'referencing new table as added'),
    ('update', 'after update', 'referencing new table as added old table as removed'),
    ('delete', 'after delete', 'referencing old table as removed'),
    ('truncate', 'before truncate', '')
  loop
    execute format('create trigger %I %s on transfers %s for each statement execute function %I()',
      'tally_updated_' || event.column1, event.column2, event.column3, 'tally_transfers_updated_' || event.column1);
  end loop;
  call tally_rebuild(t.name);
end $$;
