import type { FastifyInstance } from 'fastify';
import { byKey } from '../../auth/access.ts';
import type { Services } from '../../auth/services.ts';
import { keyWith } from '../../auth/signed/key-place.ts';
import { commandEndpoint } from '../../contract/command-endpoint.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { recordEndpoint } from '../../contract/record-endpoint.ts';
import { oneFile, workspaceFiles } from './collection.ts';
import { contentEndpoint } from './content-endpoint.ts';
import { deleteFileOf } from './life.ts';
import { bytesSource } from './sources.ts';
import { uploadTo } from './upload.ts';
import { uploadEndpoint } from './upload-endpoint.ts';

const tags = ['Files'];

function readingRoutes(app: FastifyInstance, services: Services): void {
  const access = byKey('files:read');
  app.route(
    listEndpoint(
      workspaceFiles,
      {
        method: 'GET',
        url: '/api/v1/files',
        access,
        tags,
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
        ...oneFile,
        url: '/api/v1/files/:bizId',
        access,
        tags,
        summary: 'Show a file of the workspace of the key',
        operationId: 'getWorkspaceFile',
        description:
          'One file of the workspace that the API key belongs to, and of the mode of the key. Any other is not there.',
      },
      services,
    ),
  );
  app.route(
    contentEndpoint(
      workspaceFiles,
      {
        url: '/api/v1/files/:bizId/content',
        access,
        tags,
        summary: 'Download a file of the workspace of the key',
        operationId: 'downloadWorkspaceFile',
        description:
          'The bytes of a file that is ACTIVE, ARCHIVED or EXPIRED; always as an attachment. Takes Range, If-Range and If-None-Match.',
      },
      services,
    ),
  );
}

export async function signedFileRoutes(app: FastifyInstance, services: Services): Promise<void> {
  readingRoutes(app, services);
  const access = byKey('files:write');
  app.route(
    uploadEndpoint(
      uploadTo(services, keyWith('files:write')),
      {
        url: '/api/v1/files',
        access,
        nameOf: ({ apiKeyId }) => apiKeyId,
        source: bytesSource(services.config.files.openUploadMax),
        tags,
        summary: 'Upload a file to the workspace of the key',
        operationId: 'uploadWorkspaceFile',
        description:
          'The body is the bytes of the file, with any Content-Type; the type is read from them. The file has the mode of the key. A body of more than 1 MiB must state its hash in X-Content-Sha256.',
      },
      services,
    ),
  );
  app.route(
    commandEndpoint(
      deleteFileOf(services, keyWith('files:write')),
      {
        method: 'DELETE',
        url: '/api/v1/files/:bizId',
        access,
        tags,
        summary: 'Delete a file of the workspace of the key',
        operationId: 'deleteWorkspaceFile',
        description: 'Its record and its bytes are gone; the audit log remembers.',
      },
      services,
    ),
  );
}
