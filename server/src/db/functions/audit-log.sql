-- Revision 2
-- How the log is sealed. docs/decisions/0032-the-sealed-log.md says why it is made like this.

-- Whoever may write to the tables may also drop this. It is there for mistakes; the chain of hashes tells of the rest.
create or replace function log_refuse() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('portico.deletes_from', true) = tg_table_name then return null; end if;
  raise insufficient_privilege using message = format('%s of %s is refused: a log is only ever added to', tg_op, tg_table_name);
end $$;

create or replace trigger log_refuse before update or delete or truncate on audit_log for each statement execute function log_refuse();
create or replace trigger log_refuse before update or delete or truncate on audit_waiting for each statement execute function log_refuse();
create or replace trigger log_refuse before update or delete or truncate on audit_checkpoints for each statement execute function log_refuse();

create or replace function audit_text(value text) returns text language sql stable return coalesce(to_json(value)::text, 'null');

-- The record in canonical JSON: names in their order, no spaces.
create or replace function audit_canonical(sequence bigint, r audit_waiting) returns text language sql stable
return '{"action":' || audit_text(r.action) || ',"actorId":' || audit_text(r.actor_id) || ',"actorName":' || audit_text(r.actor_name)
  || ',"actorType":"' || r.actor_type || '","auditId":' || audit_text(r.audit_id) || ',"changes":' || r.changes
  || ',"institutionId":' || audit_text(r.institution_id) || ',"ipAddress":' || audit_text(r.ip_address)
  || ',"occurredAt":"' || to_char(r.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","requestId":' || audit_text(r.request_id)
  || ',"sequence":' || sequence || ',"subjectId":' || audit_text(r.subject_id) || ',"subjectType":' || audit_text(r.subject_type)
  || ',"workspaceId":' || audit_text(r.workspace_id) || '}';

create or replace function audit_link(previous text, first text, canonical text) returns text language plpgsql immutable as $$
begin
  return encode(sha256(convert_to(coalesce(previous, first) || E'\n' || canonical, 'UTF8')), 'hex');
end $$;

-- The chain of hashes over rows in their order; `first` is the hash before them.
create or replace aggregate audit_chain(first text, canonical text) (sfunc = audit_link, stype = text);

-- Moves a batch of what waits to the log, and what is told of it to the events. Returns how many rows; none when another instance is at it. What waits is read after the
-- lock was had, in a snapshot of its own: all that an earlier sealer took is gone from it, and what commits later is numbered later.
create or replace function audit_seal(batch int) returns int language plpgsql as $$
declare
  head log_heads;
  sealed int;
begin
  if not exists (select from audit_waiting) then return 0; end if;
  select * into head from log_heads where log = 'audit' for update skip locked;
  if not found then return 0; end if;
  perform set_config('portico.deletes_from', 'audit_waiting', true);
  with taken as (
    delete from audit_waiting w where id = any (array(select id from audit_waiting order by id limit batch)) returning w
  ), numbered as (
    select head.sequence + row_number() over (order by (w).id) as sequence, w from taken
  ), told as (
    insert into events (sequence, type, occurred_at, workspace_id, mode, channel_id, data)
    select sequence, (w).event_type, (w).occurred_at, (w).workspace_id, (w).event_mode, (w).event_channel_id, (w).event_data
    from numbered where (w).event_type is not null and (w).workspace_id is not null
  ), added as (
    insert into audit_log (sequence, audit_id, occurred_at, actor_type, actor_id, actor_name, action, subject_type, subject_id,
      changes, ip_address, request_id, institution_id, workspace_id, hash)
    select sequence, (w).audit_id, (w).occurred_at, (w).actor_type, (w).actor_id, (w).actor_name, (w).action, (w).subject_type, (w).subject_id,
      (w).changes, (w).ip_address, (w).request_id, (w).institution_id, (w).workspace_id,
      audit_chain(head.hash, audit_canonical(sequence, w)) over (order by sequence)
    from numbered returning sequence, hash
  )
  update log_heads h set sequence = last.sequence, hash = last.hash
  from (select sequence, hash from added order by sequence desc limit 1) last where h.log = 'audit'
  returning h.sequence - head.sequence into sealed;
  perform set_config('portico.deletes_from', '', true);
  return coalesce(sealed, 0);
end $$;

-- The operator's retention: takes away the oldest records, up to the first that is not older. The chain begins after them.
create or replace function audit_forget(older_than timestamptz) returns bigint language plpgsql as $$
declare
  head log_heads;
  last audit_log;
begin
  select * into head from log_heads where log = 'audit' for update;
  select * into last from audit_log where sequence < (
    select coalesce(min(sequence), head.sequence + 1) from audit_log where occurred_at >= older_than) order by sequence desc limit 1;
  if not found then return 0; end if;
  perform set_config('portico.deletes_from', 'audit_log', true);
  delete from audit_log where sequence <= last.sequence;
  perform set_config('portico.deletes_from', '', true);
  update log_heads set forgotten_sequence = last.sequence, forgotten_hash = last.hash where log = 'audit';
  return last.sequence - head.forgotten_sequence;
end $$;
