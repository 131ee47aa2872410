import type { FastifyInstance } from 'fastify';
import {
  memberWorkspace,
  ownerWorkspace,
  WorkspacePath,
  workspaceAsked,
} from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import { listHandler, listSchema } from '../../contract/collection.ts';
import { chainErrors, responses } from '../../contract/describe.ts';
import { Envelope, ok } from '../../contract/envelope.ts';
import { reader } from '../../contract/validate.ts';
import { apiKeys } from './collection.ts';
import { createApiKey } from './create.ts';
import { getApiKey } from './life.ts';
import {
  ApiKeyPath,
  ApiKeyRecord,
  CreatedApiKey,
  NewApiKey,
  revokedKeysMax,
  Simulation,
  SimulationTrace,
} from './schema.ts';
import { simulate } from './simulate.ts';

const readKeyPath = reader(ApiKeyPath);
const readNewKey = reader(NewApiKey);
const readSimulation = reader(Simulation);
const tags = ['API keys'];
const config = { enableJwtToken: true, enableTurnstile: false };
const url = '/web/v1/workspaces/:workspaceId/api-keys';

export async function apiKeyRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { db, now } = services;
  app.post(
    url,
    {
      config,
      schema: {
        tags,
        summary: 'Create an API key',
        operationId: 'createApiKey',
        description:
          'For owners of the workspace. The secret is in this answer and in no other. A key without scopes is created all the same, and may do nothing until it is given some.',
        params: WorkspacePath,
        body: NewApiKey,
        response: responses(201, Envelope(CreatedApiKey), [...chainErrors.jwt, '4030', '4033', '4093'], {
          hasBody: true,
        }),
      },
    },
    async (request, reply) => {
      const workspace = await ownerWorkspace(db, request);
      const wanted = readNewKey(request.body as object); // the parser lets only objects pass
      if (wanted.mode === 2 && request.portal !== 'PARTNER') {
        throw new ApiError('4033', 'TEST keys may only be created on a partner portal');
      }
      reply.code(201);
      return ok(await createApiKey(services, workspace, wanted), now());
    },
  );
  app.get(
    url,
    {
      config: { ...config, accountIn: 'place' },
      schema: {
        params: WorkspacePath,
        ...listSchema(
          apiKeys,
          {
            tags,
            summary: 'List the API keys of a workspace',
            operationId: 'listApiKeys',
            description: `For every role of the workspace. Revoked keys are listed too, the last ${revokedKeysMax} of them.`,
          },
          [...chainErrors.jwt, '4030'],
        ),
      },
    },
    listHandler(apiKeys, services, workspaceAsked),
  );
  app.get(
    `${url}/:apiKeyId`,
    {
      config,
      schema: {
        tags,
        summary: 'Show an API key',
        operationId: 'getApiKey',
        description: 'For every role of the workspace.',
        params: ApiKeyPath,
        response: responses(200, Envelope(ApiKeyRecord), [...chainErrors.jwt, '4030', '4040'], {
          hasBody: false,
        }),
      },
    },
    async (request) => {
      const workspaceId = await memberWorkspace(db, request);
      const { apiKeyId } = readKeyPath(request.params as object); // the router's own result
      return ok(await getApiKey(db, { workspaceId, apiKeyId }), now());
    },
  );
  app.post(
    `${url}/:apiKeyId/simulate`,
    {
      config,
      schema: {
        tags,
        summary: 'Simulate a request with an API key',
        operationId: 'simulateApiKey',
        description:
          'For every role of the workspace. Tells step by step what would become of a rightly signed request.',
        params: ApiKeyPath,
        body: Simulation,
        response: responses(200, Envelope(SimulationTrace), [...chainErrors.jwt, '4030', '4040'], {
          hasBody: true,
        }),
      },
    },
    async (request) => {
      const workspaceId = await memberWorkspace(db, request);
      const { apiKeyId } = readKeyPath(request.params as object); // the router's own result
      const wanted = readSimulation(request.body as object); // the parser lets only objects pass
      return ok(await simulate(services, { workspaceId, apiKeyId }, wanted), now());
    },
  );
}
