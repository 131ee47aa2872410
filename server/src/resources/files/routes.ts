import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Services } from '../../auth/services.ts';
import { listHandler, listSchema } from '../../contract/collection.ts';
import { chainErrors } from '../../contract/describe.ts';
import { reader } from '../../contract/validate.ts';
import { institutionFiles, workspaceFiles } from './collection.ts';
import { FileFilters } from './schema.ts';

const readInstitution = reader(Type.Pick(FileFilters, ['institutionBizId']));

export async function fileRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.post(
    '/web/v1/files/query/list',
    {
      config: { enableJwtToken: true, enableTurnstile: true, accountIn: 'place' },
      schema: listSchema(
        institutionFiles,
        {
          tags: ['Files'],
          summary: 'List files of an institution',
          operationId: 'listFiles',
          description:
            'The files of one institution, newest first unless sorted otherwise. The caller must be a member of the institution. Filters are joined by AND; the workspace of another institution gives an empty page.',
        },
        [...chainErrors.jwt, ...chainErrors.turnstile],
      ),
    },
    listHandler(institutionFiles, services, (request) => ({
      account: request.caller.bizId,
      institution: readInstitution(request.body as object).institutionBizId, // the parser lets only objects pass
    })),
  );
}

export async function signedFileRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.get(
    '/api/v1/files',
    {
      config: { scope: 'files:read' },
      schema: listSchema(
        workspaceFiles,
        {
          tags: ['Files'],
          summary: 'List files of the workspace of the key',
          operationId: 'listWorkspaceFiles',
          description:
            'The files of the workspace that the API key belongs to, newest first unless sorted otherwise. Filters are joined by AND. Files have no mode yet and are all LIVE: a TEST key gets an empty page.',
        },
        chainErrors.signed,
      ),
    },
    listHandler(workspaceFiles, services, (request) => request.apiKey),
  );
}
