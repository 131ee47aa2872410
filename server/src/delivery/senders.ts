import { openChannel, type Sealing } from '../channels/secrets.ts';
import { networks } from '../config/values.ts';
import type { Config } from '../config.ts';
import { type EventRow, eventIdOf, renderEvent } from '../events/render.ts';
import { composeMail } from '../mail/compose.ts';
import { locales } from '../mail/kinds.ts';
import { SmtpFailure, type SmtpOptions, sendBySmtp } from '../mail/smtp.ts';
import {
  createPoster,
  NotPosted,
  type Posted,
  type Poster,
  type PosterOptions,
  type Posting,
} from '../outbound/post.ts';
import { chats, isTaken } from './chat.ts';
import type { Claimed } from './claim.ts';
import type { Sent } from './outcome.ts';
import { webhookHeaders } from './signature.ts';
import { lineOf, subjectOf } from './summary.ts';

/** What is kept of an answer. */
const bytesMax = 1024;
const seconds = { default: 10, max: 30 };

export type SenderOptions = {
  services: { config: Config; vault: Sealing; now(): number };
  smtp?: SmtpOptions;
  outbound?: Omit<PosterOptions, 'allowed'>;
};

type Tools = SenderOptions['services'] & {
  poster: Poster;
  /** For the operator's own, wherever it is. */
  gateway: Poster;
  /** Of the portal. */
  origin: string;
  smtpOptions: SmtpOptions;
};

type Job = Claimed & { event: EventRow; signal: AbortSignal };
type Sender = (job: Job, tools: Tools) => Promise<Sent>;

const succeeded: Sent = { outcome: 'SUCCEEDED', status: null, text: null };
const postponed: Sent = { outcome: 'POSTPONED', status: null, text: null };
const failed = (text: string, status: number | null = null): Sent => ({ outcome: 'FAILED', status, text });

const isSuccess = ({ status }: Posted) => status >= 200 && status <= 299;

function sentOf({ status, text }: Posted, isGood: boolean): Sent {
  return { outcome: isGood ? 'SUCCEEDED' : status === 410 ? 'GONE' : 'FAILED', status, text };
}

function textField(fields: { [name: string]: unknown }, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new NotPosted(`its configuration lacks ${name}`);
  return value;
}

const secretsOf = ({ channelBizId, sealed }: Job, { vault }: Tools) =>
  sealed === null ? { fields: {} } : openChannel(vault, channelBizId, sealed);

const json = { 'content-type': 'application/json', 'user-agent': 'Portico' };

function posting({ config, signal }: Job, more: Pick<Posting, 'url' | 'headers' | 'body'>): Posting {
  const given = Number(config['timeoutSeconds'] ?? seconds.default);
  const timeoutMs = Math.min(Math.max(given, 1) || seconds.default, seconds.max) * 1000;
  return { ...more, timeoutMs, bytesMax, signal };
}

const webhook: Sender = async (job, tools) => {
  const { signing } = secretsOf(job, tools);
  if (signing === undefined) return failed('the channel has no signing secret');
  const body = renderEvent(job.event);
  const signed = webhookHeaders({ id: eventIdOf(job.event.sequence), body, nowMs: tools.now() }, signing);
  const url = textField(job.config, 'url');
  const posted = await tools.poster.post(posting(job, { url, headers: { ...json, ...signed }, body }));
  return sentOf(posted, isSuccess(posted));
};

const chat: Sender = async (job, tools) => {
  const kind = chats[job.typeCode];
  if (kind === undefined) return failed(`channels of type ${job.typeCode} are not delivered`);
  const body = JSON.stringify(kind.body(`${lineOf(job.event)} ${tools.origin}`));
  const url = textField({ ...job.config, ...secretsOf(job, tools).fields }, 'url');
  const posted = await tools.poster.post(posting(job, { url, headers: json, body }));
  return sentOf(posted, isTaken(kind, posted));
};

const sms: Sender = async (job, { config: { smsUrl }, gateway }) => {
  if (smsUrl === undefined) return failed('no gateway for SMS is set');
  const { username, password } = new URL(smsUrl);
  const url = Object.assign(new URL(smsUrl), { username: '', password: '', hash: '' }).href;
  const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const headers = username === '' ? json : { ...json, authorization: `Basic ${basic.toString('base64')}` };
  const body = JSON.stringify({ to: textField(job.config, 'to'), text: lineOf(job.event) });
  const posted = await gateway.post(posting(job, { url, headers, body }));
  // What the gateway says of itself says nothing of the number.
  return isSuccess(posted) ? sentOf(posted, true) : failed(posted.text, posted.status);
};

const email: Sender = async (job, { config: { smtp, mailFrom: from }, origin, now, smtpOptions }) => {
  if (smtp === undefined || from === undefined) return failed('no mail server is set');
  const { event, channelBizId, signal } = job;
  const { type: eventType, mode, workspaceId, occurredAt: at } = event;
  const eventId = eventIdOf(event.sequence);
  const values = {
    eventType,
    eventId,
    subjectId: subjectOf(event),
    workspaceId,
    mode,
    at,
    url: `${origin}/`,
  };
  const to = textField(job.config, 'to');
  const locale = locales.find((each) => each === job.config['locale']) ?? 'en';
  const content = { to, locale, kind: 'event', values } as const;
  const bytes = await composeMail({ id: `${eventId}.${channelBizId}`, content, from, origin, nowMs: now() });
  await sendBySmtp(smtp, { from: from.address, to, bytes }, smtpOptions, signal);
  return succeeded;
};

/** One way for each type of channel. The row that members read is written together with the outcome. */
const senders: { [typeCode: string]: Sender } = {
  WEBHOOK: webhook,
  EMAIL: email,
  IN_APP: async () => succeeded,
  SMS: sms,
};

function failureOf(error: unknown): Sent {
  if (error instanceof NotPosted) return failed(error.message, error.status);
  if (!(error instanceof SmtpFailure)) throw error;
  // A mail server that takes nothing at all is no fault of who gets the mails.
  if (error.fault === 'away') return postponed;
  return failed('the mail server did not take it', error.responseCode);
}

export function createSenders({ services, smtp: smtpOptions = {}, outbound = {} }: SenderOptions) {
  const { config } = services;
  const tools: Tools = {
    ...services,
    poster: createPoster({ ...outbound, allowed: config.outboundAllow }),
    gateway: createPoster({ ...outbound, allowed: networks('0.0.0.0/0,::/0') }),
    origin: `${config.publicUrl}${config.basePath}`,
    smtpOptions,
  };
  return {
    /** Throws what is a fault of the service. */
    async send(claimed: Claimed, signal: AbortSignal): Promise<Sent> {
      const { event } = claimed;
      if (event === null) return { outcome: 'LOST', status: null, text: null };
      try {
        return await (senders[claimed.typeCode] ?? chat)({ ...claimed, event, signal }, tools);
      } catch (error) {
        return signal.aborted ? postponed : failureOf(error);
      }
    },
    close: () => {
      tools.poster.close();
      tools.gateway.close();
    },
  };
}
