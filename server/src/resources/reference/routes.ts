import type { FastifyInstance } from 'fastify';
import type { Services } from '../../auth/services.ts';
import { type Compressed, compress, sendCompressed } from './compressed.ts';
import { contentSecurityPolicy, referencePage } from './page.ts';
import { loadScript } from './scalar.ts';

const hidden = { schema: { hide: true } };

export async function referenceRoutes(app: FastifyInstance, { config }: Services): Promise<void> {
  const { basePath } = config;
  const page = referencePage(basePath);
  let description: Promise<Compressed> | undefined;
  app.get('/openapi.json', hidden, async (request, reply) => {
    description ??= compress(JSON.stringify(app.swagger()));
    return sendCompressed(request, reply, 'application/json; charset=utf-8', await description);
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
  app.get('/docs/scalar.js', hidden, async (request, reply) =>
    sendCompressed(request, reply, 'text/javascript; charset=utf-8', await loadScript()),
  );
}
