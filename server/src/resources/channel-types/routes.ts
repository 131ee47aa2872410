import type { FastifyInstance } from 'fastify';
import type { Services } from '../../auth/services.ts';
import { listHandler, listSchema } from '../../contract/collection.ts';
import { chainErrors } from '../../contract/describe.ts';
import { channelTypes, signedChannelTypes } from './collection.ts';

export async function channelTypeRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.post(
    '/web/v1/notification-channel-types/query',
    {
      config: { enableJwtToken: true, enableTurnstile: true, accountIn: 'place' },
      schema: listSchema(
        channelTypes,
        {
          tags: ['Channel types'],
          summary: 'Query notification channel types',
          operationId: 'queryChannelTypes',
          description:
            'The kinds of channel on which notifications can be sent. Without a filter, all of them; filters are joined by AND. The answer has no version, timestamp and success.',
        },
        [...chainErrors.jwt, ...chainErrors.turnstile],
      ),
    },
    listHandler(channelTypes, services, ({ caller }) => ({ account: caller.bizId })),
  );
}

export async function signedChannelTypeRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.get(
    '/api/v1/channel-types',
    {
      config: { scope: 'channel-types:read' },
      schema: listSchema(
        signedChannelTypes,
        {
          tags: ['Channel types'],
          summary: 'List notification channel types',
          operationId: 'listChannelTypes',
          description:
            'The kinds of channel on which notifications can be sent, the same for every key. Filters are joined by AND.',
        },
        chainErrors.signed,
      ),
    },
    listHandler(signedChannelTypes, services, ({ apiKey }) => apiKey),
  );
}
