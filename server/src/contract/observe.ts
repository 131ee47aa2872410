import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error it was answered with. */
    refusedWith: string | undefined;
  }
}

/** By route, never by path: paths hold identifiers, and their number has no bound. */
const routeOf = (request: FastifyRequest) => request.routeOptions.url ?? 'none';

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, elapsedTime } = reply;
  request.log.info(
    {
      method: request.method,
      route: routeOf(request),
      status: statusCode,
      ms: Math.round(elapsedTime * 10) / 10,
    },
    'request',
  );
}

/** One log line and one measurement for each request. Neither holds anything that a client sent but its method. */
export function observeRequests(app: FastifyInstance): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const duration = new Histogram({
    name: 'portico_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const refusals = new Counter({
    name: 'portico_refusals_total',
    help: 'Requests that were answered with an error, by its code.',
    labelNames: ['code'],
    registers,
  });
  app.decorateRequest('refusedWith', undefined);
  app.addHook('onResponse', async (request, reply) => {
    duration.observe(
      { method: request.method, route: routeOf(request), status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    if (request.refusedWith !== undefined) refusals.inc({ code: request.refusedWith });
    logRequest(request, reply);
  });
  app.addHook('onClose', async () => registry.clear());
  return registry;
}
