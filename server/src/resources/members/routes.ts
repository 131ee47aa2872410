import type { FastifyInstance } from 'fastify';
import { byAccount } from '../../auth/access.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { commandEndpoint } from '../../contract/command-endpoint.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { changeMember } from './change.ts';
import { members } from './collection.ts';
import { removeMember } from './remove.ts';
import { signOutMember } from './sign-out.ts';

const shared = { access: byAccount, tags: ['Members'] };
const url = '/web/v1/workspaces/:workspaceId/members';
const memberUrl = `${url}/:accountId`;

export async function memberRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const list = {
    ...shared,
    method: 'GET',
    url,
    path: WorkspacePath,
    summary: 'List the members of a workspace',
    operationId: 'listMembers',
    description: 'For every role of the workspace. Who joined first comes first unless sorted otherwise.',
  } as const;
  const change = {
    ...shared,
    method: 'PATCH',
    url: memberUrl,
    summary: 'Change the role of a member',
    operationId: 'changeMember',
    description:
      'For owners of the workspace. It counts from the next request of the member on. Invitations of someone who is no owner any more are revoked. The last active owner stays one.',
  } as const;
  const remove = {
    ...shared,
    method: 'DELETE',
    url: memberUrl,
    summary: 'Remove a member, or leave',
    operationId: 'removeMember',
    description:
      'For owners of the workspace, and for everyone who leaves. Whoever is removed is refused by the next request, and their invitations are revoked. With the last workspace of an institution goes the membership of the institution. The last active owner can neither leave nor be removed.',
  } as const;
  const signOut = {
    ...shared,
    method: 'POST',
    url: `${memberUrl}/sign-out`,
    summary: 'End the sessions of a member',
    operationId: 'signOutMember',
    description:
      'For owners of the workspace. Every session of the account ends at once, on every device and for whatever workspace; the member may sign in anew.',
  } as const;
  app.route(listEndpoint(members, list, services));
  app.route(commandEndpoint(changeMember, change, services));
  app.route(commandEndpoint(removeMember, remove, services));
  app.route(commandEndpoint(signOutMember, signOut, services));
}
