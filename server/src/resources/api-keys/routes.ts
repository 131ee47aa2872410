import type { FastifyInstance } from 'fastify';
import { workspaceOfOwner } from '../../auth/roles.ts';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import { chainErrors, responses } from '../../contract/describe.ts';
import { Envelope, ok } from '../../contract/envelope.ts';
import { reader } from '../../contract/validate.ts';
import { createApiKey } from './create.ts';
import { CreatedApiKey, NewApiKey, WorkspacePath } from './schema.ts';

const readPath = reader(WorkspacePath);
const readNewKey = reader(NewApiKey);

export async function apiKeyRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.post(
    '/web/v1/workspaces/:workspaceId/api-keys',
    {
      config: { enableJwtToken: true, enableTurnstile: false },
      schema: {
        tags: ['API keys'],
        summary: 'Create an API key',
        operationId: 'createApiKey',
        description:
          'Makes a key for the Open API. The caller must be an OWNER of the workspace. The secret is in this answer and never again: keep it where secrets are kept.',
        params: WorkspacePath,
        body: NewApiKey,
        response: responses(201, Envelope(CreatedApiKey), [...chainErrors.jwt, '4030', '4033', '4093'], {
          hasBody: true,
        }),
      },
    },
    async (request, reply) => {
      const { workspaceId } = readPath(request.params as object); // the router's own result
      const workspace = await workspaceOfOwner(services.db, request.account, workspaceId);
      const wanted = readNewKey(request.body as object); // the parser lets only objects pass
      if (wanted.mode === 2 && request.portal !== 'PARTNER') {
        throw new ApiError('4033', 'TEST keys may only be created on a partner portal');
      }
      reply.code(201);
      return ok(await createApiKey(services, workspace, wanted), services.now());
    },
  );
}
