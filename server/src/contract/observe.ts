import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type ErrorCode, entryOf } from './catalogue.ts';
import type { Peers } from './peer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error it was answered with. */
    refusedWith: string | undefined;
  }
}

/** How a request ended. No code: it was answered without an error. */
export type Outcome = { code: string | undefined; status: number; elapsedMs: number };

/** By route, never by path: paths hold identifiers, and their number has no bound. */
export const routeOf = (request: FastifyRequest) => request.routeOptions.url ?? 'none';

/** What was said on the bare socket, or of a request whose client left before it was answered, is known to no reply. */
function unrepliedCode({ server, raw }: FastifyRequest, reply: FastifyReply): ErrorCode | undefined {
  const isBrokenOff = !reply.raw.headersSent;
  return server.edge.lastWord(raw) ?? (isBrokenOff ? '4000' : undefined);
}

function outcomeOf(request: FastifyRequest, reply: FastifyReply): Outcome {
  const elapsedMs = reply.elapsedTime;
  const unreplied = unrepliedCode(request, reply);
  if (unreplied !== undefined) return { code: unreplied, status: entryOf(unreplied).status, elapsedMs };
  return { code: request.refusedWith, status: reply.statusCode, elapsedMs };
}

/** Tells of each request once, when its answer is out or its client has left. */
export function whenOver(
  app: FastifyInstance,
  tell: (request: FastifyRequest, outcome: Outcome) => void,
): void {
  app.edge.onOver((request, reply) => tell(request, outcomeOf(request, reply)));
}

/** What a log line tells of who called. */
type Caller = { account?: string; apiKeyId?: string };

export type Observed = { peers: Peers; callerOf(request: FastifyRequest): Caller };

/** One log line and one measurement for each request. They hold nothing that a client sent but its method and the key it names. */
export function observeRequests(app: FastifyInstance, { peers, callerOf }: Observed): Registry {
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
  new Gauge({
    name: 'portico_connections',
    help: 'Open connections of clients and proxies, idle ones too.',
    registers,
    collect() {
      this.set(app.edge.open());
    },
  });
  app.decorateRequest('refusedWith', undefined);
  whenOver(app, (request, { code, status, elapsedMs }) => {
    const { method, log, raw } = request;
    const route = routeOf(request);
    duration.observe({ method, route, status }, elapsedMs / 1000);
    if (code !== undefined) refusals.inc({ code });
    const ms = Math.round(elapsedMs * 10) / 10;
    const address = peers.clientAddress(raw);
    log.info({ method, route, status, code, ms, ...callerOf(request), address }, 'request');
  });
  app.edge.onRefusal((code) => refusals.inc({ code }));
  app.addHook('onClose', async () => registry.clear());
  return registry;
}
