-- Events, channels and deliveries (docs/decisions/0050-events.md, 0051-channels.md, 0052-delivery.md).

-- What is told of a record of the log waits with it and is sealed with it: an event has the number of its record.
alter table audit_waiting
  add column event_type text collate "C",
  add column event_mode key_mode,
  -- JSON, as the API shows it.
  add column event_data text collate "C",
  -- For this channel alone.
  add column event_channel_id bigint;

create table events (
  sequence bigint primary key,
  type text collate "C" not null,
  occurred_at timestamptz(3) not null,
  -- The id that the API shows.
  workspace_id text collate "C" not null,
  -- Null: of both.
  mode key_mode,
  channel_id bigint,
  data text collate "C" not null
);

-- Whoever pulls gets what is of its mode and what is of both, of all types or of some: each a walk along one of these.
create index events_mode on events (workspace_id, mode, sequence) where channel_id is null;
create index events_type on events (workspace_id, mode, type, sequence) where channel_id is null;

-- How far events were handed out to channels. Its row is the lock of who does.
create table event_cursors (
  name text collate "C" primary key,
  sequence bigint not null
);
insert into event_cursors (name, sequence) select 'dispatch', sequence from log_heads where log = 'audit';

create type channel_status as enum ('ACTIVE', 'FAILING', 'DISABLED');

create table channels (
  id bigint generated always as identity primary key,
  biz_id text collate "C" not null unique,
  workspace_id bigint not null references workspaces,
  type_code text collate "C" not null references channel_types (type_code),
  name text collate "C" not null,
  mode key_mode not null,
  event_types text[] not null,
  -- What may be shown, and, under the master key, what may not.
  config jsonb not null,
  sealed bytea,
  status channel_status not null default 'ACTIVE',
  -- GONE: its receiver said so; FAILED: nothing arrived for too long; OWNER: an owner did; null: it is not DISABLED.
  disabled_reason text collate "C",
  last_success_at timestamptz(3),
  failing_since timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Gone for everyone; its deliveries are swept in small steps, and then the row.
  deleted_at timestamptz(3)
);
create index channels_workspace on channels (workspace_id, created_at, id) where deleted_at is null;
-- For the sweep of what they would still have sent.
create index channels_disabled on channels (id) where status = 'DISABLED';
create index channels_deleted on channels (deleted_at) where deleted_at is not null;

create type delivery_status as enum ('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED');

create table deliveries (
  id bigint generated always as identity primary key,
  channel_id bigint not null,
  event_sequence bigint not null,
  event_type text collate "C" not null,
  status delivery_status not null default 'PENDING',
  -- Begun since it was last asked for.
  attempts int not null default 0,
  -- PENDING: when it is due; while someone is at it, when someone else may try.
  next_attempt_at timestamptz(3),
  response_status int,
  duration_ms int,
  response_body text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (channel_id, event_sequence)
);
create index deliveries_due on deliveries (channel_id, next_attempt_at, id) where status = 'PENDING';
create index deliveries_created on deliveries (channel_id, created_at, id);
create index deliveries_status on deliveries (channel_id, status, created_at, id);
call tally_attach(row('deliveries', 'deliveries', 'true', '{channel_id}', '{status}', 'created_at'));

-- When a channel has something due; 'infinity': it has nothing. A row each, so that those with nothing due cost nobody a look.
create table channel_turns (
  channel_id bigint primary key references channels on delete cascade,
  due_at timestamptz(3) not null,
  -- Whom it takes turns with: QUICK ones, which answer at once; CAREFUL ones, which do not, or never did; those by MAIL and by SMS.
  lane text collate "C" not null default 'CAREFUL',
  -- Of types of which so many an hour are sent.
  hour_began timestamptz(3),
  hour_count int not null default 0
);
create index channel_turns_due on channel_turns (lane, due_at);

-- What channels of type IN_APP tell the members of a workspace, once for each event.
create table notifications (
  workspace_id bigint not null references workspaces,
  event_sequence bigint not null,
  channel_id bigint not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, event_sequence)
);
-- A page fetches its rows by what is unique in it; the sweep looks where some came in lately, and at the oldest.
create index notifications_event on notifications (event_sequence);
create index notifications_created on notifications (created_at);

-- How far a member has read.
create table notification_marks (
  workspace_id bigint not null references workspaces,
  account_id bigint not null references accounts,
  event_sequence bigint not null,
  primary key (workspace_id, account_id)
);

