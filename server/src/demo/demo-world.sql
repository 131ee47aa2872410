-- The demo world: the same every time, from arithmetic on row numbers alone. Three years, with ties, nulls and
-- names beyond ASCII. The password of every account is portico-demo.

-- Its clock: the times below are of a world whose newest record is of 2025-12-25, and all are moved by the span from then to when it is
-- loaded (demo_clock). The files of INST_OTHER, which nobody sees beside others, go on for longer and are moved by as much less.

insert into institutions (biz_id, name) values ('INST_DEMO', 'Demo Institution'), ('INST_OTHER', 'Other Institution');

insert into workspaces (biz_id, institution_id, name)
select w.biz_id, i.id, w.name
from (values ('WS_DEMO', 'INST_DEMO', 'Demo Workspace'), ('WS_DEMO_2', 'INST_DEMO', 'Second Demo Workspace'),
  ('WS_OTHER', 'INST_OTHER', 'Other Workspace')) as w (biz_id, institution, name)
join institutions i on i.biz_id = w.institution;

insert into accounts (biz_id, email, name, password_hash, is_demo, created_at)
select a.biz_id, a.email, a.name,
  '$argon2id$v=19$m=19456,t=2,p=1$cG9ydGljby1kZW1vLXdvcmxk$kcvabj/j3IQ3cTJ/bD0o00QizJh5fNYSAlGgfQMxMAg', true, '2023-01-01T00:00:00Z'::timestamptz + span
from demo_clock, (values ('ACC_DEMO_OWNER', 'owner@demo.test', 'Demo Owner'), ('ACC_DEMO_VIEWER', 'viewer@demo.test', 'Demo Viewer'),
  ('ACC_DEMO_OUTSIDER', 'outsider@demo.test', 'Demo Outsider')) as a (biz_id, email, name);

insert into institution_members (account_id, institution_id)
select a.id, i.id from accounts a join institutions i
  on i.biz_id = case a.biz_id when 'ACC_DEMO_OUTSIDER' then 'INST_OTHER' else 'INST_DEMO' end
where a.is_demo;

insert into workspace_members (account_id, workspace_id, role, joined_at)
select a.id, w.id, m.role::workspace_role, a.created_at
from (values ('ACC_DEMO_OWNER', 'WS_DEMO', 'OWNER'), ('ACC_DEMO_VIEWER', 'WS_DEMO', 'VIEWER'),
  ('ACC_DEMO_OUTSIDER', 'WS_OTHER', 'OWNER')) as m (account, workspace, role)
join accounts a on a.biz_id = m.account join workspaces w on w.biz_id = m.workspace;

-- 250 files of INST_DEMO in both its workspaces, and 20 of INST_OTHER; demo-files.ts has their bytes. Every fifth file has the time of the one before it.
insert into files (biz_id, institution_id, workspace_id, bucket, object_key, original_filename, file_size, content_type,
  category, status, etag, remark, created_at, created_by, is_stored)
select 'FILE_' || lpad(n::text, 10, '0'), w.institution_id, w.id, 'portico-demo',
  c.key, f.stem || '-' || lpad((n % 40)::text, 2, '0') || f.extension,
  c.size, f.content_type,
  (enum_range(null::file_category))[1 + n * 5 % 17], (enum_range(null::file_status))[case when n % 2 = 0 then 1 else 1 + n % 7 end],
  c.etag, case n % 4 when 0 then '' when 1 then 'Uploaded by the partner' when 2 then 'Geprüft — in Ordnung' else '确认无误 ✅' end,
  '2023-01-01T08:00:00Z'::timestamptz + case when n > 250 then span_of_others else span end + make_interval(hours => (n - case when n % 5 = 0 then 1 else 0 end) * 105, mins => (n - case when n % 5 = 0 then 1 else 0 end) % 60),
  case w.biz_id when 'WS_OTHER' then 'ACC_DEMO_OUTSIDER' when 'WS_DEMO' then 'ACC_DEMO_OWNER' else 'ACC_DEMO_VIEWER' end, true
