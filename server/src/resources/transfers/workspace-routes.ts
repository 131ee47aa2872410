import type { FastifyInstance } from 'fastify';
import { byAccount } from '../../auth/access.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { commandEndpoint } from '../../contract/command-endpoint.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { recordEndpoint } from '../../contract/record-endpoint.ts';
import { idColumn } from '../../transfers/record.ts';
import { cancelWorkspaceTransfer } from './cancel.ts';
import { createWorkspaceTransfer } from './create.ts';
import { noTransfer } from './locked-transfer.ts';
import { setTransferStatus } from './platform.ts';
import { WorkspaceTransferPath } from './schema.ts';
import { eitherTransfers, workspaceTransfers } from './workspace-collection.ts';

const url = '/web/v1/workspaces/:workspaceId/transfers';
const shared = { access: byAccount, tags: ['Transfers'] };

export async function workspaceTransferRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const list = {
    ...shared,
    method: 'GET',
    url,
    path: WorkspacePath,
    summary: 'List the transfers of a workspace',
    operationId: 'listWorkspaceTransfers',
    description:
      'For every role of the workspace. LIVE transfers unless mode is TEST, newest first unless sorted otherwise.',
  } as const;
  const show = {
    ...shared,
    url: `${url}/:transferId`,
    path: WorkspaceTransferPath,
    by: { name: 'transferId', column: idColumn },
    none: noTransfer,
    summary: 'Show a transfer of a workspace',
    operationId: 'getWorkspaceTransfer',
    description: 'For every role of the workspace. A transfer of either mode.',
  } as const;
  const create = {
    ...shared,
    method: 'POST',
    url,
    summary: 'Create a transfer in a workspace',
    operationId: 'createWorkspaceTransfer',
    description:
      'For owners and members of the workspace; viewers look. A TEST transfer settles by itself within ten seconds, as its last two digits before the point say.',
  } as const;
  const cancel = {
    ...shared,
    method: 'POST',
    url: `${url}/:transferId/cancel`,
    summary: 'Cancel a transfer of a workspace',
    operationId: 'cancelWorkspaceTransfer',
    description: 'While it is PENDING. For owners and members of the workspace.',
  } as const;
  const move = {
    ...shared,
    method: 'POST',
    url: '/web/v1/admin/transfers/:transferId/status',
    summary: 'Move a transfer of any workspace',
    operationId: 'setTransferStatus',
    description:
      'What the platform says became of a transfer: PENDING to PROCESSING, PROCESSING to COMPLETED or FAILED. For accounts that are operators, on an ADMIN portal.',
  } as const;
  app.route(listEndpoint(workspaceTransfers, list, services));
  app.route(recordEndpoint(eitherTransfers, show, services));
  app.route(commandEndpoint(createWorkspaceTransfer, create, services));
  app.route(commandEndpoint(cancelWorkspaceTransfer, cancel, services));
  app.route(commandEndpoint(setTransferStatus, move, services));
}
