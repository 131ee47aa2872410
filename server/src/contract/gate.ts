import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import { createFairQueue, crowded, type FairQueue } from '../queue/fair-queue.ts';
import { addressGroup } from './address.ts';
import { attachedTo } from './attached.ts';
import { type ErrorCode, entryOf } from './catalogue.ts';
import { shortenPauses } from './collector.ts';
import { type EventLoop, watchEventLoop } from './event-loop.ts';
import type { Peers } from './peer.ts';
import { createRefusalPace } from './refusal-pace.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Waits before who was refused on and on is refused again. */
    holdBack(request: FastifyRequest, code: ErrorCode): Promise<void>;
  }
  interface FastifyContextConfig {
    /** For the machines that watch the service: never refused for too much to do. */
    isProbe?: true;
    /** Short, and what others wait for: sign-in and signed pings. Refused last. */
    isUrgent?: true;
  }
}

/** Requests under way in all, and of one address. One that waits for its body, or for its turn, is under way too. */
const placesOfAll = { atOnceMax: 10_000, atOnceEach: 2000 };

/** When all are taken, a body that has been on its way for so long is not waited for any longer. */
const arrivingMs = 1000;

/** The rest wait for their turn before anything is asked of them, by address and by who they say they are. Both lines together leave some of all for what is not in line. */
const waits = { waitingMax: 3500, waitingEach: 2000, waitMs: 5000 };
/** Requests that are worked on for a caller who is alone; beside others, and in all. */
const aloneMax = 64;
const manyEach = 8;
const manyMax = 32;
/** What takes longer waits for something else: its body, a password's hash, the slow lane, Turnstile. It needs no place for that. */
const placeMs = 20;

/** Refusals of who they are or what they may, and of what is no request of an endpoint. */
const pacedStatuses = [400, 401, 403, 405, 414, 431];

/** So many in line are no requests of one page that came together. */
const crowd = 32;

/** When the event loop is this late, what is not urgent is refused; when it is later still, everything but probes. */
const lateMs = { lists: 250, all: 1000 };

/** Says of whoever comes whether there was another in this second or the one before. Of each, two are enough to know. */
function watchOthers() {
  let second = 0;
  let before: string[] = [];
  let now: string[] = [];
  return (who: string): boolean => {
    const current = Math.floor(performance.now() / 1000);
    if (current !== second) {
      before = current === second + 1 ? now : [];
      now = [];
      second = current;
    }
    if (now.length < 2 && !now.includes(who)) now.push(who);
    const isOther = (name: string) => name !== who;
    return now.some(isOther) || before.some(isOther);
  };
}

function measure(registry: Registry, queue: FairQueue, loop: EventLoop): void {
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
      this.set(loop.lateMs() / 1000);
    },
  });
}

/** Who a request says it is from. It need not be true: whoever lies shares with those it names at its own address alone. */
const memberOf = ({ headers }: FastifyRequest) => String(headers['x-api-key'] ?? headers.authorization ?? '');

/** Does at the end of a turn of the event loop what was asked for in it. */
function atEndOfTurn() {
  let asked: (() => void)[] = [];
  const doAll = () => {
    const all = asked;
    asked = [];
    for (const each of all) each();
  };
  return (work: () => void): void => {
    if (asked.push(work) === 1) setImmediate(doAll);
  };
}

/** One gate for lists and one for what is urgent, and how wide they are, which depends on who else is there. */
function openGates(loop: EventLoop) {
  const [seeCaller, seeAddress] = [watchOthers(), watchOthers()];
  const beside = { callers: false, addresses: false };
  const shares = {
    ...waits,
    get atOnceMax() {
      return beside.addresses ? manyMax : aloneMax;
    },
    get atOnceEach() {
      return beside.callers ? manyEach : aloneMax;
    },
    get atOnceLongest() {
      return beside.addresses ? loop.share() : aloneMax;
    },
    get restMs() {
      return beside.addresses ? loop.restMs() : 0;
    },
  };
  const [lists, urgent] = [createFairQueue(shares), createFairQueue(shares)];
  return {
    lists,
    urgent,
    isShared: () => beside.addresses,
    isCrowded: () => beside.addresses && lists.waiting() + urgent.waiting() > crowd,
    /** Who came long ago and is still in line is there too. */
    see(group: string, member: string) {
      const isThere = (of?: string) => lists.hasOther(group, of) || urgent.hasOther(group, of);
      beside.callers = seeCaller(`${group} ${member}`) || isThere(member);
      beside.addresses = seeAddress(group) || isThere();
    },
  };
}

