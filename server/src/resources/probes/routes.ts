import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import { headerValues } from '../../contract/peer.ts';
import { sql } from '../../db/sql.ts';

export type Readiness = { isDraining(): boolean; checkStores(): Promise<void> };

type ProbeOptions = { services: Services; readiness: Readiness; registry: Registry };

const schema = { hide: true };

function isToken(given: string | undefined, expected: string | undefined): boolean {
  if (given === undefined || expected === undefined) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(`Bearer ${expected}`));
}

/** For the machines that watch the service: no base path and no envelope around a success. */
export async function probeRoutes(
  app: FastifyInstance,
  { services, readiness, registry }: ProbeOptions,
): Promise<void> {
  const { db, peers, config } = services;
  app.get('/healthz', { schema }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema }, async () => {
    if (readiness.isDraining()) throw new ApiError('5030', 'the service is stopping');
    await db.query(sql`select 1 from schema_migrations limit 1`);
    await readiness.checkStores();
    return { status: 'ready' };
  });

  app.get('/metrics', { schema }, async (request, reply) => {
    const isOpen = peers.isLocal(request.raw) || peers.isTrusted(request.raw);
    const [authorization] = headerValues(request.raw, 'authorization');
    if (!isOpen && !isToken(authorization, config.metricsToken))
      throw new ApiError('4030', 'metrics are not open to this peer');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
