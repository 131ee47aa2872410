import { describe, expect, it } from 'vitest';
import description from '../../docs/openapi.json' with { type: 'json' };
import { Portico } from '../src/index.ts';
import { ChannelCalls } from '../src/portal/channels.ts';
import { PorticoPortal } from '../src/portal/index.ts';
import { PeopleCalls } from '../src/portal/people.ts';
import { WatchCalls } from '../src/portal/watch.ts';
import { WorkCalls } from '../src/portal/work.ts';
import { someKey } from './service.ts';

const openMethods = {
  listTransfers: (client: Portico) => client.transfers.list,
  getTransfer: (client: Portico) => client.transfers.get,
  createTransfer: (client: Portico) => client.transfers.create,
  cancelTransfer: (client: Portico) => client.transfers.cancel,
  listWorkspaceFiles: (client: Portico) => client.files.list,
  getWorkspaceFile: (client: Portico) => client.files.get,
  uploadWorkspaceFile: (client: Portico) => client.files.upload,
  downloadWorkspaceFile: (client: Portico) => client.files.download,
  deleteWorkspaceFile: (client: Portico) => client.files.delete,
  listChannelTypes: (client: Portico) => client.channelTypes.list,
  listEvents: (client: Portico) => client.events.list,
  ping: (client: Portico) => client.ping,
  whoami: (client: Portico) => client.whoami,
};

/** Named as their operations, but for these. */
const portalMethods: Record<string, string> = {
  listErrors: 'errors',
  startOpenIdConnect: 'openIdConnectUrl',
};

/** Where a provider sends a browser: no program goes there. */
const withoutMethod = ['finishOpenIdConnect'];

function operationsUnder(prefix: string): string[] {
  return Object.entries(description.paths)
    .filter(([path]) => path.startsWith(prefix))
    .flatMap(([, item]) => Object.values(item as Record<string, { operationId: string }>)) // each holds operations only
    .map(({ operationId }) => operationId);
}

describe('every operation of the API description', () => {
  it('is under one of the two entries', () => {
    const all = operationsUnder('/');
    expect([...operationsUnder('/api/'), ...operationsUnder('/web/')].sort()).toEqual(all.sort());
    expect(all.length).toBeGreaterThan(20);
  });

  it('has a method in the Open API client', () => {
    const client = new Portico({ baseUrl: 'http://localhost', ...someKey });
    expect(Object.keys(openMethods).sort()).toEqual(operationsUnder('/api/').sort());
    for (const method of Object.values(openMethods)) expect(method(client)).toBeTypeOf('function');
  });

  it('has a method in the portal client, and no method is without one', () => {
    const methods = [PorticoPortal, PeopleCalls, WorkCalls, ChannelCalls, WatchCalls]
      .flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype))
      .filter((name) => name !== 'constructor');
    const operations = operationsUnder('/web/')
      .filter((operation) => !withoutMethod.includes(operation))
      .map((operation) => portalMethods[operation] ?? operation);
    expect(methods.sort()).toEqual(operations.sort());
  });
});
