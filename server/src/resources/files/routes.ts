import type { FastifyInstance } from 'fastify';
import { byChallengedAccount, byKey } from '../../auth/access.ts';
import type { Services } from '../../auth/services.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { institutionFiles, workspaceFiles } from './collection.ts';

export async function fileRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.route(
    listEndpoint(
      institutionFiles,
      {
        method: 'POST',
        url: '/web/v1/files/query/list',
        access: byChallengedAccount,
        tags: ['Files'],
        summary: 'List files of an institution',
        operationId: 'listFiles',
        description:
          'The files of one institution, newest first unless sorted otherwise. The caller must be a member of the institution. Filters are joined by AND; the workspace of another institution gives an empty page.',
      },
      services,
    ),
  );
}

export async function signedFileRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.route(
    listEndpoint(
      workspaceFiles,
      {
        method: 'GET',
        url: '/api/v1/files',
        access: byKey('files:read'),
        tags: ['Files'],
        summary: 'List files of the workspace of the key',
        operationId: 'listWorkspaceFiles',
        description:
          'The files of the workspace that the API key belongs to, newest first unless sorted otherwise. Filters are joined by AND. Files have no mode yet and are all LIVE: a TEST key gets an empty page.',
      },
      services,
    ),
  );
}
