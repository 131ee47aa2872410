import type { FastifyInstance } from 'fastify';
import { byAccount, byChallengedAccount } from '../../auth/access.ts';
import type { Services } from '../../auth/services.ts';
import { commandEndpoint } from '../../contract/command-endpoint.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { recordEndpoint } from '../../contract/record-endpoint.ts';
import { institutionFiles, oneFile, visibleFiles } from './collection.ts';
import { contentEndpoint } from './content-endpoint.ts';
import { archiveFile, deleteFileOf, restoreFile } from './life.ts';
import { formSource } from './sources.ts';
import { uploadTo } from './upload.ts';
import { uploadEndpoint } from './upload-endpoint.ts';
import { writerOfFile, writerOfForm } from './write-places.ts';

const tags = ['Files'];

/** What members of an institution see. */
function readingRoutes(app: FastifyInstance, services: Services): void {
  app.route(
    listEndpoint(
      institutionFiles,
      {
        method: 'POST',
        url: '/web/v1/files/query/list',
        access: byChallengedAccount,
        tags,
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
        ...oneFile,
        url: '/web/v1/files/:bizId',
        access: byAccount,
        tags,
        summary: 'Show a file',
        operationId: 'getFile',
        description:
          'One file of either mode, for every member of its institution. The file of another institution is not there.',
      },
      services,
    ),
  );
  app.route(
    contentEndpoint(
      visibleFiles,
      {
        url: '/web/v1/files/:bizId/content',
        access: byAccount,
        tags,
        summary: 'Download a file',
        operationId: 'downloadFile',
        description:
          'The bytes of a file that is ACTIVE, ARCHIVED or EXPIRED, for every member of its institution; always as an attachment. Takes Range, If-Range and If-None-Match.',
      },
      services,
    ),
  );
}

/** What owners and members of a workspace do. */
export async function fileRoutes(app: FastifyInstance, services: Services): Promise<void> {
  readingRoutes(app, services);
  app.route(
    uploadEndpoint(
      uploadTo(services, writerOfForm),
      {
        url: '/web/v1/files',
        access: byAccount,
        nameOf: ({ bizId }) => bizId,
        source: formSource(services.config.files.uploadMax),
        tags,
        summary: 'Upload a file',
        operationId: 'uploadFile',
        description:
          'A form of its fields and then its one file, by an owner or a member of the workspace. The file is LIVE; its type is read from its bytes.',
      },
      services,
    ),
  );
  const route = (command: typeof archiveFile, name: 'archive' | 'restore', description: string) =>
    app.route(
      commandEndpoint(
        command,
        {
          method: 'POST',
          url: `/web/v1/files/:bizId/${name}`,
          access: byAccount,
          tags,
          summary: `${name === 'archive' ? 'Archive' : 'Restore'} a file`,
          operationId: `${name}File`,
          description,
        },
        services,
      ),
    );
  route(archiveFile, 'archive', 'ACTIVE becomes ARCHIVED. By an owner or a member of its workspace.');
  route(restoreFile, 'restore', 'ARCHIVED becomes ACTIVE. By an owner or a member of its workspace.');
  app.route(
    commandEndpoint(
      deleteFileOf(services, writerOfFile),
      {
        method: 'DELETE',
        url: '/web/v1/files/:bizId',
        access: byAccount,
        tags,
        summary: 'Delete a file',
        operationId: 'deleteFile',
        description:
          'Its record and its bytes are gone; the audit log remembers. By an owner or a member of its workspace.',
      },
      services,
    ),
  );
}
