import type { FastifyInstance } from 'fastify';
import { byAccount, byChallengedAccount, byKey } from '../../auth/access.ts';
import type { Services } from '../../auth/services.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { recordEndpoint } from '../../contract/record-endpoint.ts';
import { channelTypes, signedChannelTypes } from './collection.ts';
import { ChannelTypePath } from './schema.ts';

export async function channelTypeRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.route(
    listEndpoint(
      channelTypes,
      {
        method: 'POST',
        url: '/web/v1/notification-channel-types/query',
        access: byChallengedAccount,
        tags: ['Channel types'],
        summary: 'Query notification channel types',
        operationId: 'queryChannelTypes',
        description:
          'The kinds of channel on which notifications can be sent. Without a filter, all of them; filters are joined by AND. The answer has no version, timestamp and success.',
      },
      services,
    ),
  );
  app.route(
    recordEndpoint(
      channelTypes,
      {
        url: '/web/v1/notification-channel-types/:typeCode',
        access: byAccount,
        path: ChannelTypePath,
        by: { name: 'typeCode', column: channelTypes.columns.typeCode },
        none: 'there is no such channel type',
        tags: ['Channel types'],
        summary: 'Show a notification channel type',
        operationId: 'getChannelType',
        description: 'One kind of channel, by its code.',
      },
      services,
    ),
  );
}

export async function signedChannelTypeRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.route(
    listEndpoint(
      signedChannelTypes,
      {
        method: 'GET',
        url: '/api/v1/channel-types',
        access: byKey('channel-types:read'),
        tags: ['Channel types'],
        summary: 'List notification channel types',
        operationId: 'listChannelTypes',
        description:
          'The kinds of channel on which notifications can be sent, the same for every key. Filters are joined by AND.',
      },
      services,
    ),
  );
}
