import { sql } from '../../src/db/sql.ts';
import { portalCall, tokenOf, type World } from '../world.ts';

export const membersUrl = '/web/v1/workspaces/WS_DEMO/members';
export const invitationsUrl = '/web/v1/workspaces/WS_DEMO/invitations';

/** An account that is a member of a workspace and of its institution, and a token of it. */
export async function addMember(
  world: World,
  id: string,
  role: string,
  workspace = 'WS_DEMO',
): Promise<string> {
  await world.db.query(sql`
    insert into accounts (biz_id, email, name) values (${id}, lower(${id}) || '@demo.test', ${id}) on conflict do nothing`);
  await world.db.query(sql`
    insert into institution_members (account_id, institution_id)
    select a.id, w.institution_id from accounts a, workspaces w where a.biz_id = ${id} and w.biz_id = ${workspace} on conflict do nothing`);
  await world.db.query(sql`
    insert into workspace_members (account_id, workspace_id, role)
    select a.id, w.id, ${role}::workspace_role from accounts a, workspaces w where a.biz_id = ${id} and w.biz_id = ${workspace}
    on conflict (account_id, workspace_id) do update set role = excluded.role`);
  return tokenOf(world, id);
}

export type Invited = { invitationId: string; token: string };

/** An invitation, and the token of its link. */
export async function inviteTo(
  world: World,
  owner: string,
  email: string,
  role = 'MEMBER',
  url = invitationsUrl,
): Promise<Invited> {
  const answer = await portalCall(world, owner, { url, body: { email, role } });
  if (answer.statusCode !== 201) throw new Error(`no invitation: ${answer.statusCode} ${answer.body}`);
  const { invitationId, url: link } = answer.json().data;
  return { invitationId, token: link.split('#')[1] };
}

export const accept = (world: World, body: object, token?: string) =>
  portalCall(world, token, { url: '/web/v1/invitations/accept', body });

export const lookup = (world: World, token: unknown) =>
  portalCall(world, undefined, { url: '/web/v1/invitations/lookup', body: { token } });
