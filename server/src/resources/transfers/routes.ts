import type { FastifyInstance } from 'fastify';
import { byKey } from '../../auth/access.ts';
import type { Services } from '../../auth/services.ts';
import { lookBackSeconds } from '../../contract/command.ts';
import { commandEndpoint } from '../../contract/command-endpoint.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { recordEndpoint } from '../../contract/record-endpoint.ts';
import { idColumn } from '../../transfers/record.ts';
import { cancelTransfer } from './cancel.ts';
import { transfers } from './collection.ts';
import { createTransfer } from './create.ts';
import { noTransfer } from './locked-transfer.ts';
import { TransferPath } from './schema.ts';

const url = '/api/v1/transfers';
const tags = ['Transfers'];
const reading = { access: byKey('transfers:read'), tags };
const writing = { method: 'POST', access: byKey('transfers:write'), tags } as const;

export async function transferRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const list = {
    ...reading,
    method: 'GET',
    url,
    summary: 'List transfers of the workspace of the key',
    operationId: 'listTransfers',
    description:
      'The transfers of the workspace that the API key belongs to, and of the mode of the key: a TEST key sees TEST transfers, a LIVE key LIVE ones. Newest first unless sorted otherwise. ' +
      `To keep in step, ask with sort=updatedAt,asc and updatedFrom ${lookBackSeconds} seconds before the latest updatedAt that was seen (docs/keeping-in-step.md).`,
  } as const;
  const show = {
    ...reading,
    url: `${url}/:transferId`,
    path: TransferPath,
    by: { name: 'transferId', column: idColumn },
    none: noTransfer,
    summary: 'Show a transfer',
    operationId: 'getTransfer',
    description: 'A transfer of the workspace and mode of the key.',
  } as const;
  const create = {
    ...writing,
    url,
    summary: 'Create a transfer',
    operationId: 'createTransfer',
    description:
      'Of the workspace and mode of the key, PENDING. Send an Idempotency-Key: then it may be sent again until it is answered, and is created once. A TEST transfer settles by itself within ten seconds: the last two digits before the point say how. 13 fails, 17 stays PENDING until it is cancelled, 19 stays PROCESSING, all others complete.',
  };
  const cancel = {
    ...writing,
    url: `${url}/:transferId/cancel`,
    summary: 'Cancel a transfer',
    operationId: 'cancelTransfer',
    description: 'While it is PENDING.',
  };
  app.route(listEndpoint(transfers, list, services));
  app.route(recordEndpoint(transfers, show, services));
  app.route(commandEndpoint(createTransfer, create, services));
  app.route(commandEndpoint(cancelTransfer, cancel, services));
}
