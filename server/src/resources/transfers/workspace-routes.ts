import type { FastifyInstance } from 'fastify';
import type { Services } from '../../auth/services.ts';
import { memberWorkspace, WorkspacePath } from '../../auth/workspace-path.ts';
import { listHandler, listSchema } from '../../contract/collection.ts';
import { chainErrors } from '../../contract/describe.ts';
import { workspaceTransfers } from './workspace-collection.ts';

export async function workspaceTransferRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.get(
    '/web/v1/workspaces/:workspaceId/transfers',
    {
      config: { enableJwtToken: true, enableTurnstile: false },
      schema: {
        params: WorkspacePath,
        ...listSchema(
          workspaceTransfers,
          {
            tags: ['Transfers'],
            summary: 'List the transfers of a workspace',
            operationId: 'listWorkspaceTransfers',
            description:
              'For every role of the workspace. LIVE transfers unless mode is TEST, newest first unless sorted otherwise.',
          },
          [...chainErrors.jwt, '4030'],
        ),
      },
    },
    listHandler(workspaceTransfers, services, (request) => memberWorkspace(services.db, request)),
  );
}
