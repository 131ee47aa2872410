import type { FastifyInstance } from 'fastify';
import { byNobody } from '../../auth/access.ts';
import { createRelyingParty } from '../../auth/oidc/relying-party.ts';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import { askedOf } from '../../contract/place.ts';
import { redirectEndpoint } from '../../contract/redirect-endpoint.ts';
import { reader, typedQuery } from '../../contract/validate.ts';
import { CallbackQuery, StartQuery } from './schema.ts';
import { createSignIn } from './sign-in.ts';

const tags = ['Sign-in'];
const callbackUrl = '/web/v1/auth/oidc/callback';
const readStart = reader(StartQuery);

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

export async function openIdConnectRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const flow = createFlow(services);
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
        'Where the provider sends the browser. It is led to `/sign-in?oidc=done` with the refresh token in a cookie, or to the same page with why not: `failed`, `cancelled`, `unavailable`, or `unknown` when no active account is bound to the person. `return` is the page that start was given.',
      query: CallbackQuery,
      errors: ['4040'],
      handle: (visit) => flow().finish(visit),
    }),
  );
}
