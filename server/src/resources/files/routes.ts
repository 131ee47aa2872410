import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { institutionOfMember } from '../../auth/roles.ts';
import type { Services } from '../../auth/services.ts';
import { listHandler, listSchema } from '../../contract/collection.ts';
import { chainErrors, responses } from '../../contract/describe.ts';
import { reader } from '../../contract/validate.ts';
import { institutionFiles } from './collection.ts';
import { FileFilters } from './schema.ts';

const readInstitution = reader(Type.Pick(FileFilters, ['institutionBizId']));

export async function fileRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { success, ...request } = listSchema(institutionFiles);
  app.post(
    '/web/v1/files/query/list',
    {
      config: { enableJwtToken: true, enableTurnstile: true },
      schema: {
        tags: ['Files'],
        summary: 'List files of an institution',
        operationId: 'listFiles',
        ...request,
        response: responses(
          200,
          success,
          [...chainErrors.jwt, ...chainErrors.turnstile, ...chainErrors.page],
          { hasBody: true },
        ),
      },
    },
    listHandler(
      institutionFiles,
      services,
      (request) =>
        institutionOfMember(
          services.db,
          request.account,
          readInstitution(request.body as object).institutionBizId,
        ), // the parser lets only objects pass
    ),
  );
}
