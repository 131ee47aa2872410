import type { FastifyInstance } from 'fastify';
import type { Services } from '../../auth/services.ts';
import { listHandler, listSchema } from '../../contract/collection.ts';
import { chainErrors, responses } from '../../contract/describe.ts';
import { channelTypes } from './collection.ts';

export async function channelTypeRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { success, ...request } = listSchema(channelTypes);
  app.post(
    '/web/v1/notification-channel-types/query',
    {
      config: { enableJwtToken: true, enableTurnstile: true },
      schema: {
        tags: ['Channel types'],
        summary: 'Query notification channel types',
        operationId: 'queryChannelTypes',
        ...request,
        response: responses(
          200,
          success,
          [...chainErrors.jwt, ...chainErrors.turnstile, ...chainErrors.page],
          { hasBody: true },
        ),
      },
    },
    listHandler(channelTypes, services, () => undefined),
  );
}
