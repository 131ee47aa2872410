import type { FastifyInstance } from 'fastify';
import { byAccount } from '../../auth/access.ts';
import type { Services } from '../../auth/services.ts';
import { commandEndpoint } from '../../contract/command-endpoint.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { deliveries } from './delivery-collection.ts';
import { redeliveriesMax } from './delivery-schema.ts';
import { redeliver, redeliverFailed } from './redeliver.ts';
import { ChannelPath } from './schema.ts';

const shared = { access: byAccount, tags: ['Notification channels'] };
const url = '/web/v1/workspaces/:workspaceId/notification-channels/:channelId/deliveries';

export async function deliveryRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const list = {
    ...shared,
    method: 'GET',
    url,
    path: ChannelPath,
    summary: 'List the deliveries of a notification channel',
    operationId: 'listDeliveries',
    description: 'For every role of the workspace. Of the last 30 days, newest first.',
  } as const;
  const one = {
    ...shared,
    method: 'POST',
    url: `${url}/:deliveryId/redeliver`,
    summary: 'Deliver an event again',
    operationId: 'redeliver',
    description:
      'For owners of the workspace. The delivery is PENDING again, with all its attempts; one that is PENDING is due at once.',
  } as const;
  const failed = {
    ...shared,
    method: 'POST',
    url: `${url}/redeliver-failed`,
    summary: 'Deliver again what failed',
    operationId: 'redeliverFailed',
    description: `For owners of the workspace. Deliveries that are FAILED or CANCELLED, the oldest first, at most ${redeliveriesMax} in one call.`,
  } as const;
  app.route(listEndpoint(deliveries, list, services));
  app.route(commandEndpoint(redeliver, one, services));
  app.route(commandEndpoint(redeliverFailed, failed, services));
}
