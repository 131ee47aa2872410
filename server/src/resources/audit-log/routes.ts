import type { FastifyInstance } from 'fastify';
import { WorkspacePath, workspaceAsked } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { listHandler, listSchema } from '../../contract/collection.ts';
import { chainErrors } from '../../contract/describe.ts';
import { auditLog } from './collection.ts';

export async function auditLogRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.get(
    '/web/v1/workspaces/:workspaceId/audit-log',
    {
      config: { enableJwtToken: true, enableTurnstile: false, accountIn: 'place' },
      schema: {
        params: WorkspacePath,
        ...listSchema(
          auditLog,
          {
            tags: ['Audit log'],
            summary: 'List what was done in a workspace',
            operationId: 'listAuditLog',
            description:
              'For owners of the workspace. Who did what to what, newest first unless sorted otherwise. A record appears within about a second of what it is about.',
          },
          [...chainErrors.jwt, '4030'],
        ),
      },
    },
    listHandler(auditLog, services, workspaceAsked),
  );
}
