import type { FastifyInstance } from 'fastify';
import { byAccount, byChallengedAccount, byKey } from '../../auth/access.ts';
import type { Services } from '../../auth/services.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { recordEndpoint } from '../../contract/record-endpoint.ts';
import { sql } from '../../db/sql.ts';
import { institutionFiles, visibleFiles, workspaceFiles } from './collection.ts';
import { FilePath } from './schema.ts';

const one = {
  tags: ['Files'],
  path: FilePath,
  by: { name: 'bizId' as const, column: sql`f.biz_id` },
  none: 'there is no such file',
};

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
          'The files of one institution, newest first unless sorted otherwise. The caller must be a member of the institution. Filters are joined by AND; the workspace of another institution gives an empty page. LIVE files, unless `mode` asks for TEST ones.',
      },
      services,
    ),
  );
  app.route(
    recordEndpoint(
      visibleFiles,
      {
        ...one,
        url: '/web/v1/files/:bizId',
        access: byAccount,
        summary: 'Show a file',
        operationId: 'getFile',
        description:
          'One file of either mode, for every member of its institution. The file of another institution is not there.',
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
          'The files of the workspace that the API key belongs to, newest first unless sorted otherwise. Filters are joined by AND. A TEST key sees TEST files, a LIVE key LIVE ones.',
      },
      services,
    ),
  );
  app.route(
    recordEndpoint(
      workspaceFiles,
      {
        ...one,
        url: '/api/v1/files/:bizId',
        access: byKey('files:read'),
        summary: 'Show a file of the workspace of the key',
        operationId: 'getWorkspaceFile',
        description:
          'One file of the workspace that the API key belongs to, and of the mode of the key. Any other is not there.',
      },
      services,
    ),
  );
}
