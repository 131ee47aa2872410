import type { FastifyRequest } from 'fastify';
import { StoreRefused } from '../db/unavailable.ts';

const everyMs = 1000;

const outages = new WeakMap<object, Map<string, { atMs: number; unsaid: number }>>();

/** As drivers throw them: the code of PostgreSQL, or of the system, and a message that holds no value. */
const causeOf = ({ cause }: Error) => (cause ?? {}) as { message?: string; code?: string };

/**
 * An outage fails every request alike: one line a second tells of all. What the database refuses has its own, for each code:
 * a statement of ours that is wrong must not pass for an outage, nor be hidden behind one.
 */
export function logOutage(error: Error, { log, server, routeOptions }: FastifyRequest): void {
  const nowMs = performance.now();
  const { message: cause, code } = causeOf(error);
  const isRefused = error instanceof StoreRefused;
  const kind = isRefused ? (code ?? 'refused') : '';
  const said = outages.get(server) ?? new Map();
  outages.set(server, said);
  const last = said.get(kind) ?? { atMs: Number.NEGATIVE_INFINITY, unsaid: 0 };
  if (nowMs - last.atMs < everyMs) {
    last.unsaid += 1;
    return;
  }
  said.set(kind, { atMs: nowMs, unsaid: 0 });
  const where = isRefused ? { code, route: routeOptions.url } : {};
  log.error({ reason: error.message, cause, ...where, alike: last.unsaid }, 'requests fail');
}
