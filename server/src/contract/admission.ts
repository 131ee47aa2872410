import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import { Crowded, createFairQueue } from '../queue/fair-queue.ts';
import { addressGroup } from './address.ts';
import { ApiError } from './api-error.ts';
import type { Peers } from './peer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the machines that watch the service: never refused for too much to do. */
    isProbe?: true;
    /** Short, and what others wait for: sign-in and signed pings. Refused last. */
    isUrgent?: true;
  }
}

/** Requests under way in all, and of one address. One that waits for its body, or for its turn, is under way too. */
const shares = { atOnceMax: 10_000, atOnceEach: 2000, waitingMax: 0, waitingEach: 0, waitMs: 0 };

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
  let lookedMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    recent = [...recent.slice(-looks + 1), nowMs - lookedMs - lookEveryMs];
    lookedMs = nowMs;
  }, lookEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  return () => (recent.length < looks ? 0 : Math.min(...recent));
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

/** Refuses early what could only be answered late, and holds back who asks on and on. */
export function admitRequests(app: FastifyInstance, peers: Peers, registry: Registry): void {
  const queue = createFairQueue(shares);
  const lateness = watchLateness(app);
  const refusalsOf = countRefusals();
  new Gauge({
    name: 'portico_admission_late_seconds',
    help: 'How late the event loop has been all of the last second; beyond a quarter, lists are refused.',
    registers: [registry],
    collect() {
      this.set(lateness() / 1000);
    },
  });
  const groupOf = ({ raw }: FastifyRequest) => addressGroup(peers.clientAddress(raw));

  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const { isProbe, isUrgent } = request.routeOptions.config;
    if (isProbe) return;
    if (lateness() > (isUrgent ? lateMs.all : lateMs.lists)) throw tooMuch();
    try {
      const leave = await queue.enter(groupOf(request));
      reply.raw.once('close', leave);
    } catch (error) {
      throw error instanceof Crowded ? tooMuch() : error;
    }
  });
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode === 429 && refusalsOf(groupOf(request)) > rudeAfter)
      await sleep(rudeMs, undefined, { ref: false });
  });
}
