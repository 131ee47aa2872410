import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, type HttpAnswer } from '../call.ts';
import { attacks, type Client } from './attacks.ts';
import { goLast } from './scheduling.ts';
import type { Arms } from './tenants.ts';

/** What the measuring process asks of this one. */
export type Order =
  | { kind: 'start'; attacks: string[]; arms: Arms; address: string; crowd: number }
  | { kind: 'stop' };

/** How the attacker's requests ended. */
export type Tally = { answered: number; limited: number; unavailable: number; other: number; left: number };

/** What it answers: to start, that everyone has come; to stop, what became of it. */
export type Report = { kind: 'begun' } | { kind: 'ended'; tally: Tally };

/** Of a service that lets not everyone in no more is waited for. */
const arrivalMsMax = 5000;
/** Clients of one attack ask in up to so many ways, in turn. */
const kindsMax = 2;

const noTally = (): Tally => ({ answered: 0, limited: 0, unavailable: 0, other: 0, left: 0 });

function count(tally: Tally, status: number | undefined, expected: number): void {
  if (status === undefined) tally.left += 1;
  else if (status === expected) tally.answered += 1;
  else if (status === 429) tally.limited += 1;
  else if (status === 503) tally.unavailable += 1;
  else tally.other += 1;
}

type Tasked = Client & { expected: number };

const sum = (tally: Tally) => Object.values(tally).reduce((total, each) => total + each, 0);

class Assault {
  readonly #tally = noTally();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  readonly #clients: number;
  #isOver = false;

  constructor(port: number, localAddress: string, clients: readonly Tasked[]) {
    this.#clients = clients.length;
    for (const client of clients) this.#run(port, localAddress, client);
  }

  async #run(port: number, localAddress: string, client: Tasked): Promise<void> {
    let last: HttpAnswer | undefined;
    while (!this.#isOver) {
      const begun = performance.now();
      const { leavesAfterMs, everyMs = 0 } = client;
      const signal = leavesAfterMs === undefined ? {} : { signal: AbortSignal.timeout(leavesAfterMs) };
      const way = { agent: this.#agent, localAddress, ...signal };
      last = await call(port, client.next(last), way).catch(() => undefined);
      count(this.#tally, last?.status, client.expected);
      // Without a connection there is nothing to wait for, and it would be tried thousands of times a second.
      const pauseMs = begun + Math.max(everyMs, last === undefined ? 10 : 0) - performance.now();
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }

  /** Until there are as many connections and answers as clients; what was answered meanwhile does not count. */
  async begun(): Promise<void> {
    await this.#arrived();
    Object.assign(this.#tally, noTally());
  }

  async #arrived(): Promise<void> {
    const begunMs = performance.now();
    const isOpen = ({ connecting }: Socket) => !connecting;
    for (;;) {
      const sockets = [this.#agent.sockets, this.#agent.freeSockets].flatMap((byName) =>
        Object.values(byName).flatMap((list) => list ?? []),
      );
      if (sockets.filter(isOpen).length + sum(this.#tally) >= this.#clients) return;
      if (performance.now() - begunMs > arrivalMsMax) return;
      await sleep(20);
    }
  }

  stop(): Tally {
    this.#isOver = true;
    this.#agent.destroy();
    return { ...this.#tally };
  }
}

const report = (said: Report) => process.send?.(said);
let current: Assault | undefined;

async function obey(order: Order): Promise<void> {
  if (order.kind === 'stop') {
    report({ kind: 'ended', tally: current?.stop() ?? noTally() });
    return;
  }
  const chosen = attacks.filter(({ name }) => order.attacks.includes(name));
  const clients = chosen.flatMap(({ clients: make, expected }) => {
    const all = make(order.arms);
    return all
      .slice(0, Math.max(kindsMax, Math.ceil(all.length * order.crowd)))
      .map((client) => ({ ...client, expected }));
  });
  current = new Assault(order.arms.port, order.address, clients);
  await current.begun();
  goLast(); // not before: with the service busy for those who have come, the rest would take half a minute
  report({ kind: 'begun' });
}

process.on('message', obey);
process.on('disconnect', () => process.exit());
