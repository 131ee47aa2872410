import type { FastifyInstance } from 'fastify';
import { byKey } from '../../auth/access.ts';
import type { Services } from '../../auth/services.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { transfers } from './collection.ts';

export async function transferRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.route(
    listEndpoint(
      transfers,
      {
        method: 'GET',
        url: '/api/v1/transfers',
        access: byKey('transfers:read'),
        tags: ['Transfers'],
        summary: 'List transfers of the workspace of the key',
        operationId: 'listTransfers',
        description:
          'The transfers of the workspace that the API key belongs to, and of the mode of the key: a TEST key sees TEST transfers, a LIVE key LIVE ones. Newest first unless sorted otherwise.',
      },
      services,
    ),
  );
}
