import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressGroup } from '../../contract/address.ts';
import { successCode } from '../../contract/envelope.ts';
import { routeOf, whenOver } from '../../contract/observe.ts';
import { headerValues } from '../../contract/peer.ts';
import type { Services } from '../services.ts';

/** As keys are made. A secret that someone sends in place of its key is none. */
const keyIdShape = /^ak_(live|test)_[0-9A-Z]{26}$/;

/** Routes as the API description writes them. */
function createPatterns(basePath: string) {
  const known = new Map<string, string>();
  return (route: string) => {
    const pattern =
      known.get(route) ??
      (route.startsWith('/') ? route.slice(basePath.length).replace(/:(\w+)/g, '{$1}') : route);
    known.set(route, pattern);
    return pattern;
  };
}

/** The key that a signed request names, if its head does. */
function keyNamed({ raw, routeOptions, url }: FastifyRequest, prefix: string): string | undefined {
  if (routeOptions.config?.scope === undefined && !url.startsWith(prefix)) return undefined;
  const [given, ...more] = headerValues(raw, 'x-api-key');
  return given !== undefined && more.length === 0 && keyIdShape.test(given) ? given : undefined;
}

/** The same, proved or not. */
const keyOf = (request: FastifyRequest, prefix: string) =>
  request.identity?.type === 'key' ? request.identity.apiKeyId : keyNamed(request, prefix);

/** Who a log line says has called: the account, or the key that was named. */
export function createCallerOf(basePath: string) {
  const prefix = `${basePath}/api/`;
  return (request: FastifyRequest) => {
    const { identity } = request;
    if (identity?.type === 'account') return { account: identity.bizId };
    const apiKeyId = keyOf(request, prefix);
    return apiKeyId === undefined ? {} : { apiKeyId };
  };
}

/**
 * Writes down every request that names a key, whatever refused it and however early. Who has not proved to have the key shares
 * a part of what waits with others of its address: it takes none from the workspace that it names.
 */
export function noteRequests(app: FastifyInstance, { config, peers, now, requestLog }: Services): void {
  if (config.requestLogDays === 0) return;
  const prefix = `${config.basePath}/api/`;
  const patternOf = createPatterns(config.basePath);
  whenOver(app, (request, { code = successCode, status, elapsedMs }) => {
    const { identity } = request;
    const apiKeyId = keyOf(request, prefix);
    if (apiKeyId === undefined) return;
    const address = peers.clientAddress(request.raw);
    const isProved = identity?.type === 'key';
    const row = {
      apiKeyId,
      code,
      atMs: Math.round(now() - elapsedMs),
      requestId: request.id,
      method: request.method,
      route: patternOf(routeOf(request)),
      status,
      durationMs: Math.round(elapsedMs),
      address,
    };
    requestLog.note(isProved ? `workspace ${identity.workspaceId}` : addressGroup(address), row, isProved);
  });
}
