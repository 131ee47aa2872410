-- Answers of commands, kept for a day: who sends the same key again gets the first answer, and nothing is changed twice.
create table idempotency_keys (
  -- SHA-256 of who called, the route with the values of its path, and the key.
  id bytea primary key,
  -- SHA-256 of the bytes of the body.
  body_hash bytea not null,
  -- The data of the answer, as it was but for secrets, which are null.
  answer json not null,
  answered_at timestamptz(3) not null
);

create index idempotency_keys_answered_at on idempotency_keys (answered_at);

-- A role between the two: it works with what a workspace holds, and does not manage it.
alter type workspace_role add value 'MEMBER' before 'VIEWER';
