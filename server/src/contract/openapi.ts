import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { Guards } from './describe.ts';
import { pageDefaults } from './page.ts';
import { type Sample, type Sampled, signedSamples } from './signed-samples.ts';
import { describeWebhook, type Webhook } from './webhooks.ts';

const description = `One service with two ways in.

- **Portal endpoints** under \`/web/v1\` take a bearer access token, which \`POST /web/v1/auth/login\` issues. Some also
  want the token of a solved Turnstile challenge.
- **Open API endpoints** under \`/api/v1\` take an API key and a signature on every request.

## Answers

A success carries its payload in \`data\`. An error is \`success\`, \`code\` and \`message\`; with
\`Accept: application/problem+json\` it is a problem of RFC 9457 instead. Every answer names its request in
\`X-Request-Id\`.

## Requests

Bodies are JSON objects in UTF-8 of at most 1 MiB; no body at all is an empty object. Fields that an endpoint does not
know are ignored, and \`null\` in an optional field is the same as leaving it out. Files are uploaded as forms or as bytes.

## Pages

Lists are cut into pages by \`page\` (from 0), \`size\` (at most ${pageDefaults.sizeMax}; more counts as
${pageDefaults.sizeMax}) and \`sort\`. Repeat \`sort\` for tie-breaks, up to ${pageDefaults.sortsMax} times. A page past
the end is empty and has the right totals. The \`Link\` header leads to the neighbouring pages.

## Signing

\`X-Signature\` is the lower-case hex HMAC-SHA256 of eight lines, joined by a line feed, under the whole secret:

1. \`PORTICO1-HMAC-SHA256\`
2. the method in capitals
3. the path as sent, from \`/api/\` on
4. the query, decoded, encoded again with only \`A-Za-z0-9-._~\` left bare, and sorted by name; equal names keep their order
5. \`X-Timestamp\`
6. \`X-Nonce\`
7. \`X-Api-Key\`
8. the lower-case hex SHA-256 of the body's bytes, also when there are none

A body of more than 1 MiB states line 8 in \`X-Content-Sha256\` too; any other may.
`;

const header = (name: string, text: string) => ({
  type: 'apiKey' as const,
  in: 'header' as const,
  name,
  description: text,
});

const securitySchemes = {
  bearer: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of a portal account.',
  },
  turnstile: header(
    'X-Turnstile-Token',
    'Token of a solved Turnstile challenge; serves its account for 300 s. `CF-Turnstile-Response` is read as well.',
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
function securityOf({ enableJwtToken, takesJwtToken, enableTurnstile, scope }: Guards): Requirement[] {
  if (scope !== undefined) return [{ apiKey: [], signature: [], timestamp: [], nonce: [] }];
  if (takesJwtToken) return [{ bearer: [] }, {}];
  const requirement = {
    ...(enableJwtToken ? { bearer: [] } : {}),
    ...(enableTurnstile ? { turnstile: [] } : {}),
  };
  return Object.keys(requirement).length === 0 ? [] : [requirement];
}

function scopeOf({ scope }: Guards, text: string | undefined) {
  if (scope === undefined) return {};
  const needed =
    scope === 'any' ? 'The key must have a scope, whichever.' : `The key must have the scope \`${scope}\`.`;
  return { 'x-required-scope': scope, description: text === undefined ? needed : `${text}\n\n${needed}` };
}

type Schema = {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
};
type Media = { schema: Schema; example?: unknown; examples?: Record<string, unknown> };
/** A redirect has no content. */
type Response = { content?: Record<string, Media> };
type Operation = {
  'x-required-scope'?: string;
  'x-codeSamples'?: Sample[];
  parameters?: (NonNullable<Sampled['parameters']>[number] & { schema: Schema })[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response | { $ref: string }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
};

/**
 * An example made of the examples of the fields. An optional field is shown when it has one of its own.
 * Fails on a field that has nothing to show, so that no endpoint is described without an example.
 */
function exampleOf(schema: Schema, path: string): unknown {
  if (Array.isArray(schema['examples'])) return schema['examples'][0];
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if (schema['default'] !== undefined) return schema['default'];
  if (schema['format'] === 'date-time') return '2026-01-01T00:00:00.000Z';
  if (schema.items !== undefined) return [exampleOf(schema.items, `${path}[]`)];
  if (schema.properties === undefined) throw new Error(`${path} needs an example in its schema`);
  const shown = Object.entries(schema.properties).filter(
    ([name, property]) => schema.required?.includes(name) || property['examples'] !== undefined,
  );
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, `${path}.${name}`)]));
}

