import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { Queryable } from '../db/database.ts';
import { composeMail } from './compose.ts';
import { openContent, type Sealing } from './content.ts';
import { type ClaimedMail, deleteMail, postponeMail } from './queries.ts';
import { retryDelayMs } from './retry.ts';
import { SmtpFailure, type SmtpOptions, sendBySmtp } from './smtp.ts';

/** A server may refuse someone by mistake for a while; after as many it means it. */
export const refusalsMax = 3;

/** Mails that the server has taken, attempts that failed, and mails that were given up. */
export type MailOutcomes = { sent: number; failed: number; given_up: number };

export const noMails = (): MailOutcomes => ({ sent: 0, failed: 0, given_up: 0 });

export type DeliveryOptions = {
  services: { config: Config; vault: Sealing; now(): number };
  db: Queryable;
  logger: FastifyBaseLogger;
  smtp?: SmtpOptions;
};

/** Hands mails to the server, and keeps what becomes of them. */
export function createDelivery({ services, db, logger, smtp: options = {} }: DeliveryOptions) {
  const { config, vault, now } = services;
  const counts = noMails();
  let isAway = false;

  const send = async ({ id, sealed }: ClaimedMail, stopped: AbortSignal) => {
    const { smtp, mailFrom: from, publicUrl, basePath } = config;
    if (smtp === undefined || from === undefined) throw new Error('no mail server is set');
    const content = openContent(vault, id, sealed);
    const bytes = await composeMail({ id, content, from, origin: publicUrl + basePath, nowMs: now() });
    await sendBySmtp(smtp, { from: from.address, to: content.to, bytes }, options, stopped);
  };

  const giveUp = (mail: ClaimedMail, note: object) => {
    counts.given_up += 1;
    logger.warn(note, 'a mail was refused again and again, and is given up');
    return deleteMail(db, mail.id);
  };

  const keep = (mail: ClaimedMail, error: unknown) => {
    counts.failed += 1;
    const fault = error instanceof SmtpFailure ? error.fault : 'unreadable';
    const refusals = mail.refusals + (fault === 'refused' ? 1 : 0);
    const wasAway = isAway;
    isAway = fault === 'away';
    const note = { mailId: mail.id, err: error };
    if (refusals >= refusalsMax) return giveUp(mail, note);
    if (!isAway) logger.warn(note, 'a mail was not taken; it is tried again until it expires');
    else if (!wasAway) logger.warn(note, 'the mail server takes no mails; they are kept and tried again');
    return postponeMail(db, { ...mail, refusals }, now() + retryDelayMs(mail.attempts));
  };

  return {
    async deliver(mail: ClaimedMail, stopped: AbortSignal): Promise<void> {
      try {
        await send(mail, stopped);
      } catch (error) {
        return keep(mail, error);
      }
      isAway = false;
      counts.sent += 1;
      return deleteMail(db, mail.id);
    },
    /** Whether the server took nothing when it was last tried. */
    isAway: () => isAway,
    outcomes: () => counts,
  };
}
