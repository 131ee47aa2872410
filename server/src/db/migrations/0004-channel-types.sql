create type channel_type_status as enum ('DISABLED', 'ENABLED');

create table channel_types (
  id bigint generated always as identity primary key,
  biz_id text collate "C" not null unique,
  type_code text collate "C" not null unique,
  type_value int not null unique,
  type_name text collate "C" not null,
  type_description text collate "C" not null,
  status channel_type_status not null,
  display_order int not null,
  icon_url text collate "C",
  extra_config jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- extra_config describes what a channel of the type is configured with. It never holds a secret's value.
insert into channel_types (biz_id, type_code, type_value, type_name, type_description, status, display_order, extra_config, created_at, updated_at)
select 'NCT_' || code, code, value, name, description,
  case when value <= 4 then 'ENABLED' else 'DISABLED' end::channel_type_status, value, config::jsonb,
  '2025-01-01T00:00:00Z'::timestamptz + make_interval(days => value - 1), '2025-06-01T00:00:00Z'::timestamptz + make_interval(days => value % 5)
from (values
  (1, 'EMAIL', 'Email', 'Messages to an e-mail address', null),
  (2, 'SMS', 'SMS', 'Text messages to a mobile phone', null),
  (3, 'IN_APP', 'In-app', 'Messages shown inside the portal', null),
  (4, 'WEBHOOK', 'Webhook', 'Signed HTTP requests to a server of the partner', '{
    "schemaVersion": 1,
    "address": {"kind": "url", "label": "Endpoint URL", "example": "https://partner.example/hooks"},
    "configSchema": {
      "type": "object",
      "required": ["url"],
      "additionalProperties": false,
      "properties": {
        "url": {"type": "string", "format": "uri", "pattern": "^https://", "maxLength": 2048},
        "signingSecret": {"type": "string", "writeOnly": true, "minLength": 16},
        "timeoutSeconds": {"type": "integer", "minimum": 1, "maximum": 30, "default": 10}
      }
    },
    "providers": ["HTTP"],
    "capabilities": {"html": false, "attachments": false, "deliveryReceipts": true}
  }'),
  (5, 'PUSH', 'Push', 'Notifications on a mobile device', null),
  (6, 'SLACK', 'Slack', 'Messages to a Slack channel', '{
    "schemaVersion": 1,
    "address": {"kind": "channel", "label": "Channel", "example": "#payments"},
    "configSchema": {
      "type": "object",
      "required": ["channel"],
      "additionalProperties": false,
      "properties": {
        "channel": {"type": "string", "minLength": 1, "maxLength": 80},
        "botToken": {"type": "string", "writeOnly": true}
      }
    },
    "providers": ["SLACK"],
    "capabilities": {"html": false, "attachments": true, "deliveryReceipts": false}
  }'),
  (7, 'MS_TEAMS', 'Microsoft Teams', 'Messages to a Teams channel', null),
  (8, 'WHATSAPP', 'WhatsApp', 'Messages to a WhatsApp number', null),
  (9, 'TELEGRAM', 'Telegram', 'Messages to a Telegram chat', null),
  (10, 'WECOM', 'WeCom', 'Messages to a WeCom group (企业微信)', null),
  (11, 'LARK', 'Lark', 'Messages to a Lark group (飞书)', null),
  (12, 'DINGTALK', 'DingTalk', 'Messages to a DingTalk group (钉钉)', null),
  (13, 'VOICE', 'Voice', 'Calls that read a message aloud', null)
) as catalogue (value, code, name, description, config);
