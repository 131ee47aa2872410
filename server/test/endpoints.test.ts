import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopeCodes } from '../src/auth/signed/scopes.ts';
import { transfer } from './suites/command-targets.ts';
import { portalEndpointSuite } from './suites/portal-endpoint.ts';
import { money, platformEndpoints, withToken } from './suites/portal-endpoints.ts';
import { inSharedWorlds } from './suites/shared-worlds.ts';
import { type SignedEndpoint, signedEndpointSuite } from './suites/signed-endpoint.ts';
import { adminPortal } from './support/operators.ts';
import { ownerId } from './support/own-account.ts';
import { openWorld, tokenOf, type World } from './world.ts';

/** Open to callers who have no token yet. */
const openEndpoints = [
  'POST /web/v1/auth/login',
  'POST /web/v1/auth/refresh',
  'GET /web/v1/auth/config',
  'GET /web/v1/auth/oidc/start',
  'POST /web/v1/auth/oidc/start',
  'GET /web/v1/auth/oidc/callback',
  'POST /web/v1/auth/device',
  'POST /web/v1/auth/device/token',
  'POST /web/v1/auth/password-reset',
  'POST /web/v1/auth/password-reset/confirm',
  'POST /web/v1/invitations/accept',
  'POST /web/v1/invitations/lookup',
];

const makeTransfer = async (world: World) => transfer.make(world, await tokenOf(world, ownerId));

const signedEndpoints: SignedEndpoint[] = [
  {
    name: 'POST /api/v1/transfers',
    url: '/api/v1/transfers',
    scope: 'transfers:write',
    body: money,
  },
  {
    name: 'GET /api/v1/transfers/{transferId}',
    url: '/api/v1/transfers/ID',
    scope: 'transfers:read',
    make: makeTransfer,
  },
  {
    name: 'POST /api/v1/transfers/{transferId}/cancel',
    url: '/api/v1/transfers/ID/cancel',
    scope: 'transfers:write',
    body: {},
    make: makeTransfer,
  },
  { name: 'GET /api/v1/transfers', url: '/api/v1/transfers', scope: 'transfers:read' },
  { name: 'GET /api/v1/files', url: '/api/v1/files', scope: 'files:read' },
  {
    name: 'GET /api/v1/files/{bizId}',
    url: '/api/v1/files/FILE_0000000001',
    scope: 'files:read',
  },
  { name: 'GET /api/v1/channel-types', url: '/api/v1/channel-types', scope: 'channel-types:read' },
  { name: 'GET /api/v1/events', url: '/api/v1/events', scope: 'events:read' },
  { name: 'GET /api/v1/ping', url: '/api/v1/ping', scope: 'any' },
  { name: 'GET /api/v1/whoami', url: '/api/v1/whoami', scope: 'any' },
];

/** Behind the same chain, and not read as JSON: their own tests try it. */
const bytesBySignature = [
  'POST /api/v1/files',
  'GET /api/v1/files/{bizId}/content',
  'DELETE /api/v1/files/{bizId}',
];

inSharedWorlds(withToken, portalEndpointSuite);
inSharedWorlds(platformEndpoints, portalEndpointSuite, { env: adminPortal });
inSharedWorlds(signedEndpoints, signedEndpointSuite);

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
    const listed = [...withToken, ...platformEndpoints, ...signedEndpoints].map(({ name }) => name);
    expect(routes.sort()).toEqual([...listed, ...openEndpoints, ...bytesBySignature].sort());
  });

  it('requires every scope of the catalogue somewhere, and no scope beyond it', () => {
    const required = new Set(world.services.signedRoutes.map(({ scope }) => scope));
    expect([...required].sort()).toEqual([...scopeCodes, 'any'].sort());
  });
});
