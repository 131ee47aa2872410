import type { FastifyInstance } from 'fastify';
import type { Services } from '../../auth/services.ts';
import { contentSecurityPolicy, referencePage } from './page.ts';
import { loadScript } from './scalar.ts';

const hidden = { schema: { hide: true } };

export async function referenceRoutes(app: FastifyInstance, { config }: Services): Promise<void> {
  const { basePath } = config;
  const page = referencePage(basePath);
  app.get('/openapi.json', hidden, async (_request, reply) => {
    reply.header('cache-control', 'no-cache');
    return app.swagger();
  });
  for (const url of ['/docs', '/docs/']) {
    app.get(url, hidden, async (_request, reply) =>
      reply
        .headers({
          'content-security-policy': contentSecurityPolicy,
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-cache',
        })
        .type('text/html; charset=utf-8')
        .send(page),
    );
  }
  app.get('/docs/scalar.js', hidden, async (request, reply) => {
    const { plain, gzipped, etag } = await loadScript();
    reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    reply.type('text/javascript; charset=utf-8');
    const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers['accept-encoding'] ?? '');
    return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain);
  });
}
