import type { FastifyInstance } from 'fastify';
import { byAccount, byAccountOrNobody, byNobody } from '../../auth/access.ts';
import { noInvitation } from '../../auth/portal/invitation-refusals.ts';
import { invitationDays } from '../../auth/portal/invitations.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { commandEndpoint } from '../../contract/command-endpoint.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { countsOfAddress, takeAll } from '../../limits/limits.ts';
import { acceptAsAccount, acceptAsNewcomer } from './accept.ts';
import { invitations } from './collection.ts';
import { createInvitation } from './invite.ts';
import { selectView } from './queries.ts';
import { revokeInvitation } from './revoke.ts';
import { Acceptance, AcceptedInvitation, InvitationToken, InvitationView } from './schema.ts';

const tags = ['Invitations'];
const shared = { access: byAccount, tags };
const url = '/web/v1/workspaces/:workspaceId/invitations';

/** For owners of a workspace. */
function ownerRoutes(app: FastifyInstance, services: Services): void {
  const list = {
    ...shared,
    method: 'GET',
    url,
    path: WorkspacePath,
    summary: 'List the invitations of a workspace',
    operationId: 'listInvitations',
    description:
      'For owners of the workspace, without links. Those that have ended are listed for a while, newest first.',
  } as const;
  const create = {
    ...shared,
    method: 'POST',
    url,
    summary: 'Invite someone to a workspace',
    operationId: 'createInvitation',
    description: `For owners of the workspace. The link works once and for ${invitationDays} days; an earlier one for the same address ends. It is in this answer and in no other, or goes out by mail.`,
  } as const;
  const revoke = {
    ...shared,
    method: 'POST',
    url: `${url}/:invitationId/revoke`,
    summary: 'Revoke an invitation',
    operationId: 'revokeInvitation',
    description: 'For owners of the workspace. Its link works no more.',
  } as const;
  app.route(listEndpoint(invitations, list, services));
  app.route(commandEndpoint(createInvitation(services), create, services));
  app.route(commandEndpoint(revokeInvitation, revoke, services));
}

/** For whoever has a link. It is a secret of 256 bits: no challenge stands before it, and each address may try so many a minute. */
function guestRoutes(app: FastifyInstance, services: Services): void {
  const { limits, now } = services;
  const admit = ({ address }: { address: string | null }) =>
    takeAll(limits, countsOfAddress('invitation', address ?? undefined), 'invitations');
  app.route(
    endpoint(
      {
        method: 'POST',
        url: '/web/v1/invitations/lookup',
        access: byNobody,
        tags,
        summary: 'Look at an invitation',
        operationId: 'lookupInvitation',
        description: 'Who invites whom to what, for whoever has the link.',
        body: InvitationToken,
        answer: InvitationView,
        errors: ['4040', '4290'],
        async handle({ caller, body: { token }, db }) {
          await admit(caller);
          const found = await selectView(db, token, now());
          if (found === undefined) throw noInvitation();
          return found;
        },
      },
      services,
    ),
  );
  app.route(
    endpoint(
      {
        method: 'POST',
        url: '/web/v1/invitations/accept',
        access: byAccountOrNobody,
        tags,
        summary: 'Accept an invitation',
        operationId: 'acceptInvitation',
        description:
          'Makes the caller a member of the workspace and of its institution. With an access token its account accepts, whose address must be the invited one. Without one, name and password make an account, which is signed in; an address that has an account is refused with 4090, and signs in first.',
        body: Acceptance,
        answer: AcceptedInvitation,
        errors: ['4030', '4040', '4090', '4096', '4290'],
        async handle({ caller, body, db, reply }) {
          await admit(caller);
          return caller.type === 'account'
            ? acceptAsAccount({ db, now }, caller, body)
            : acceptAsNewcomer(services, caller, body, reply);
        },
      },
      services,
    ),
  );
}

export async function invitationRoutes(app: FastifyInstance, services: Services): Promise<void> {
  ownerRoutes(app, services);
  guestRoutes(app, services);
}
