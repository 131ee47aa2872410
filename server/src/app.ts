import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { guardWebChain } from './auth/portal/web-chain.ts';
import type { Services } from './auth/services.ts';
import { createCallerOf, noteRequests } from './auth/signed/note-requests.ts';
import { guardOpenChain } from './auth/signed/open-chain.ts';
import { admitRequests } from './contract/gate.ts';
import { createHttp, type HttpTimeouts, refuseStrays } from './contract/http.ts';
import { observeRequests } from './contract/observe.ts';
import { describeApi } from './contract/openapi.ts';
import { eventWebhooks } from './event-webhooks.ts';
import { ownAccountRoutes } from './resources/account/routes.ts';
import { apiKeyRoutes } from './resources/api-keys/routes.ts';
import { auditLogRoutes } from './resources/audit-log/routes.ts';
import { jwksRoutes } from './resources/auth/jwks.ts';
import { accountRoutes } from './resources/auth/routes.ts';
import { channelTypeRoutes, signedChannelTypeRoutes } from './resources/channel-types/routes.ts';
import { deliveryRoutes } from './resources/channels/delivery-routes.ts';
import { channelRoutes } from './resources/channels/routes.ts';
import { deviceSignInRoutes } from './resources/device-sign-in/routes.ts';
import { errorRoutes } from './resources/errors/routes.ts';
import { eventRoutes } from './resources/events/routes.ts';
import { fileRoutes } from './resources/files/routes.ts';
import { signedFileRoutes } from './resources/files/signed-routes.ts';
import { invitationRoutes } from './resources/invitations/routes.ts';
import { memberRoutes } from './resources/members/routes.ts';
import { notificationRoutes } from './resources/notifications/routes.ts';
import { openIdConnectRoutes } from './resources/oidc/routes.ts';
import { overviewRoutes } from './resources/overview/routes.ts';
import { portalRoutes } from './resources/portal/routes.ts';
import { measureService } from './resources/probes/metrics.ts';
import type { Readiness } from './resources/probes/readiness.ts';
import { probeRoutes } from './resources/probes/routes.ts';
import { referenceRoutes } from './resources/reference/routes.ts';
import { requestRoutes } from './resources/requests/routes.ts';
import { transferRoutes } from './resources/transfers/routes.ts';
import { workspaceTransferRoutes } from './resources/transfers/workspace-routes.ts';
import { whoAmIRoutes } from './resources/whoami/routes.ts';

type Resource = (app: FastifyInstance, services: Services) => Promise<void>;

/** Called with a bearer token; each route declares what else it wants. */
const portalResources: Resource[] = [
  accountRoutes,
  apiKeyRoutes,
  auditLogRoutes,
  channelRoutes,
  channelTypeRoutes,
  deliveryRoutes,
  deviceSignInRoutes,
  errorRoutes,
  fileRoutes,
  invitationRoutes,
  memberRoutes,
  notificationRoutes,
  openIdConnectRoutes,
  overviewRoutes,
  ownAccountRoutes,
  requestRoutes,
  workspaceTransferRoutes,
];
/** Called with a signature; each route declares its scope. */
const signedResources: Resource[] = [
  eventRoutes,
  signedChannelTypeRoutes,
  signedFileRoutes,
  transferRoutes,
  whoAmIRoutes,
];
/** Open to everyone. */
const openResources: Resource[] = [jwksRoutes, portalRoutes, referenceRoutes];

export type AppOptions = {
  services: Services;
  readiness: Readiness;
  logger: FastifyBaseLogger;
  timeouts?: HttpTimeouts;
};

export async function buildApp({
  services,
  readiness,
  logger,
  timeouts,
}: AppOptions): Promise<FastifyInstance> {
  const { config, peers } = services;
  const prefix = config.basePath;
  const app = createHttp({
    peers,
    basePath: prefix,
    isHttps: config.isHttps,
    logger,
    ...(timeouts === undefined ? {} : { timeouts }),
  });
  const registry = observeRequests(app, { peers, callerOf: createCallerOf(prefix) });
  noteRequests(app, services);
  measureService(registry, readiness);
  admitRequests(app, peers, registry);
  refuseStrays(app, peers, prefix);
  app.addHook('onRequest', async (_request, reply) => {
    // While it still listens, a client that left would only come back.
    if (readiness.isDraining() && !app.server.listening) reply.header('connection', 'close');
  });
  await describeApi(app, prefix, eventWebhooks);
  await app.register(probeRoutes, { services, readiness, registry });
  await app.register(
    async (portal) => {
      guardWebChain(portal, services);
      for (const resource of portalResources) await resource(portal, services);
    },
    { prefix },
  );
  await app.register(
    async (signed) => {
      guardOpenChain(signed, services);
      for (const resource of signedResources) await resource(signed, services);
    },
    { prefix },
  );
  await app.register(
    async (open) => {
      for (const resource of openResources) await resource(open, services);
    },
    { prefix },
  );
  await app.ready();
  return app;
}
