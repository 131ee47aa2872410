import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Sealing } from '../channels/secrets.ts';
import type { Config } from '../config.ts';
import type { Transactor } from '../db/database.ts';
import type { Mail } from '../mail/mail.ts';
import { claimDeliveries, lanes, type Underway } from './claim.ts';
import { createKeeper } from './keeper.ts';
import { isGivenUp, type Outcome, type Sent } from './outcome.ts';
import { createSenders, type SenderOptions } from './senders.ts';

/** Who stops waits so long for what is under way, and as long again for what became of it to be kept. */
const stopMs = 1000;

/** With as many under way there is most likely more to do: claims are spaced then, so that each takes many. */
const fullAt = lanes.QUICK.all / 2;
const spaceMs = 20;

/** Deliveries that arrived, attempts that failed, and deliveries that were given up. */
export type DeliveryOutcomes = { succeeded: number; failed: number; given_up: number };

export const noDeliveries = (): DeliveryOutcomes => ({ succeeded: 0, failed: 0, given_up: 0 });

export type DelivererOptions = Omit<SenderOptions, 'services'> & {
  services: { config: Config; vault: Sealing; mail: Mail; now(): number };
  db: Transactor;
  logger: FastifyBaseLogger;
  /** Something may have become due, or there is room for what is. */
  wake(): void;
};

export type Deliverer = {
  /** Begins what is due, as much as may be under way. No receiver is waited for. */
  fill(): Promise<void>;
  outcomes(): DeliveryOutcomes;
  stop(): Promise<void>;
};

const briefly = (work: Promise<unknown>) => Promise.race([work, sleep(stopMs, undefined, { ref: false })]);

function count(counts: DeliveryOutcomes, outcome: Outcome): void {
  const { sent } = outcome;
  if (sent.outcome === 'SUCCEEDED') counts.succeeded += 1;
  else if (sent.outcome === 'FAILED' || sent.outcome === 'GONE') {
    counts.failed += 1;
    if (isGivenUp(outcome)) counts.given_up += 1;
  }
}

/** Sends what is due in this instance. A place is taken from the claim until the database has what became of it. */
export function createDeliverer(options: DelivererOptions): Deliverer {
  const { services, db, logger, wake } = options;
  const senders = createSenders(options);
  const counts = noDeliveries();
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // one for each that is under way
  const underway = new Map<number, Underway>();
  const sending = new Set<Promise<void>>();
  const keeper = createKeeper({
    ...options,
    onSettled: (outcomes) => {
      for (const outcome of outcomes) {
        underway.delete(outcome.claimed.deliveryId);
        count(counts, outcome);
      }
      wake();
    },
  });

  const attempt = async ({ claimed, sinceMs }: Underway) => {
    const failure = (err: unknown): Sent => {
      logger.warn({ err, channelId: claimed.channelBizId }, 'a delivery could not be tried; it is put off');
      return { outcome: 'POSTPONED', status: null, text: null };
    };
    const sent = await senders.send(claimed, stopping.signal).catch(failure);
    const durationMs = Math.max(performance.now() - sinceMs, 0);
    keeper.add({ claimed, sent, durationMs, ...(stopping.signal.aborted ? { postponedMs: 0 } : {}) });
  };
  const begin = (each: Underway) => {
    underway.set(each.claimed.deliveryId, each);
    const sent: Promise<void> = attempt(each).finally(() => sending.delete(sent));
    sending.add(sent);
  };

  const isFull = () => underway.size >= fullAt;

  return {
    async fill() {
      if (isFull()) await sleep(spaceMs);
      for (let found = 1; found > 0 && !stopping.signal.aborted; ) {
        const claims = await claimDeliveries(db, [...underway.values()], services.now(), performance.now());
        for (const claim of claims) begin({ ...claim, sinceMs: performance.now() });
        found = isFull() ? 0 : claims.length;
      }
    },
    outcomes: () => counts,
    async stop() {
      await briefly(Promise.all(sending));
      stopping.abort();
      await briefly(Promise.all(sending).then(keeper.idle));
      senders.close();
    },
  };
}
