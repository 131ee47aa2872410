import type { FastifyInstance } from 'fastify';
import type { Services } from '../../auth/services.ts';

/** The public halves of the keys that sign access tokens, in the form RFC 7517 gives them. */
export async function jwksRoutes(app: FastifyInstance, { tokens }: Services): Promise<void> {
  app.get('/.well-known/jwks.json', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300');
    return tokens.jwks();
  });
}
