import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { byAnyKeyAtOnce } from '../../auth/access.ts';
import type { Services } from '../../auth/services.ts';
import { endpoint } from '../../contract/endpoint.ts';

const serverTime = Type.Integer({ description: 'Epoch seconds on the server.', examples: [1767225600] });

const Pong = Type.Object({ pong: Type.Literal(true), serverTime }, { title: 'Pong' });

const WhoAmI = Type.Object(
  {
    apiKeyId: Type.String({
      description: 'The key that signed.',
      examples: ['ak_test_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E'],
    }),
    workspaceBizId: Type.String({ description: 'Workspace of the key.', examples: ['WS_DEMO'] }),
    mode: Type.String({ enum: ['LIVE', 'TEST'], description: 'Which data the key works on.' }),
    scopes: Type.Array(Type.String(), {
      description: 'What the key may do.',
      examples: [['transfers:read']],
    }),
    ip: Type.String({
      description: 'Address the request came from, as the service sees it.',
      examples: ['203.0.113.7'],
    }),
    serverTime,
  },
  { title: 'WhoAmI' },
);

const tags = ['First calls'];
const access = byAnyKeyAtOnce;

/** For the first call of an integrator: does the signature work, and as whom? */
export async function whoAmIRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const seconds = () => Math.floor(services.now() / 1000);
  app.route(
    endpoint(
      {
        method: 'GET',
        url: '/api/v1/ping',
        access,
        tags,
        summary: 'Try a signature',
        operationId: 'ping',
        description: 'Answers when the request is signed rightly.',
        answer: Pong,
        handle: async () => ({ pong: true as const, serverTime: seconds() }),
      },
      services,
    ),
  );
  app.route(
    endpoint(
      {
        method: 'GET',
        url: '/api/v1/whoami',
        access,
        tags,
        summary: 'Show who signs',
        operationId: 'whoami',
        description: 'The key, its workspace, mode and scopes, and the address the request came from.',
        answer: WhoAmI,
        handle: async ({ caller: { address, ...key } }) => ({ ...key, ip: address, serverTime: seconds() }),
      },
      services,
    ),
  );
}
