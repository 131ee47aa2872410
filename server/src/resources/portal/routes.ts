import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Services } from '../../auth/services.ts';
import { chooseEncoding, isKnownTag } from '../../contract/negotiate.ts';
import { type Asset, readAssets } from './assets.ts';
import { contentSecurityPolicy, createNonce, pageOf } from './page.ts';

const built = new URL('../../../../portal/dist/', import.meta.url);
const hidden = { schema: { hide: true } };

/** The addresses that people see; the portal in the browser tells them apart. */
export const portalPaths = [
  '/',
  '/sign-in',
  '/overview',
  '/files',
  '/api-keys',
  '/requests',
  '/channels',
  '/channel-types',
  '/transfers',
  '/members',
  '/audit-log',
  '/developers',
  '/account',
  '/device',
  '/invitation',
  '/reset-password',
];

function assetRoute(app: FastifyInstance, { name, type, etag, bodies }: Asset): void {
  app.get(`/assets/${name}`, hidden, async (request, reply) => {
    const encoding = chooseEncoding(request.headers['accept-encoding'], bodies);
    const tag = `"${etag}-${encoding}"`;
    reply.headers({
      etag: tag,
      // The name changes with the content.
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'accept-encoding',
    });
    if (isKnownTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.type(type).send(bodies[encoding]);
  });
}

/** The portal in the browser: one page at every address of its own, and what the page loads. People who miss are told so by the same page. */
export async function portalRoutes(app: FastifyInstance, { config }: Services): Promise<void> {
  if (!existsSync(new URL('index.html', built))) throw new Error('the portal is not built: npm run build');
  const page = pageOf(readFileSync(new URL('index.html', built), 'utf8'), config.basePath);
  const sendPage = (reply: FastifyReply) => {
    const nonce = createNonce();
    return reply
      .headers({
        'content-security-policy': contentSecurityPolicy(nonce, config.turnstileSiteKey),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      })
      .type('text/html; charset=utf-8')
      .send(page(nonce));
  };
  for (const path of portalPaths) app.get(path, hidden, async (_request, reply) => sendPage(reply));
  app.setNotFoundHandler(async (request, reply) => {
    request.refusedWith = '4041';
    return sendPage(reply.code(404));
  });
  for (const asset of readAssets(new URL('assets/', built))) assetRoute(app, asset);
}
