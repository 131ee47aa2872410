import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { Transactor } from '../db/database.ts';
import type { Mail } from '../mail/mail.ts';
import { createDisabler, type DisabledReason } from './disable.ts';
import { type Outcome, settleDeliveries } from './outcome.ts';

/** Outcomes are gathered for so long, so that many are kept at once. */
const gatherMs = 15;
const settleMax = 200;
/** When the database did not take outcomes, or someone has their channels locked. */
const againMs = 100;

type KeeperOptions = {
  services: { config: Config; mail: Mail; now(): number };
  db: Transactor;
  logger: FastifyBaseLogger;
  onSettled(outcomes: readonly Outcome[]): void;
};

/** Keeps outcomes in the order in which they come, many at a time, until the database has them. */
export function createKeeper({ db, services, logger, onSettled }: KeeperOptions) {
  const disable = createDisabler({ db, services });
  const waiting: Outcome[] = [];
  const ending = new Map<number, DisabledReason>();
  let running: Promise<void> | undefined;
  let isFailing = false;

  const settle = async (batch: readonly Outcome[]) => {
    const settled = await settleDeliveries(db, batch, services.now());
    const byId = new Map(settled.map((each) => [each.deliveryId, each]));
    for (const each of batch) if (!byId.has(each.claimed.deliveryId)) waiting.push(each);
    const done = batch.filter(({ claimed }) => byId.has(claimed.deliveryId));
    for (const { claimed, sent } of done) {
      if (sent.outcome === 'GONE') ending.set(claimed.channelId, 'GONE');
      else if (byId.get(claimed.deliveryId)?.isOver) ending.set(claimed.channelId, 'FAILED');
    }
    onSettled(done);
    return done.length === batch.length;
  };
  const endChannels = async () => {
    for (const [channelId, reason] of ending) {
      await disable(channelId, reason);
      ending.delete(channelId);
    }
  };
  const step = async () => {
    const batch = waiting.splice(0, settleMax);
    try {
      const isDone = batch.length === 0 || (await settle(batch));
      batch.length = 0;
      await endChannels();
      isFailing = false;
      return isDone;
    } catch (err) {
      if (!isFailing) logger.warn({ err }, 'what became of deliveries was not kept; it is tried again');
      isFailing = true;
      waiting.unshift(...batch);
      return false;
    }
  };
  const run = async () => {
    await sleep(gatherMs);
    while (waiting.length > 0 || ending.size > 0) if (!(await step())) await sleep(againMs);
  };
  const start = () => {
    running ??= run().finally(() => {
      running = undefined;
      if (waiting.length > 0) start();
    });
  };
  return {
    add(outcome: Outcome) {
      waiting.push(outcome);
      start();
    },
    /** Until all is kept. */
    idle: async () => running,
  };
}
