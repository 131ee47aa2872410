import type { FastifyInstance } from 'fastify';
import { byAccountOrNobody, byNobody } from '../../auth/access.ts';
import type { AccountCaller, Nobody } from '../../auth/identity.ts';
import { createRelyingParty } from '../../auth/oidc/relying-party.ts';
import { noInvitation } from '../../auth/portal/invitation-refusals.ts';
import { isOpen } from '../../auth/portal/invitations.ts';
import type { Person } from '../../auth/portal/roles.ts';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { askedOf } from '../../contract/place.ts';
import { redirectEndpoint } from '../../contract/redirect-endpoint.ts';
import { reader, typedQuery } from '../../contract/validate.ts';
import { countsOfAddress, takeAll } from '../../limits/limits.ts';
import { CallbackQuery, OpenIdConnectInvitation, OpenIdConnectStart, StartQuery } from './schema.ts';
import { createSignIn } from './sign-in.ts';

const tags = ['Sign-in'];
const callbackUrl = '/web/v1/auth/oidc/callback';
const readStart = reader(StartQuery);

const holderOf = (caller: AccountCaller | Nobody): Person | null =>
  caller.type === 'account' ? { account: caller.bizId, signIn: caller.signIn } : null;

/** What the routes do, where a provider is configured. */
function createFlow(services: Services) {
  const { config, now } = services;
  const redirectUri = `${config.publicUrl}${config.basePath}${callbackUrl}`;
  const flow =
    config.openIdConnect &&
    createSignIn(services, createRelyingParty(config.openIdConnect, redirectUri, now));
  return () => {
    if (flow === undefined) throw new ApiError('4040', 'sign-in by OpenID Connect is not set up');
    return flow;
  };
}

/** A link's token goes into a body, as addresses are logged on their way. */
function acceptRoute(app: FastifyInstance, services: Services, flow: ReturnType<typeof createFlow>): void {
  const { db, limits, now } = services;
  app.route(
    endpoint(
      {
        method: 'POST',
        url: '/web/v1/auth/oidc/start',
        access: byAccountOrNobody,
        tags,
        summary: 'Accept an invitation by OpenID Connect',
        operationId: 'acceptByOpenIdConnect',
        description:
          'Gives the address at the provider for the browser to go to. Whoever comes back is a member of the workspace: in the account they are bound to, if the invitation is for its address; with an access token, in its account, to which they are bound then; or else in a new one without a password that is bound to them. Nobody is bound whose e-mail address, where the provider tells one, is not the invited one.',
        body: OpenIdConnectInvitation,
        answer: OpenIdConnectStart,
        errors: ['4040', '4290'],
        async handle({ body: { invitation: token }, ...visit }) {
          const { accept } = flow();
          await takeAll(
            limits,
            countsOfAddress('invitation', visit.caller.address ?? undefined),
            'invitations',
          );
          if (!(await isOpen(db, token, now()))) throw noInvitation();
          return { url: await accept(visit, { token, holder: holderOf(visit.caller) }) };
        },
      },
      services,
    ),
  );
}

export async function openIdConnectRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const flow = createFlow(services);
  acceptRoute(app, services, flow);
  app.route(
    redirectEndpoint({
      url: '/web/v1/auth/oidc/start',
      access: byNobody,
      tags,
      summary: 'Sign in by OpenID Connect',
      operationId: 'startOpenIdConnect',
      description:
        'For a browser to go to: it is led to the provider, and keeps a cookie without which it cannot come back. When the provider is away it is led to `/sign-in?oidc=unavailable`.',
      query: StartQuery,
      errors: ['4040'],
      async handle({ request, ...visit }) {
        const { start } = flow();
        const { returnTo = '/' } = readStart(typedQuery(StartQuery, askedOf(request).query));
        return start({ request, ...visit }, returnTo);
      },
    }),
  );
  app.route(
    redirectEndpoint({
      url: callbackUrl,
      access: byNobody,
      tags,
      summary: 'Come back from the provider',
      operationId: 'finishOpenIdConnect',
      description:
        'Where the provider sends the browser. It is led to `/sign-in?oidc=done` with the refresh token in a cookie, or to the same page with why not: `failed`, `cancelled`, `unavailable`, `unknown` when no active account is bound to the person, or `invitation` when the one that start was given cannot be accepted by them. `return` is the page that start was given.',
      query: CallbackQuery,
      errors: ['4040'],
      handle: (visit) => flow().finish(visit),
    }),
  );
}
