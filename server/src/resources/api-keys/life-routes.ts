import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ownerWorkspace } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import type { ErrorCode } from '../../contract/catalogue.ts';
import { chainErrors, responses } from '../../contract/describe.ts';
import { Envelope, ok } from '../../contract/envelope.ts';
import { reader } from '../../contract/validate.ts';
import { closeGrace, type KeyPlace, patchApiKey, rotateApiKey, transit, transitionNames } from './life.ts';
import {
  ApiKeyChange,
  ApiKeyPath,
  ApiKeyRecord,
  graceSecondsDefault,
  RotatedApiKey,
  Rotation,
  revokedKeysMax,
} from './schema.ts';

const readPath = reader(ApiKeyPath);
const readChange = reader(ApiKeyChange);
const readRotation = reader(Rotation);
const config = { enableJwtToken: true, enableTurnstile: false };
const url = '/web/v1/workspaces/:workspaceId/api-keys/:apiKeyId';

const errors: ErrorCode[] = [...chainErrors.jwt, '4030', '4040', '4091'];
const shared = { tags: ['API keys'], params: ApiKeyPath };

const descriptions = {
  disable: {
    summary: 'Disable an API key',
    description: 'Refused by the next request, until the key is enabled.',
  },
  enable: {
    summary: 'Enable an API key',
    description: 'A disabled key works again. TEST keys on a partner portal only.',
  },
  revoke: {
    summary: 'Revoke an API key',
    description: `Refused by the next request, for ever. The ${revokedKeysMax} keys of a workspace that were revoked last are kept, older ones are deleted.`,
  },
};

/** What an owner does with a key after it was created. */
export async function apiKeyLifeRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { db, now } = services;
  const ownedKey = async (request: FastifyRequest): Promise<KeyPlace> => {
    const workspaceId = await ownerWorkspace(db, request);
    return { workspaceId, apiKeyId: readPath(request.params as object).apiKeyId }; // the router's own result
  };
  const record = (codes: ErrorCode[], hasBody: boolean) =>
    responses(200, Envelope(ApiKeyRecord), codes, { hasBody });

  for (const name of transitionNames) {
    const codes: ErrorCode[] = name === 'enable' ? [...errors, '4033'] : errors;
    app.post(
      `${url}/${name}`,
      {
        config,
        schema: {
          ...shared,
          ...descriptions[name],
          operationId: `${name}ApiKey`,
          response: record(codes, true),
        },
      },
      async (request) => ok(await transit(services, await ownedKey(request), name, request.portal), now()),
    );
  }
  app.patch(
    url,
    {
      config,
      schema: {
        ...shared,
        summary: 'Change an API key',
        operationId: 'changeApiKey',
        description:
          'Name, scopes, addresses and end. What is absent stays as it is; a null expiresAt removes the end. A TEST key is allowed more (another scope, an address that was not allowed, a later end) on a partner portal only.',
        body: ApiKeyChange,
        response: record([...errors, '4033'], true),
      },
    },
    async (request) => {
      const place = await ownedKey(request);
      const wanted = readChange(request.body as object); // the parser lets only objects pass
      return ok(await patchApiKey(services, place, wanted, request.portal), now());
    },
  );
  app.post(
    `${url}/rotate`,
    {
      config,
      schema: {
        ...shared,
        summary: 'Rotate the secret of an API key',
        operationId: 'rotateApiKey',
        description: 'A new secret for the same key. The previous one goes on working until its grace ends.',
        body: Rotation,
        response: responses(200, Envelope(RotatedApiKey), [...errors, '4033', '4092'], { hasBody: true }),
      },
    },
    async (request) => {
      const place = await ownedKey(request);
      const { graceSeconds } = readRotation(request.body as object); // the parser lets only objects pass
      return ok(
        await rotateApiKey(services, place, graceSeconds ?? graceSecondsDefault, request.portal),
        now(),
      );
    },
  );
  app.delete(
    `${url}/previous-secret`,
    {
      config,
      schema: {
        ...shared,
        summary: 'End the previous secret of an API key',
        operationId: 'endPreviousSecret',
        description: 'Closes the grace of a rotation early.',
        response: record(errors, false),
      },
    },
    async (request) => ok(await closeGrace(services, await ownedKey(request)), now()),
  );
}
