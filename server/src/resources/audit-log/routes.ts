import type { FastifyInstance } from 'fastify';
import { byAccount } from '../../auth/access.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { auditLog } from './collection.ts';

export async function auditLogRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.route(
    listEndpoint(
      auditLog,
      {
        method: 'GET',
        url: '/web/v1/workspaces/:workspaceId/audit-log',
        access: byAccount,
        path: WorkspacePath,
        tags: ['Audit log'],
        summary: 'List what was done in a workspace',
        operationId: 'listAuditLog',
        description:
          'For owners of the workspace. Who did what to what, newest first unless sorted otherwise. A record appears within about a second of what it is about.',
      },
      services,
    ),
  );
}
