import { setTimeout as sleep } from 'node:timers/promises';
import { createDelivery, type DeliveryOptions, type MailOutcomes } from './delivery.ts';
import type { Mail } from './mail.ts';
import { type ClaimedMail, claimMail } from './queries.ts';
import { smtpTimes } from './smtp.ts';

/** Connections to the mail server at once, of one instance. */
const atOnceMax = 4;
/** Longer than any sending takes, so that nobody begins a mail that is still being sent. */
export const leaseMs = smtpTimes.totalMs + 30_000;
/** Who stops waits so long for mails that are on their way. */
const stopMs = 1000;

export type Sender = {
  /** Begins what is due, as much as may be under way. The mail server is not waited for. */
  fill(): Promise<void>;
  outcomes(): MailOutcomes;
  stop(): Promise<void>;
};

export function createSender(options: DeliveryOptions, mail: Pick<Mail, 'wake'>): Sender {
  const { services, db, logger } = options;
  const delivery = createDelivery(options);
  const underway = new Set<Promise<void>>();
  const stopping = new AbortController();
  const begin = (claimed: ClaimedMail) => {
    const delivered: Promise<void> = delivery
      .deliver(claimed, stopping.signal)
      .catch((err: unknown) => logger.warn({ err, mailId: claimed.id }, 'what became of a mail was not kept'))
      .finally(() => {
        underway.delete(delivered);
        if (!delivery.isAway()) mail.wake();
      });
    underway.add(delivered);
  };
  return {
    async fill() {
      while (underway.size < atOnceMax && !stopping.signal.aborted) {
        const claimed = await claimMail(db, services.now(), leaseMs);
        if (claimed === undefined) return;
        begin(claimed);
      }
    },
    outcomes: delivery.outcomes,
    async stop() {
      await Promise.race([Promise.all(underway), sleep(stopMs, undefined, { ref: false })]);
      stopping.abort();
      await Promise.all(underway);
    },
  };
}
