import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsDocument } from '../../scripts/events-document.ts';
import { errorCodes } from '../src/contract/catalogue.ts';
import { eventTypeCodes } from '../src/log/event-types.ts';
import { openWorldOfRoutes, type Route } from './routes.ts';
import { openWorld, type World } from './world.ts';

type Json = { [name: string]: unknown };
type Media = { example?: unknown; examples?: Record<string, { value: { code: string } }> };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: object[];
  'x-required-scope'?: string;
  parameters?: { name: string; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, { content: Record<string, Media>; headers?: Json } | { $ref: string }>;
};
type Document = {
  webhooks: Record<string, { post: Operation }>;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, { content: Record<string, Media> }> };
};

let world: World;
let served: Document;
let routes: Route[];

const fetchDocument = async (from: World, url: string) => {
  const response = await from.app.inject(url);
  expect(response.statusCode).toBe(200);
  return response.json();
};

beforeAll(async () => {
  ({ world, routes } = await openWorldOfRoutes());
  served = await fetchDocument(world, '/openapi.json');
});
afterAll(() => world.close());

const operations = () =>
  Object.entries(served.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

const described = (method: string, url: string) =>
  served.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];

const chained = () => routes.filter(({ method, url }) => method !== 'HEAD' && /^\/(web|api)\//.test(url));

/** Every example in the document: where it stands, and the schema beside it. */
function* examplesOf(node: unknown, pointer = '#'): Generator<{ schema: string; value: unknown }> {
  if (typeof node !== 'object' || node === null) return;
  const { schema, example, examples } = node as Json; // an object, whose members are looked at below
  if (schema !== undefined) {
    if (example !== undefined) yield { schema: `${pointer}/schema`, value: example };
    for (const each of Object.values((examples ?? {}) as Record<string, { value: unknown }>)) // OpenAPI's own shape
      yield { schema: `${pointer}/schema`, value: each.value };
  } else if (Array.isArray(examples)) {
    for (const value of examples) yield { schema: pointer, value };
  }
  for (const [name, child] of Object.entries(node)) {
    if (name === 'example' || name === 'examples') continue;
    yield* examplesOf(
      child,
      `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
    );
  }
}

describe('the API description', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(served).toMatchObject({ openapi: '3.1.0' });
    expect(await new Validator().validate(structuredClone(served))).toEqual({ valid: true });
  });

  it('is what docs/openapi.json holds (npm run openapi writes it)', () => {
    const file = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
    expect(`${JSON.stringify(served, null, 2)}\n` === file, 'run npm run openapi').toBe(true);
  });

  it('describes every portal and Open API route, and no other', () => {
    const registered = chained().map(({ method, url }) => `${method.toLowerCase()} ${url}`);
    expect(registered.length).toBeGreaterThan(7);
    expect(
      operations()
        .map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`)
        .sort(),
    ).toEqual(registered.sort());
  });

  it('names and explains every operation, each by an id of its own', () => {
    for (const { operation } of operations()) {
      expect(operation).toMatchObject({
        operationId: expect.stringMatching(/^[a-z][A-Za-z]+$/),
        summary: expect.stringMatching(/\S/),
        description: expect.stringMatching(/^(?!The key must)\S/),
        tags: [expect.stringMatching(/\S/)],
      });
    }
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('demands of a caller what the route declares', () => {
    const signed = { apiKey: [], signature: [], timestamp: [], nonce: [] };
    for (const { method, url, config } of chained()) {
      const operation = described(method, url);
      const portal = {
        ...(config.enableJwtToken ? { bearer: [] } : {}),
        ...(config.enableTurnstile ? { turnstile: [] } : {}),
      };
      const wanted = config.scope === undefined ? portal : signed;
      const either = config.takesJwtToken ? [{ bearer: [] }, {}] : [];
      expect(operation?.security).toEqual(Object.keys(wanted).length === 0 ? either : [wanted]);
      expect(operation?.['x-required-scope']).toBe(config.scope);
      if (config.scope === 'any') expect(operation?.description).toContain('a scope, whichever');
      else if (config.scope !== undefined) expect(operation?.description).toContain(`\`${config.scope}\``);
    }
  });

  it('has only examples that their own schema accepts', () => {
    const ajv = new Ajv2020({
      strict: false,
      formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ },
    });
    ajv.addSchema(served, 'openapi', undefined, false);
    const examples = [...examplesOf(served)];
    expect(examples.length).toBeGreaterThan(100);
    for (const { schema, value } of examples) {
      const isValid = ajv.validate({ $ref: `openapi${schema}` }, value);
      expect(isValid, `${schema}: ${ajv.errorsText()}`).toBe(true);
    }
  });

  it('describes a redirect by where it leads, and by nothing else', () => {
    const redirects = operations().filter(({ operation }) => '302' in operation.responses);
    expect(redirects.map(({ path }) => path)).toEqual([
      '/web/v1/auth/oidc/start',
      '/web/v1/auth/oidc/callback',
    ]);
    for (const { operation } of redirects) {
      expect(Object.keys(operation.responses).filter((status) => status < '400')).toEqual(['302']);
      expect(operation.responses['302']).toEqual({
        description: expect.any(String),
        headers: expect.objectContaining({ Location: expect.anything(), 'X-Request-Id': expect.anything() }),
      });
    }
  });

  it('shows every request body and every success by an example', () => {
    for (const { path, operation } of operations()) {
      if ('302' in operation.responses) continue;
      const bodies = operation.requestBody === undefined ? [] : [operation.requestBody];
      const successes = Object.entries(operation.responses).filter(([status]) => status < '300');
      // Of bytes also a part.
      expect(successes.length, path).toBe(path.endsWith('/content') ? 2 : 1);
      for (const { content } of [
        ...bodies,
        ...successes.map(([, response]) => response as { content: Json }),
      ]) // errors alone are references
        expect(Object.values(content)[0], path).toHaveProperty('example');
    }
  });

  it('knows only errors of the catalogue, each under its own status', () => {
    const { responses } = served.components;
    const codes = (name: string) =>
      Object.values(responses[name]?.content ?? {}).flatMap(({ examples }) =>
        Object.values(examples ?? {}).map(({ value }) => value.code),
      );
    for (const { path, operation } of operations()) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (status < '400') continue;
        const name = (response as { $ref: string }).$ref.split('/').at(-1) ?? ''; // every error is a reference
        const known = errorCodes.filter((code) => codes(name).includes(code));
        expect(known.length, `${path} ${status}`).toBeGreaterThan(0);
        expect(new Set(codes(name))).toEqual(new Set(known));
        for (const code of known) expect(code.startsWith('V') ? '400' : code.slice(0, 3)).toBe(status);
      }
    }
  });

  it('lists the sortable fields of every collection, as a parameter that can be repeated', () => {
    const lists = operations().filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'sort'),
    );
    expect(lists.length).toBeGreaterThanOrEqual(3);
    for (const { operation } of lists) {
      const { schema } = operation.parameters?.find(({ name }) => name === 'sort') ?? {};
      const [first] = (schema?.['default'] ?? []) as string[]; // a default of pageQuery
      expect(schema).toMatchObject({ type: 'array', items: { enum: expect.arrayContaining([first]) } });
      expect(operation.responses['200']).toHaveProperty('headers.Link');
    }
  });

  it('asks for a body only where a field of it is required', () => {
    expect(described('POST', '/web/v1/files/query/list')?.requestBody?.required).toBe(true);
    expect(described('POST', '/web/v1/notification-channel-types/query')?.requestBody?.required).toBe(false);
  });

  it('speaks no language of ours: rules are told in the words of JSON Schema', () => {
    expect(JSON.stringify(served)).not.toContain('"rule"');
  });

  it('keeps the base path in servers and out of the paths', async () => {
    expect(served.servers).toEqual([{ url: '/' }]);
    const based = await openWorld({ env: { PORTICO_BASE_PATH: '/portico' } });
    const document = await fetchDocument(based, '/portico/openapi.json');
    await based.close();
    expect(document).toEqual({ ...served, servers: [{ url: '/portico' }] });
  });
});

