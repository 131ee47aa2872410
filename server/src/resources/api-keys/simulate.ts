import type { Static } from 'typebox';
import type { Services } from '../../auth/services.ts';
import { findApiKey, type StoredKey } from '../../auth/signed/api-key-lookup.ts';
import { checkAddress, checkScope, checkStatus, type SignedRoute } from '../../auth/signed/key-checks.ts';
import { ApiError } from '../../contract/api-error.ts';
import { epochMsOf } from '../../contract/date-time.ts';
import type { Queryable } from '../../db/database.ts';
import { noKey } from './locked-key.ts';
import type { ApiKeyPath, Simulation, SimulationTrace } from './schema.ts';

type Trace = Static<typeof SimulationTrace>;

/** Runs a check of the chain itself and tells how it ended. */
function attempt(step: string, passing: string, check: () => void): Trace['steps'][number] {
  try {
    check();
    return { step, passed: true, code: null, message: passing };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { step, passed: false, code: error.code, message: error.message };
  }
}

/** A part of a route that begins with a colon stands for whatever is there. */
function isOf(route: string, path: string): boolean {
  const parts = path.split('/');
  const wanted = route.split('/');
  return (
    wanted.length === parts.length &&
    wanted.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
  );
}

/** As the router does it: a route without such a part comes first. */
function routesOf(routes: readonly SignedRoute[], path: string): readonly SignedRoute[] {
  const exact = routes.filter((route) => route.path === path);
  return exact.length > 0 ? exact : routes.filter((route) => isOf(route.path, path));
}

function findRoute(routes: readonly SignedRoute[], method: string, asked: string): SignedRoute {
  const known = routesOf(routes, asked.split('?', 1)[0] ?? '');
  if (known.length === 0) throw new ApiError('4041', 'no endpoint has this path');
  const route = known.find((each) => each.method === method);
  if (route === undefined)
    throw new ApiError('4050', `this endpoint takes ${known.map((each) => each.method).join(', ')}`);
  return route;
}

function trace(
  key: StoredKey,
  { signedRoutes, now }: Pick<Services, 'signedRoutes' | 'now'>,
  { method, path, ip, at }: Static<typeof Simulation>,
): Trace {
  let route: SignedRoute | undefined;
  const steps = [
    attempt('route', `${method} ${path} is an endpoint`, () => {
      route = findRoute(signedRoutes, method, path);
    }),
    attempt('status', 'the key is active and has not expired', () =>
      checkStatus(key, at === undefined ? now() : epochMsOf(at)),
    ),
    attempt('ip', `the key may be used from ${ip}`, () => void checkAddress(key, ip)),
    attempt('scope', `the key has the scope that is required: ${route?.scope ?? 'none'}`, () => {
      if (route !== undefined) checkScope(key, route.scope);
    }),
  ];
  const refused = steps.find(({ passed }) => !passed);
  return { allowed: refused === undefined, code: refused?.code ?? null, steps };
}

/** What would become of a rightly signed request, without sending it. */
export async function simulate(
  services: Pick<Services, 'signedRoutes' | 'now'> & { db: Queryable },
  { workspaceId, apiKeyId }: Static<typeof ApiKeyPath>,
  wanted: Static<typeof Simulation>,
): Promise<Trace> {
  const key = await findApiKey(services.db, apiKeyId);
  if (key === undefined || key.workspaceBizId !== workspaceId) throw new ApiError('4040', noKey);
  return trace(key, services, wanted);
}
