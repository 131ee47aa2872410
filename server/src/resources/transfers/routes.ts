import type { FastifyInstance } from 'fastify';
import type { Services } from '../../auth/services.ts';
import { listHandler, listSchema } from '../../contract/collection.ts';
import { chainErrors } from '../../contract/describe.ts';
import { transfers } from './collection.ts';

export async function transferRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.get(
    '/api/v1/transfers',
    {
      config: { scope: 'transfers:read' },
      schema: listSchema(
        transfers,
        {
          tags: ['Transfers'],
          summary: 'List transfers of the workspace of the key',
          operationId: 'listTransfers',
          description:
            'The transfers of the workspace that the API key belongs to, and of the mode of the key: a TEST key sees TEST transfers, a LIVE key LIVE ones. Newest first unless sorted otherwise.',
        },
        chainErrors.signed,
      ),
    },
    listHandler(transfers, services, (request) => request.apiKey),
  );
}
