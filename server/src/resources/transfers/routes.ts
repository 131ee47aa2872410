import type { FastifyInstance } from 'fastify';
import type { Services } from '../../auth/services.ts';
import { listHandler, listSchema } from '../../contract/collection.ts';
import { chainErrors, responses } from '../../contract/describe.ts';
import { transfers } from './collection.ts';

export async function transferRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { success, ...request } = listSchema(transfers);
  app.get(
    '/api/v1/transfers',
    {
      config: { scope: 'transfers:read' },
      schema: {
        tags: ['Transfers'],
        summary: 'List transfers of the workspace of the key',
        operationId: 'listTransfers',
        description:
          'The transfers of the workspace that the API key belongs to, and of the mode of the key: a TEST key sees TEST transfers, a LIVE key LIVE ones. Newest first unless sorted otherwise.',
        ...request,
        response: responses(200, success, [...chainErrors.signed, ...chainErrors.page], { hasBody: false }),
      },
    },
    listHandler(transfers, services, (request) => request.apiKey),
  );
}