-- When it is next told of a key that it expires; null: it is not.
alter table api_keys add column expiry_tells_at timestamptz(3);
update api_keys set expiry_tells_at = expires_at - interval '14 days' where expires_at > now();
create index api_keys_telling on api_keys (expiry_tells_at) where status = 'ACTIVE' and expiry_tells_at is not null;

-- What a channel of each type is configured with.
alter table channel_types add constraint channel_types_schema
  check (extra_config is null or jsonb_typeof(extra_config -> 'configSchema') is not distinct from 'object');

update channel_types c set extra_config = jsonb_build_object('schemaVersion', 1, 'address', address::jsonb,
  'configSchema', jsonb_build_object('type', 'object', 'required', required::jsonb, 'additionalProperties', false, 'properties', properties::jsonb),
  'providers', providers::jsonb, 'capabilities', capabilities::jsonb)
from (values
  ('EMAIL', '{"kind": "email", "label": "E-mail address", "example": "operations@partner.example"}', '["to"]',
    '{"to": {"type": "string", "format": "email", "maxLength": 254, "title": "E-mail address"}}', '["SMTP"]', '{"html": true, "attachments": false, "deliveryReceipts": false}'),
  ('SMS', '{"kind": "phone", "label": "Mobile number", "example": "+491511234567"}', '["to"]',
    '{"to": {"type": "string", "pattern": "^\\+[1-9][0-9]{6,14}$", "title": "Mobile number", "description": "With its country code: +49…"}}', '["HTTP"]', '{"html": false, "attachments": false, "deliveryReceipts": false}'),
  ('IN_APP', '{"kind": "workspace", "label": "Members of the workspace", "example": ""}', '[]', '{}', '["PORTICO"]', '{"html": false, "attachments": false, "deliveryReceipts": true}'),
  ('WEBHOOK', '{"kind": "url", "label": "Endpoint URL", "example": "https://partner.example/hooks"}', '["url"]',
    '{"url": {"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": 2048, "title": "Endpoint URL"},
      "signingSecret": {"type": "string", "writeOnly": true, "pattern": "^whsec_[A-Za-z0-9+/]{32,86}={0,2}$", "title": "Signing secret", "description": "whsec_ and 24 to 64 bytes in base64; made here when it is left out"},
      "timeoutSeconds": {"type": "integer", "minimum": 1, "maximum": 30, "default": 10, "title": "Timeout in seconds"}}',
    '["HTTP"]', '{"html": false, "attachments": false, "deliveryReceipts": true}'),
  ('SLACK', '{"kind": "url", "label": "Incoming webhook", "example": "https://hooks.slack.com/services/…"}', '["url"]',
    '{"url": {"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": 2048, "writeOnly": true, "title": "Incoming webhook"}}', '["SLACK"]', '{"html": false, "attachments": false, "deliveryReceipts": false}'),
  ('MS_TEAMS', '{"kind": "url", "label": "Incoming webhook", "example": "https://example.webhook.office.com/…"}', '["url"]',
    '{"url": {"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": 2048, "writeOnly": true, "title": "Incoming webhook"}}', '["MS_TEAMS"]', '{"html": false, "attachments": false, "deliveryReceipts": false}'),
  ('WECOM', '{"kind": "url", "label": "Group robot", "example": "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…"}', '["url"]',
    '{"url": {"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": 2048, "writeOnly": true, "title": "Group robot"}}', '["WECOM"]', '{"html": false, "attachments": false, "deliveryReceipts": false}'),
  ('LARK', '{"kind": "url", "label": "Custom bot", "example": "https://open.feishu.cn/open-apis/bot/v2/hook/…"}', '["url"]',
    '{"url": {"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": 2048, "writeOnly": true, "title": "Custom bot"}}', '["LARK"]', '{"html": false, "attachments": false, "deliveryReceipts": false}'),
  ('DINGTALK', '{"kind": "url", "label": "Custom robot", "example": "https://oapi.dingtalk.com/robot/send?access_token=…"}', '["url"]',
    '{"url": {"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": 2048, "writeOnly": true, "title": "Custom robot"}}', '["DINGTALK"]', '{"html": false, "attachments": false, "deliveryReceipts": false}')
) as catalogue (code, address, required, properties, providers, capabilities)
where c.type_code = catalogue.code;
