import type { Config } from '../../channels/config.ts';
import type { ConfigSchema } from '../../channels/config-schema.ts';
import type { ChannelStatus, DeliveringType } from '../../channels/types.ts';
import type { Transaction } from '../../db/database.ts';
import { instant, sql } from '../../db/sql.ts';
import { channelsPerWorkspaceMax } from './schema.ts';

type StoredType = { status: 'ENABLED' | 'DISABLED'; schema: ConfigSchema | null };

export async function selectType(tx: Transaction, typeCode: string): Promise<StoredType | undefined> {
  const [row] = await tx.query<StoredType>(sql`
    select status::text as status, extra_config -> 'configSchema' as schema from channel_types where type_code = ${typeCode}`);
  return row;
}

type NewRow = {
  channelId: string;
  workspaceId: number;
  typeCode: DeliveringType;
  name: string;
  mode: 'LIVE' | 'TEST';
  eventTypes: string[];
  config: Config;
  sealed: Buffer | null;
};

/** Channels of one workspace are counted one after another, so that no two creations both take the last place. */
async function hasRoom(tx: Transaction, workspaceId: number): Promise<boolean> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`channels of ${workspaceId}`}, 0))`);
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from channels where workspace_id = ${workspaceId} and deleted_at is null`);
  return (row?.count ?? 0) < channelsPerWorkspaceMax;
}

/** False when the workspace is full. */
export async function insertChannel(tx: Transaction, channel: NewRow, nowMs: number): Promise<boolean> {
  const { channelId, workspaceId, typeCode, name, mode, eventTypes, config, sealed } = channel;
  if (!(await hasRoom(tx, workspaceId))) return false;
  const now = instant(nowMs);
  await tx.query(sql`
    insert into channels (biz_id, workspace_id, type_code, name, mode, event_types, config, sealed, created_at, updated_at)
    values (${channelId}, ${workspaceId}, ${typeCode}, ${name}, ${mode}::key_mode, ${eventTypes}::text[],
      ${JSON.stringify(config)}::jsonb, ${sealed}, ${now}, ${now})`);
  return true;
}

export type LockedChannel = {
  id: number;
  channelId: string;
  typeCode: DeliveringType;
  name: string;
  mode: 'LIVE' | 'TEST';
  eventTypes: string[];
  config: Config;
  sealed: Buffer | null;
  status: ChannelStatus;
};

/** The channel as it is and stays until the transaction ends. Whoever adds deliveries to it does not wait. */
export async function lockChannel(
  tx: Transaction,
  workspaceId: number,
  channelId: string,
): Promise<LockedChannel | undefined> {
  const [row] = await tx.query<LockedChannel>(sql`
    select id, biz_id as "channelId", type_code as "typeCode", name, mode::text as mode, event_types as "eventTypes", config, sealed,
      status::text as status
    from channels where biz_id = ${channelId} and workspace_id = ${workspaceId} and deleted_at is null for no key update`);
  return row;
}

/** All that may be changed of a channel, as it is to be. */
type Settings = Pick<LockedChannel, 'name' | 'eventTypes' | 'config' | 'sealed'>;

export async function updateChannel(
  tx: Transaction,
  id: number,
  { name, eventTypes, config, sealed }: Settings,
  nowMs: number,
): Promise<void> {
  await tx.query(sql`
    update channels set name = ${name}, event_types = ${eventTypes}::text[], config = ${JSON.stringify(config)}::jsonb,
      sealed = ${sealed}, updated_at = ${instant(nowMs)} where id = ${id}`);
}

export async function updateSealed(
  tx: Transaction,
  id: number,
  sealed: Buffer,
  nowMs: number,
): Promise<void> {
  await tx.query(
    sql`update channels set sealed = ${sealed}, updated_at = ${instant(nowMs)} where id = ${id}`,
  );
}

export async function disable(tx: Transaction, id: number, nowMs: number): Promise<void> {
  await tx.query(sql`
    update channels set status = 'DISABLED', disabled_reason = 'OWNER', updated_at = ${instant(nowMs)} where id = ${id}`);
}

export async function enable(tx: Transaction, id: number, nowMs: number): Promise<void> {
  await tx.query(sql`
    update channels set status = 'ACTIVE', disabled_reason = null, failing_since = null, updated_at = ${instant(nowMs)}
    where id = ${id}`);
}

/** Gone for everyone, its secrets at once; its deliveries and the row are swept. */
export async function markDeleted(tx: Transaction, id: number, nowMs: number): Promise<void> {
  await tx.query(sql`update channels set deleted_at = ${instant(nowMs)}, sealed = null where id = ${id}`);
}

/** In which language the account reads. */
export async function selectLocale(tx: Transaction, accountId: number): Promise<string> {
  const [row] = await tx.query<{ locale: string }>(sql`select locale from accounts where id = ${accountId}`);
  return row?.locale ?? '';
}
