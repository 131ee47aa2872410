import { sql } from '../../src/db/sql.ts';
import { upload } from '../support/files.ts';
import { addMember, inviteTo } from '../support/people.ts';
import { portalCall, type World } from '../world.ts';

/** What commands of one resource are done to. */
export type CommandTarget = {
  /** Its name in the path. */
  name: string;
  /** An id that nothing has. */
  nowhere: string;
  /** One that something has, where the caller may write. Only what is judged by its id needs it: others are refused by their place. */
  some?: string;
  /** An id that something of another tenant has. */
  foreign(world: World): Promise<string>;
  /** A new one of the demo workspace; gives its id. */
  make(world: World, owner: string): Promise<string>;
};

const keysUrl = '/web/v1/workspaces/WS_DEMO/api-keys';
let made = 0;

const apiKey: CommandTarget = {
  name: 'apiKeyId',
  nowhere: 'ak_live_00000000000000000000000000',
  async foreign(world) {
    const [row] = await world.db.query<{ id: string }>(sql`
      insert into api_keys (id, workspace_id, name, mode, scopes, ip_whitelist, created_at)
      select 'ak_live_0000000000000000000000000A', id, 'elsewhere', 'LIVE', '{}', '{}', now() from workspaces where biz_id = 'WS_OTHER' returning id`);
    return row?.id ?? '';
  },
  async make(world, owner) {
    const created = await portalCall(world, owner, { url: keysUrl, body: { name: 'x' } });
    return created.json().data.apiKeyId;
  },
};

export const member: CommandTarget = {
  name: 'accountId',
  nowhere: 'ACC_00000000000000000000000000',
  foreign: async () => 'ACC_DEMO_OUTSIDER',
  async make(world) {
    made += 1;
    await addMember(world, `ACC_MADE_${made}`, 'VIEWER');
    return `ACC_MADE_${made}`;
  },
};

export const invitation: CommandTarget = {
  name: 'invitationId',
  nowhere: 'INV_00000000000000000000000000',
  async foreign(world) {
    const [row] = await world.db.query<{ id: string }>(sql`
      insert into invitations (id, workspace_id, email, role, token_hash, created_at, expires_at)
      select 'INV_0000000000000000000000000A', id, 'a@b.test', 'VIEWER', '\\x00', now(), now() + interval '7 days'
      from workspaces where biz_id = 'WS_OTHER' returning id`);
    return row?.id ?? '';
  },
  async make(world, owner) {
    made += 1;
    return (await inviteTo(world, owner, `made${made}@demo.test`)).invitationId;
  },
};

const file: CommandTarget = {
  name: 'bizId',
  nowhere: 'FILE_NOWHERE',
  some: 'FILE_0000000001',
  foreign: async () => 'FILE_0000000251',
  async make(world, owner) {
    made += 1;
    return (await upload(world, owner, `file ${made}`)).json().data.bizId;
  },
};

export const transfer: CommandTarget = {
  name: 'transferId',
  nowhere: 'TRF_00000000000000000000000000',
  async foreign(world) {
    const [row] = await world.db.query<{ id: string }>(sql`
      select t.biz_id as id from transfers t join workspaces w on w.id = t.workspace_id where w.biz_id = 'WS_OTHER' and t.status = 'PENDING' limit 1`);
    return row?.id ?? '';
  },
  async make(world, owner) {
    const url = '/web/v1/workspaces/WS_DEMO/transfers';
    const created = await portalCall(world, owner, { url, body: { amount: '12.50', currency: 'USD' } });
    return created.json().data.transferId;
  },
};

const channelsUrl = '/web/v1/workspaces/WS_DEMO/notification-channels';
export const newChannel = {
  typeCode: 'WEBHOOK',
  name: 'x',
  eventTypes: ['transfer.created'],
  config: { url: 'https://partner.example/hooks' },
};

export const channel: CommandTarget = {
  name: 'channelId',
  nowhere: 'NCH_00000000000000000000000000',
  async foreign(world) {
    const [row] = await world.db.query<{ id: string }>(sql`
      insert into channels (biz_id, workspace_id, type_code, name, mode, event_types, config, created_at, updated_at)
      select 'NCH_0000000000000000000000000A', id, 'IN_APP', 'elsewhere', 'LIVE', '{}', '{}', now(), now()
      from workspaces where biz_id = 'WS_OTHER' returning biz_id as id`);
    return row?.id ?? '';
  },
  async make(world, owner) {
    return (await portalCall(world, owner, { url: channelsUrl, body: newChannel })).json().data.channelId;
  },
};

const targets: Record<string, CommandTarget> = {
  'api-keys': apiKey,
  members: member,
  invitations: invitation,
  transfers: transfer,
  'notification-channels': channel,
};

/** By the folder of the route, so that a command of a new resource names its own; undefined of one that is of no workspace. */
export function targetOf(url: string): CommandTarget | undefined {
  if (url.includes('/files/')) return file;
  const [, folder] = /^\/(?:web\/v1\/workspaces\/[^/]+|web\/v1\/admin|api\/v1)\/([^/]+)/.exec(url) ?? [];
  if (folder === undefined) return undefined;
  const found = targets[folder];
  if (found === undefined) throw new Error(`${url} has no target among those of its suite`);
  return found;
}
