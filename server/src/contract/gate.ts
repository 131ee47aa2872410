import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import { createFairQueue, type FairQueue } from '../queue/fair-queue.ts';
import { addressGroup } from './address.ts';
import { ApiError } from './api-error.ts';
import type { Peers } from './peer.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Waits before who was refused on and on is refused again. */
    holdBack(request: FastifyRequest): Promise<void>;
  }
  interface FastifyContextConfig {
    /** For the machines that watch the service: never refused for too much to do. */
    isProbe?: true;
    /** Short, and what others wait for: sign-in and signed pings. Refused last. */
    isUrgent?: true;
  }
}

/** Requests under way in all, and of one address. One that waits for its body, or for its turn, is under way too. */
const underwayShares = { atOnceMax: 10_000, atOnceEach: 2000, waitingMax: 0, waitingEach: 0, waitMs: 0 };

/** Requests that are worked on. The rest wait for their turn before anything is asked of them, by address and by who they say they are. */
const gateShares = {
  lists: { atOnceMax: 96, atOnceEach: 64, waitingMax: 10_000, waitingEach: 2000, waitMs: 1000 },
  urgent: { atOnceMax: 48, atOnceEach: 32, waitingMax: 10_000, waitingEach: 2000, waitMs: 1000 },
};
/** What takes longer waits for something else: its body, the slow lane, Turnstile. It needs no place for that. */
const placeMs = 500;

/** When the event loop is this late, what is not urgent is refused; when it is later still, everything but probes. */
const lateMs = { lists: 250, all: 1000 };
const lookEveryMs = 100;
const looks = 10;

/** An address that was refused so often within a second is answered later, so that asking on and on costs itself time. */
const rudeAfter = 50;
const rudeMs = 1000;

const tooMuch = () =>
  new ApiError('5030', 'The service has more to do than it can at the moment; try again', {
    headers: { 'retry-after': '1', connection: 'close' },
  });

/** How late the event loop has been all of the last second: a few long turns are no overload. */
function watchLateness(app: FastifyInstance): () => number {
  let recent: number[] = [];
  let lateMs = 0;
  let lookedMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    recent = [...recent.slice(-looks + 1), nowMs - lookedMs - lookEveryMs];
    lateMs = recent.length < looks ? 0 : Math.max(0, Math.min(...recent));
    lookedMs = nowMs;
  }, lookEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  return () => lateMs;
}

/** Refusals of each address within the current second. */
function countRefusals() {
  let second = 0;
  let counts = new Map<string, number>();
  return (address: string): number => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) {
      second = now;
      counts = new Map();
    }
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    return count;
  };
}

function measure(registry: Registry, queue: FairQueue, lateness: () => number): void {
  new Gauge({
    name: 'portico_requests_in_flight',
    help: 'Requests whose answer is not out yet, probes aside.',
    registers: [registry],
    collect() {
      this.set(queue.busy());
    },
  });
  new Gauge({
    name: 'portico_admission_late_seconds',
    help: 'How late the event loop has been all of the last second; beyond a quarter, lists are refused.',
    registers: [registry],
    collect() {
      this.set(lateness() / 1000);
    },
  });
}

/** Who a request says it is from. It need not be true: whoever lies shares with those it names at its own address alone. */
const memberOf = ({ headers }: FastifyRequest) => String(headers['x-api-key'] ?? headers.authorization ?? '');

/** Ends a turn with the answer, or when it has lasted long enough. */
function endsWith({ raw }: FastifyReply, leave: () => void): void {
  const timer = setTimeout(leave, placeMs).unref();
  raw.once('close', () => {
    clearTimeout(timer);
    leave();
  });
}

/** Refuses early what could only be answered late, and holds back who asks on and on. */
export function admitRequests(app: FastifyInstance, peers: Peers, registry: Registry): void {
  const underway = createFairQueue(underwayShares);
  const gates = { lists: createFairQueue(gateShares.lists), urgent: createFairQueue(gateShares.urgent) };
  const lateness = watchLateness(app);
  const refusalsOf = countRefusals();
  const groupOf = ({ raw }: FastifyRequest) => addressGroup(peers.clientAddress(raw));
  measure(registry, underway, lateness);
  app.decorate('holdBack', async (request: FastifyRequest) => {
    if (refusalsOf(groupOf(request)) > rudeAfter) await sleep(rudeMs, undefined, { ref: false });
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { isProbe, isUrgent } = request.routeOptions.config;
    if (isProbe) return done();
    const group = groupOf(request);
    const isLate = lateness() > (isUrgent ? lateMs.all : lateMs.lists);
    const end = isLate ? undefined : underway.tryEnter(group);
    if (end === undefined) return done(tooMuch());
    reply.raw.once('close', end);
    const gate = gates[isUrgent ? 'urgent' : 'lists'];
    const leave = gate.tryEnter(group);
    if (leave !== undefined) {
      endsWith(reply, leave);
      return done();
    }
    gate.enter(group, { member: memberOf(request) }).then(
      (later) => {
        endsWith(reply, later);
        done();
      },
      () => done(tooMuch()),
    );
  });
}
