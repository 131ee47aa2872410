import type { FastifyInstance } from 'fastify';
import { byAccount } from '../../auth/access.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { recordEndpoint } from '../../contract/record-endpoint.ts';
import { auditLog } from './collection.ts';
import { AuditLogPath } from './schema.ts';

const url = '/web/v1/workspaces/:workspaceId/audit-log';
const shared = { access: byAccount, tags: ['Audit log'] };

export async function auditLogRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.route(
    listEndpoint(
      auditLog,
      {
        ...shared,
        method: 'GET',
        url,
        path: WorkspacePath,
        summary: 'List what was done in a workspace',
        operationId: 'listAuditLog',
        description:
          'For owners of the workspace. Who did what to what, newest first unless sorted otherwise. A record appears within about a second of what it is about.',
      },
      services,
    ),
  );
  app.route(
    recordEndpoint(
      auditLog,
      {
        ...shared,
        url: `${url}/:sequence`,
        path: AuditLogPath,
        by: { name: 'sequence', column: auditLog.columns.sequence },
        none: 'the audit log of this workspace has no such record',
        summary: 'Show one thing that was done in a workspace',
        operationId: 'getAuditLogRecord',
        description: 'For owners of the workspace. By the number that the record has in the log.',
      },
      services,
    ),
  );
}