/** What the rules of the readers are in the words of JSON Schema, as far as it has words for them. */
const ruleWords: Record<string, Schema> = { notBlank: { pattern: '\\S' }, dateTime: { format: 'date-time' } };

/** The schema for the document: rules in its words, and every titled part a component of its own. */
function shareSchema({ rule, names: _names, ...schema }: Schema, shared: Record<string, Schema>): Schema {
  const share = (part: Schema) => shareSchema(part, shared);
  const { properties, items, anyOf } = schema;
  const whole = {
    ...schema,
    ...(typeof rule === 'string' ? ruleWords[rule] : {}),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, share(part)])),
    }),
    ...(items && { items: share(items) }),
    ...(anyOf && { anyOf: anyOf.map(share) }),
  };
  const { title } = schema;
  if (typeof title !== 'string') return whole;
  const known = shared[title];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(whole))
    throw new Error(`two schemas have the title ${title}`);
  shared[title] = whole;
  return { $ref: `#/components/schemas/${title}` };
}

/** Errors are the same on most routes: each set of codes is a component, named by them. */
function shareResponse(response: Response, shared: Record<string, Response>): { $ref: string } {
  const name = Object.keys(response.content?.['application/json']?.examples ?? {}).join('-');
  shared[name] = response;
  return { $ref: `#/components/responses/${name}` };
}

function finishOperation(operation: Operation, id: string, { schemas, responses }: Document['components']) {
  const finish = (content: Record<string, Media>, part: string) => {
    for (const media of Object.values(content)) {
      if (media.examples === undefined) media.example ??= exampleOf(media.schema, `${id} ${part}`);
      media.schema = shareSchema(media.schema, schemas);
    }
  };
  for (const parameter of operation.parameters ?? [])
    parameter.schema = shareSchema(parameter.schema, schemas);
  const { requestBody } = operation;
  if (requestBody !== undefined) {
    // No body at all is an empty object, so a body is required only where a field of it is.
    const isRequired = ({ schema }: Media) => (schema.required ?? []).length > 0;
    requestBody.required = Object.values(requestBody.content).some(isRequired);
    finish(requestBody.content, 'body');
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if ('$ref' in response) continue;
    finish(response.content ?? {}, status);
    if (status >= '400') operation.responses[status] = shareResponse(response, responses);
  }
}

/** The example of a webhook is that of its schema, and what it shows else. */
function finishWebhook(webhook: Webhook, components: Document['components']): { post: Operation } {
  const described = structuredClone(describeWebhook(webhook)) as unknown as { post: Operation }; // both are OpenAPI's own shape
  const [media] = Object.values(described.post.requestBody?.content ?? {});
  if (media !== undefined) {
    const { data, ...rest } = exampleOf(media.schema, webhook.name) as { data: object }; // as every event has it
    media.example = { ...rest, ...webhook.shown, data: { ...data, ...webhook.shown.data } };
  }
  finishOperation(described.post, webhook.name, components);
  return described;
}

function finishDocument(document: Document, webhooks: readonly Webhook[]): Document {
  document.components.responses = {};
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      finishOperation(operation, `${method} ${path}`, document.components);
      if (operation['x-required-scope'] !== undefined)
        operation['x-codeSamples'] = signedSamples(method, path, operation);
    }
  }
  const { components, ...rest } = document;
  const sent = webhooks.map((webhook) => [webhook.name, finishWebhook(webhook, components)]);
  return { ...rest, webhooks: Object.fromEntries(sent), components };
}

export async function describeApi(
  app: FastifyInstance,
  basePath: string,
  webhooks: readonly Webhook[],
): Promise<void> {
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
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => ({
      schema: {
        ...schema,
        security: securityOf(route.config ?? {}),
        ...scopeOf(route.config ?? {}, schema?.description),
      },
      url,
    }),
    // The plugin types both versions of the description; this is the one configured above.
    transformObject: (result) =>
      'openapiObject' in result
        ? (finishDocument(result.openapiObject as unknown as Document, webhooks) as object)
        : result.swaggerObject,
  });
}
