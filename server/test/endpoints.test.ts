import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopeCodes } from '../src/auth/scopes.ts';
import { type PortalEndpoint, portalEndpointSuite } from './suites/portal-endpoint.ts';
import { type SignedEndpoint, signedEndpointSuite } from './suites/signed-endpoint.ts';
import { openWorld, type World } from './world.ts';

const portalEndpoints: PortalEndpoint[] = [
  {
    name: 'POST /web/v1/files/query/list',
    call: { url: '/web/v1/files/query/list', body: { institutionBizId: 'INST_DEMO' } },
    enableTurnstile: true,
  },
  {
    name: 'POST /web/v1/workspaces/{workspaceId}/api-keys',
    call: { url: '/web/v1/workspaces/WS_DEMO/api-keys', body: { name: 'x' } },
    enableTurnstile: false,
  },
  {
    name: 'POST /web/v1/notification-channel-types/query',
    call: { url: '/web/v1/notification-channel-types/query', body: {} },
    enableTurnstile: true,
  },
  { name: 'GET /web/v1/errors', call: { method: 'GET', url: '/web/v1/errors' }, enableTurnstile: false },
  { name: 'GET /web/v1/auth/me', call: { method: 'GET', url: '/web/v1/auth/me' }, enableTurnstile: false },
  {
    name: 'POST /web/v1/auth/logout',
    call: { url: '/web/v1/auth/logout', body: { refreshToken: 'rt_unknown' } },
    enableTurnstile: false,
  },
];

/** Open to callers who have no token yet. */
const openEndpoints = ['POST /web/v1/auth/login', 'POST /web/v1/auth/refresh', 'GET /web/v1/auth/config'];

const signedEndpoints: SignedEndpoint[] = [
  { name: 'GET /api/v1/transfers', url: '/api/v1/transfers', scope: 'transfers:read' },
  { name: 'GET /api/v1/files', url: '/api/v1/files', scope: 'files:read' },
  { name: 'GET /api/v1/channel-types', url: '/api/v1/channel-types', scope: 'channel-types:read' },
];

for (const endpoint of portalEndpoints) portalEndpointSuite(endpoint);
for (const endpoint of signedEndpoints) signedEndpointSuite(endpoint);

describe('the list of endpoints', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  it('is the same here as in the app, so that no endpoint escapes its suite', () => {
    const paths = world.app.swagger().paths as Record<string, object>; // swagger types paths as optional
    const routes = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const listed = [...portalEndpoints, ...signedEndpoints].map(({ name }) => name);
    expect(routes.sort()).toEqual([...listed, ...openEndpoints].sort());
  });

  it('requires every scope of the catalogue somewhere, and no scope beyond it', () => {
    expect(signedEndpoints.map(({ scope }) => scope).sort()).toEqual([...scopeCodes].sort());
  });
});
