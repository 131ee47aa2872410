import type { FastifyInstance } from 'fastify';
import { byAccount } from '../../auth/access.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { workspaceTransfers } from './workspace-collection.ts';

export async function workspaceTransferRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.route(
    listEndpoint(
      workspaceTransfers,
      {
        method: 'GET',
        url: '/web/v1/workspaces/:workspaceId/transfers',
        access: byAccount,
        path: WorkspacePath,
        tags: ['Transfers'],
        summary: 'List the transfers of a workspace',
        operationId: 'listWorkspaceTransfers',
        description:
          'For every role of the workspace. LIVE transfers unless mode is TEST, newest first unless sorted otherwise.',
      },
      services,
    ),
  );
}
