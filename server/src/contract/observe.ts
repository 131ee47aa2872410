import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

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
  const duration = new Histogram({
    name: 'portico_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    duration.observe(
      { method: request.method, route: routeOf(request), status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    logRequest(request, reply);
  });
  app.addHook('onClose', async () => registry.clear());
  return registry;
}
