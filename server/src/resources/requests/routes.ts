import type { FastifyInstance } from 'fastify';
import { byAccount } from '../../auth/access.ts';
import { memberOfWorkspace } from '../../auth/portal/roles.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { requests } from './collection.ts';
import { RequestDetail, RequestPath } from './schema.ts';
import { showRequest } from './show.ts';

const url = '/web/v1/workspaces/:workspaceId/requests';
const shared = { access: byAccount, tags: ['Requests'] };

export async function requestRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const list = {
    ...shared,
    method: 'GET',
    url,
    path: WorkspacePath,
    summary: 'List the signed requests of a workspace',
    operationId: 'listRequests',
    description:
      'For every role of the workspace. Requests that named one of its API keys, whatever became of them, newest first unless sorted otherwise. One appears within about a second of its answer.',
  } as const;
  const show = {
    ...shared,
    method: 'GET',
    url: `${url}/:requestId`,
    place: memberOfWorkspace,
    path: RequestPath,
    answer: RequestDetail,
    errors: ['4040'],
    summary: 'Show a signed request',
    operationId: 'getRequest',
    description:
      'For every role of the workspace. By the id that its answer carried, with the meaning of its code. If several had one id, the latest.',
  } as const;
  app.route(listEndpoint(requests, list, services));
  app.route(endpoint({ ...show, handle: ({ path, db }) => showRequest(db, path, services.now()) }, services));
}
