import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

const description = `One service, two ways in. Portal endpoints under \`/web/v1\` take a bearer access token from
\`POST /web/v1/auth/login\`; Open API endpoints under \`/api/v1\` take an API key and a signature on every request.

Every answer wears one envelope, every list one pagination contract. Send \`Accept: application/problem+json\` to get
errors in the form of RFC 9457.`;

const header = (name: string, text: string) => ({
  type: 'apiKey' as const,
  in: 'header' as const,
  name,
  description: text,
});

export const securitySchemes = {
  bearer: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of a portal account.',
  },
  turnstile: header(
    'X-Turnstile-Token',
    'Token of a solved Turnstile challenge; serves its account for 300 s.',
  ),
  apiKey: header('X-Api-Key', 'Id of the API key.'),
  signature: header(
    'X-Signature',
    'Lower-case hex HMAC-SHA256 over the canonical request, keyed with the secret.',
  ),
  timestamp: header('X-Timestamp', 'Epoch seconds, within 300 s of the server clock.'),
  nonce: header('X-Nonce', 'A fresh UUID for each request.'),
};

type Requirement = { [scheme: string]: string[] };

/** What the chain of a route demands, read from the route's own declaration. */
function securityOf(
  config: { enableJwtToken?: boolean; enableTurnstile?: boolean; scope?: string } | undefined,
): Requirement[] {
  if (config?.scope !== undefined) return [{ apiKey: [], signature: [], timestamp: [], nonce: [] }];
  const requirement = {
    ...(config?.enableJwtToken ? { bearer: [] } : {}),
    ...(config?.enableTurnstile ? { turnstile: [] } : {}),
  };
  return Object.keys(requirement).length === 0 ? [] : [requirement];
}

export async function describeApi(app: FastifyInstance, basePath: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Portico',
        version: '1.0.0',
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: basePath === '' ? '/' : basePath }],
      components: { securitySchemes },
    },
    stripBasePath: true,
    transform: ({ schema, url, route }) => ({
      schema: { ...schema, security: securityOf(route.config) },
      url,
    }),
  });
}