describe('the reference page', () => {
  it('allows no source but its own', async () => {
    for (const url of ['/docs', '/docs/']) {
      const { headers, statusCode } = await world.app.inject(url);
      expect(statusCode).toBe(200);
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    }
  });

  it.each([
    ['/docs/scalar.js', 'text/javascript; charset=utf-8'],
    ['/openapi.json', 'application/json; charset=utf-8'],
  ])('sends %s compressed to those who take it, and not again to those who have it', async (url, type) => {
    const get = (headers: Record<string, string>) => world.app.inject({ url, headers });
    const zipped = await get({ 'accept-encoding': 'br, gzip' });
    const plain = await get({ 'accept-encoding': 'gzip;q=0' });
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['content-type']).toBe(type);
    expect(zipped.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    const again = await get({ 'if-none-match': String(plain.headers.etag) });
    expect(again.statusCode).toBe(304);
    expect(again.rawPayload.length).toBe(0);
  });

  it('describes every event as a webhook, with an example of it', () => {
    expect(Object.keys(served.webhooks)).toEqual(eventTypeCodes);
    for (const [type, { post }] of Object.entries(served.webhooks)) {
      const example = post.requestBody?.content['application/json']?.example;
      const mode = type.startsWith('member.') ? null : 'LIVE';
      expect(example).toEqual({
        eventId: expect.stringMatching(/^EVT_/),
        type,
        occurredAt: expect.stringMatching(/Z$/),
        mode,
        workspaceId: 'WS_DEMO',
        data: expect.objectContaining({}),
      });
    }
    const ids = [
      ...operations().map(({ operation }) => operation),
      ...Object.values(served.webhooks).map(({ post }) => post),
    ];
    expect(new Set(ids.map(({ operationId }) => operationId)).size).toBe(ids.length);
  });

  it('is what docs/events.md shows of events (npm run events writes it)', () => {
    const page = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8');
    expect(page).toBe(eventsDocument(served as unknown as Parameters<typeof eventsDocument>[0])); // of webhooks alone
    for (const type of eventTypeCodes) expect(page).toContain(`\n### ${type}\n`);
  });
});