from demo_clock, demo_contents c
join workspaces w on w.biz_id = case when n > 250 then 'WS_OTHER' when n % 3 = 0 then 'WS_DEMO_2' else 'WS_DEMO' end
join (values (0, 'statement', '.pdf', 'application/pdf'), (1, 'Überweisung', '.csv', 'text/csv'), (2, '发票', '.pdf', 'application/pdf'),
  (3, 'facture-été', '.png', 'image/png'), (4, 'report', '.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
  (5, 'логотип', '.svg', 'image/svg+xml'), (6, '🙂 notes', '.txt', 'text/plain')) as f (slot, stem, extension, content_type) on f.slot = n % 7
order by n;

insert into storage_usage (institution_id, bytes) select institution_id, sum(file_size) from files group by institution_id;

-- 240 LIVE and 60 TEST transfers of WS_DEMO, and 12 LIVE of WS_OTHER. Every eighth has the time of the one before it.
insert into transfers (biz_id, workspace_id, mode, amount, currency, status, reference, created_at, updated_at)
select 'TRF_' || lpad(n::text, 10, '0'), w.id, case when n between 241 and 300 then 'TEST' else 'LIVE' end::key_mode,
  round((n * 7919 % 1000003)::numeric / 100, c.digits), c.code, (enum_range(null::transfer_status))[case when n % 2 = 0 then 2 else 1 + n % 5 end],
  case n % 3 when 0 then null when 1 then 'INV-' || n else 'Zahlung Nr. ' || n || ' – Miete' end,
  t.at, t.at + make_interval(mins => n * 37 % 4321)
from demo_clock, generate_series(1, 312) as n
join workspaces w on w.biz_id = case when n > 300 then 'WS_OTHER' else 'WS_DEMO' end
join (values (0, 'USD', 2), (1, 'EUR', 2), (2, 'JPY', 0), (3, 'GBP', 2), (4, 'KWD', 3), (5, 'USD', 2)) as c (slot, code, digits) on c.slot = n % 6
cross join lateral (select '2023-01-02T09:30:00Z'::timestamptz + span
  + make_interval(hours => ((n - 1) % 240 - case when n % 8 = 0 then 1 else 0 end) * 109) as at) as t;

-- What was done to ten API keys of WS_DEMO and two of WS_OTHER that are gone by now: sixty records. Every seventh has the time of the one before it.
insert into audit_waiting (audit_id, occurred_at, actor_type, actor_id, actor_name, action, subject_type, subject_id,
  changes, ip_address, request_id, institution_id, workspace_id)
select 'AUD_01H' || lpad(n::text, 23, '0'), '2023-03-01T10:00:00Z'::timestamptz + span + make_interval(hours => (n - case when n % 7 = 0 then 1 else 0 end) * 411),
  'ACCOUNT', w.account, w.account_name, step.action, 'API_KEY', 'ak_live_01H' || lpad((key + 1)::text, 23, '0'),
  step.changes, '203.0.113.' || 1 + n % 9, md5('portico request ' || n)::uuid::text, w.institution, w.workspace
from demo_clock, generate_series(1, 60) as n
cross join lateral (select (n - 1) / 5 as key) as keys
join (values (0, 'api-key.created', '{"ipWhitelist":{"from":null,"to":[]},"mode":{"from":null,"to":"LIVE"},"name":{"from":null,"to":"ERP"},"scopes":{"from":null,"to":["transfers:read"]}}'),
  (1, 'api-key.changed', '{"name":{"from":"ERP","to":"Buchhaltung – 财务"}}'),
  (2, 'api-key.rotated', '{"secret":{"from":"(secret)","to":"(secret)"},"secretVersion":{"from":1,"to":2}}'),
  (3, 'api-key.disabled', '{"status":{"from":"ACTIVE","to":"DISABLED"}}'),
  (4, 'api-key.revoked', '{"status":{"from":"DISABLED","to":"REVOKED"}}')) as step (slot, action, changes) on step.slot = (n - 1) % 5
join (values (false, 'ACC_DEMO_OWNER', 'Demo Owner', 'INST_DEMO', 'WS_DEMO'),
  (true, 'ACC_DEMO_OUTSIDER', 'Demo Outsider', 'INST_OTHER', 'WS_OTHER')) as w (is_other, account, account_name, institution, workspace)
  on w.is_other = (n > 50)
order by n;

select audit_seal(1000)
