import type { FastifyInstance } from 'fastify';
import { byAccount } from '../../auth/access.ts';
import { memberOfWorkspace } from '../../auth/portal/roles.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { commandEndpoint } from '../../contract/command-endpoint.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { recordEndpoint } from '../../contract/record-endpoint.ts';
import { changeKey } from './change.ts';
import { apiKeys, idColumn } from './collection.ts';
import { createKey } from './create.ts';
import { disableKey, enableKey, endKeyPreviousSecret, revokeKey } from './life.ts';
import { noKey } from './locked-key.ts';
import { rotateKey } from './rotate.ts';
import { ApiKeyPath, revokedKeysMax, Simulation, SimulationTrace } from './schema.ts';
import { simulate } from './simulate.ts';

const shared = { access: byAccount, tags: ['API keys'] };
const url = '/web/v1/workspaces/:workspaceId/api-keys';
const keyUrl = `${url}/:apiKeyId`;

/** What every role of the workspace may look at. */
function readRoutes(app: FastifyInstance, services: Services): void {
  app.route(
    listEndpoint(
      apiKeys,
      {
        ...shared,
        method: 'GET',
        url,
        path: WorkspacePath,
        summary: 'List the API keys of a workspace',
        operationId: 'listApiKeys',
        description: `For every role of the workspace. Revoked keys are listed too, the last ${revokedKeysMax} of them.`,
      },
      services,
    ),
  );
  app.route(
    recordEndpoint(
      apiKeys,
      {
        ...shared,
        url: keyUrl,
        path: ApiKeyPath,
        by: { name: 'apiKeyId', column: idColumn },
        none: noKey,
        summary: 'Show an API key',
        operationId: 'getApiKey',
        description: 'For every role of the workspace.',
      },
      services,
    ),
  );
  app.route(
    endpoint(
      {
        ...shared,
        method: 'POST',
        url: `${keyUrl}/simulate`,
        place: memberOfWorkspace,
        path: ApiKeyPath,
        body: Simulation,
        answer: SimulationTrace,
        errors: ['4040'],
        summary: 'Simulate a request with an API key',
        operationId: 'simulateApiKey',
        description:
          'For every role of the workspace. Tells step by step what would become of a rightly signed request.',
        handle: ({ path, body, db }) => simulate({ ...services, db }, path, body),
      },
      services,
    ),
  );
}

/** What an owner does with a key once it is there. */
function lifeRoutes(app: FastifyInstance, services: Services): void {
  const post = { ...shared, method: 'POST' } as const;
  const disable = {
    ...post,
    url: `${keyUrl}/disable`,
    summary: 'Disable an API key',
    operationId: 'disableApiKey',
    description: 'Refused by the next request, until the key is enabled.',
  };
  const enable = {
    ...post,
    url: `${keyUrl}/enable`,
    summary: 'Enable an API key',
    operationId: 'enableApiKey',
    description: 'A disabled key works again. TEST keys on a partner portal only.',
  };
  const revoke = {
    ...post,
    url: `${keyUrl}/revoke`,
    summary: 'Revoke an API key',
    operationId: 'revokeApiKey',
    description: `Refused by the next request, for ever. The ${revokedKeysMax} keys of a workspace that were revoked last are kept, older ones are deleted.`,
  };
  const endPrevious = {
    ...shared,
    method: 'DELETE',
    url: `${keyUrl}/previous-secret`,
    summary: 'End the previous secret of an API key',
    operationId: 'endPreviousSecret',
    description: 'Closes the grace of a rotation early.',
  } as const;
  app.route(commandEndpoint(disableKey, disable, services));
  app.route(commandEndpoint(enableKey, enable, services));
  app.route(commandEndpoint(revokeKey, revoke, services));
  app.route(commandEndpoint(endKeyPreviousSecret, endPrevious, services));
}

export async function apiKeyRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const create = {
    ...shared,
    method: 'POST',
    url,
    summary: 'Create an API key',
    operationId: 'createApiKey',
    description:
      'For owners of the workspace. The secret is in this answer and in no other. A key without scopes is created all the same, and may do nothing until it is given some.',
  } as const;
  const change = {
    ...shared,
    method: 'PATCH',
    url: keyUrl,
    summary: 'Change an API key',
    operationId: 'changeApiKey',
    description:
      'Name, scopes, addresses and end. What is absent stays as it is; a null expiresAt removes the end. A TEST key is allowed more (another scope, an address that was not allowed, a later end) on a partner portal only.',
  } as const;
  const rotate = {
    ...shared,
    method: 'POST',
    url: `${keyUrl}/rotate`,
    summary: 'Rotate the secret of an API key',
    operationId: 'rotateApiKey',
    description: 'A new secret for the same key. The previous one goes on working until its grace ends.',
  } as const;
  readRoutes(app, services);
  app.route(commandEndpoint(createKey(services), create, services));
  app.route(commandEndpoint(changeKey, change, services));
  app.route(commandEndpoint(rotateKey(services), rotate, services));
  lifeRoutes(app, services);
}
