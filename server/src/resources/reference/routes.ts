import type { FastifyInstance } from 'fastify';
import type { Services } from '../../auth/services.ts';

export async function referenceRoutes(app: FastifyInstance, _services: Services): Promise<void> {
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
