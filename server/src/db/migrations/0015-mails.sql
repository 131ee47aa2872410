-- Mails that wait to be sent. They are written with what causes them, and deleted once a server has taken them.
create table mails (
  id text collate "C" primary key,
  -- To whom, in which language, of what kind and with which values, under the master key.
  sealed bytea not null,
  -- A keyed hash of the address: how many wait for one recipient can be counted, and who it is not be told.
  recipient bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- Begun, and answered with a refusal that will not change.
  attempts integer not null default 0,
  refusals integer not null default 0,
  -- While one is being sent, when another may try: whoever sent it may have been killed.
  next_attempt_at timestamptz(3) not null
);

create index mails_next_attempt_at on mails (next_attempt_at);
create index mails_expires_at on mails (expires_at);
create index mails_recipient on mails (recipient);