/** What a request has until its answer is out or its client has left: its part of all that is under way, a place in line or at work. */
type Held = { end(): void; giveUp?: () => void; leave?: () => void; timer?: NodeJS.Timeout };

/** Refuses early what could only be answered late, and holds back who asks on and on. */
export function admitRequests(
  app: FastifyInstance,
  peers: Pick<Peers, 'clientAddress'>,
  registry: Registry,
  places = placesOfAll,
): void {
  const underway = createFairQueue({ ...places, waitingMax: 0, waitingEach: 0, waitMs: 0 });
  const loop = watchEventLoop();
  const gates = openGates(loop);
  const pauses = shortenPauses(gates.isCrowded);
  app.addHook('onClose', async () => {
    loop.end();
    pauses.end();
  });
  const later = atEndOfTurn();
  const letGo = ({ end, giveUp, leave, timer }: Held) => {
    end();
    giveUp?.();
    clearTimeout(timer);
    // Not before: who is answered at once, again and again, would fill the turn with its own.
    if (leave !== undefined) later(leave);
  };
  const heldBy = attachedTo<IncomingMessage, Held>();
  /** Full of requests whose bodies do not come, it would be closed to those of everyone else. */
  const enterHouse = (group: string) => {
    if (underway.busy() >= places.atOnceMax) {
      const late = app.edge.expireOldest(arrivingMs);
      const held = late && heldBy.get(late);
      if (held !== undefined) letGo(held);
    }
    return underway.tryEnter(group);
  };
  const pace = createRefusalPace();
  const groupOf = ({ raw }: FastifyRequest) => addressGroup(peers.clientAddress(raw));
  measure(registry, underway, loop);
  /** What costs its sender nothing and nobody is asked about: only where others are there, who would have to wait for it. */
  const isPaced = (code: ErrorCode) =>
    code === '4290' ||
    (gates.isShared() && (code === '4041' || pacedStatuses.includes(entryOf(code).status)));
  app.decorate('holdBack', async (request: FastifyRequest, code: ErrorCode) => {
    // What no router reads comes past the gate.
    if (heldBy.get(request.raw) === undefined) gates.see(groupOf(request), memberOf(request));
    if (!isPaced(code)) return;
    const waitMs = pace(groupOf(request));
    if (waitMs > 0) await sleep(waitMs, undefined, { ref: false });
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { isProbe, isUrgent } = request.routeOptions.config;
    if (isProbe) return done();
    const caller: [string, string] = [groupOf(request), memberOf(request)];
    const refuse = () => done(crowded.all);
    const isLate = loop.lateMs() > (isUrgent ? lateMs.all : lateMs.lists);
    const end = isLate ? undefined : enterHouse(caller[0]);
    if (end === undefined) return refuse();
    const held: Held = { end };
    heldBy.set(request.raw, held);
    reply.raw.once('close', () => letGo(held));
    gates.see(...caller);
    const begin = (leave: () => void) => {
      held.leave = leave;
      held.timer = setTimeout(leave, placeMs).unref();
      done();
    };
    const gate = gates[isUrgent ? 'urgent' : 'lists'];
    const [group, member] = caller;
    const place = gate.tryEnter(group);
    if (place !== undefined) return begin(place);
    const onWait = (giveUp: () => void) => {
      held.giveUp = giveUp;
    };
    gate.enter(group, { member, onWait }).then(begin, refuse);
  });
}
