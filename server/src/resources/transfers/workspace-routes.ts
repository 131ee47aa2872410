import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WorkspacePath, workspaceAsked } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import { listHandler, listSchema } from '../../contract/collection.ts';
import { chainErrors } from '../../contract/describe.ts';
import { workspaceTransfers } from './workspace-collection.ts';

/** Any other value is refused when the filters are read. */
const modeIn = ({ query }: FastifyRequest): Mode =>
  (query as { mode?: unknown }).mode === 'TEST' ? 'TEST' : 'LIVE'; // the parser's own result

export async function workspaceTransferRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.get(
    '/web/v1/workspaces/:workspaceId/transfers',
    {
      config: { enableJwtToken: true, enableTurnstile: false, accountIn: 'place' },
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
    listHandler(workspaceTransfers, services, (request) => ({
      ...workspaceAsked(request),
      mode: modeIn(request),
    })),
  );
}
