import type { Queryable } from '../../db/database.ts';
import { instant, isoTime, type Sql, sql } from '../../db/sql.ts';
import { type AttentionKind, attentionKinds, attentionMax } from './schema.ts';

const expiresWithin = sql`interval '14 days'`;
const unusedFor = sql`interval '90 days'`;
/** Owners who are named; a workspace may have more. */
const ownersMax = 20;

export type Attention = {
  kind: AttentionKind;
  subjectId: string;
  name: string;
  mode: 'LIVE' | 'TEST' | null;
  at: string | null;
  message: string;
};

type Found = Omit<Attention, 'message'> & { isDisabled: boolean };

const day = (at: string | null) => `${at?.slice(0, 10)} at ${at?.slice(11, 16)} UTC`;

const messages: { [Kind in AttentionKind]: (found: Found) => string } = {
  CHANNEL_FAILING: ({ name, at, isDisabled }) =>
    isDisabled
      ? `The channel ${name} was disabled on ${day(at)}, as nothing arrived through it`
      : `Nothing has arrived through the channel ${name} since ${day(at)}`,
  KEY_EXPIRES: ({ name, at }) => `The key ${name} expires on ${day(at)}`,
  ROTATION_OPEN: ({ name, at }) => `The previous secret of the key ${name} works until ${day(at)}`,
  KEY_WITHOUT_SCOPE: ({ name }) => `The key ${name} has no scope, so all that it asks for is refused`,
  OWNER_WITHOUT_SECOND_FACTOR: ({ name }) => `The owner ${name} signs in without a second factor`,
  KEY_UNUSED: ({ name, at }) =>
    at === null
      ? `The key ${name} was created more than 90 days ago and never used`
      : `The key ${name} was last used on ${day(at)}`,
};

/** A key that works, and a channel that should; `ws` is the workspace. */
const found = (now: Sql): Sql => sql`
    select 'KEY_EXPIRES' as kind, k.id as subject_id, k.name, k.mode, k.expires_at as at, false as is_disabled
    from keys k where k.expires_at <= ${now} + ${expiresWithin}
    union all
    select 'KEY_UNUSED', k.id, k.name, k.mode, k.last_used_at, false
    from keys k where coalesce(k.last_used_at, k.created_at) < ${now} - ${unusedFor}
    union all
    select 'KEY_WITHOUT_SCOPE', k.id, k.name, k.mode, null, false from keys k where k.scopes = '{}'
    union all
    select 'ROTATION_OPEN', k.id, k.name, k.mode, s.expires_at, false
    from keys k join api_key_secrets s on s.api_key_id = k.id and s.expires_at > ${now}
    union all
    select 'CHANNEL_FAILING', c.biz_id, c.name, c.mode, case c.status when 'FAILING' then c.failing_since else c.updated_at end, c.status = 'DISABLED'
    from ws join channels c on c.workspace_id = ws.id
    where c.deleted_at is null and (c.status = 'FAILING' or c.status = 'DISABLED' and c.disabled_reason <> 'OWNER')
      and (ws.mode is null or c.mode = ws.mode)
    union all
    (select 'OWNER_WITHOUT_SECOND_FACTOR', a.biz_id, a.email, null, null, false
    from ws join workspace_members m on m.workspace_id = ws.id and m.role = 'OWNER'
    join accounts a on a.id = m.account_id and a.status = 'ACTIVE' and a.password_hash is not null
    where ws.is_owner and not exists (select from second_factors f where f.account_id = a.id and f.confirmed_at is not null)
    order by a.id limit ${ownersMax})`;

type Asked = { workspaceId: string; account: string; mode: 'LIVE' | 'TEST' | null; nowMs: number };

/** Who signs in without a second factor is told to owners alone: others could not mend it, and an intruder would know where to begin. */
export async function selectAttention(db: Queryable, asked: Asked): Promise<Attention[]> {
  const now = instant(asked.nowMs);
  const rows = await db.query<Found>(sql`
    with ws as materialized (
      select w.id, ${asked.mode}::key_mode as mode, exists (
        select from workspace_members m join accounts a on a.id = m.account_id
        where m.workspace_id = w.id and m.role = 'OWNER' and a.biz_id = ${asked.account}) as is_owner
      from workspaces w where w.biz_id = ${asked.workspaceId}
    ), keys as materialized (
      select k.* from ws join api_keys k on k.workspace_id = ws.id
      where k.status = 'ACTIVE' and (k.expires_at is null or k.expires_at > ${now}) and (ws.mode is null or k.mode = ws.mode)
    )
    select kind, subject_id as "subjectId", name, mode::text as mode, ${isoTime(sql`at`)} as at, is_disabled as "isDisabled"
    from (${found(now)}) found
    order by array_position(${[...attentionKinds]}::text[], kind), at nulls first, subject_id limit ${attentionMax}`);
  return rows.map(({ isDisabled, ...row }) => ({
    ...row,
    message: messages[row.kind]({ ...row, isDisabled }),
  }));
}
