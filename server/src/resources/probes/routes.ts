import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import { headerValues } from '../../contract/peer.ts';
import { type Readiness, requireReady } from './readiness.ts';

type ProbeOptions = { services: Services; readiness: Readiness; registry: Registry };

const options = { schema: { hide: true }, config: { isProbe: true as const } };

function isToken(given: string | undefined, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return given !== undefined && timingSafeEqual(digest(given), digest(`Bearer ${expected}`));
}

/** With a token, who has it; without one, clients on this machine. Who only comes through its proxy is no such client. */
function mayMeasure({ config, peers }: Services, { raw }: FastifyRequest): boolean {
  if (config.metricsToken === undefined) return peers.isLocalClient(raw);
  const given = headerValues(raw, 'authorization');
  return given.length === 1 && isToken(given[0], config.metricsToken);
}

const rounded = (seconds: number) => Math.round(seconds * 10) / 10;

/** For the machines that watch the service: no base path and no envelope around a success. */
export async function probeRoutes(
  app: FastifyInstance,
  { services, readiness, registry }: ProbeOptions,
): Promise<void> {
  app.get('/healthz', options, async () => ({ status: 'ok' }));
  app.get('/readyz', options, async () => {
    await requireReady(readiness, services.db);
    const ages = readiness.tasks().map(({ task, ageSeconds }) => [task, rounded(ageSeconds)]);
    return { status: 'ready', secondsSince: Object.fromEntries(ages) };
  });

  app.get('/metrics', options, async (request, reply) => {
    if (!mayMeasure(services, request)) throw new ApiError('4030', 'metrics are not open to this client');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
