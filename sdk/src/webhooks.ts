import type { PorticoEvent } from './event-records.ts';
import { WebhookError } from './webhook-error.ts';
import { keysOf, newSecret, type WebhookSecrets } from './webhook-secret.ts';

/** As fetch has them, or as Node does. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export type WebhookHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

export type VerifyOptions = {
  /** How far its time may be from ours; default 300. */
  toleranceSeconds?: number | undefined;
  /** Epoch milliseconds. */
  now?: (() => number) | undefined;
};

export type SignOptions = { id: string; now?: (() => number) | undefined };

/** By the Standard Webhooks specification. */
export interface Webhooks {
  /** The event of a webhook, once it is certain that it was signed, and lately. The body as it came: parsed and written again, it is another text. */
  verify(
    body: string | Uint8Array,
    headers: ReceivedHeaders,
    secrets: WebhookSecrets,
    options?: VerifyOptions,
  ): Promise<PorticoEvent>;
  /** What the service sends along, for tests; with several secrets, a signature of each. */
  sign(body: string | Uint8Array, secrets: WebhookSecrets, options: SignOptions): Promise<WebhookHeaders>;
  /** A secret of one's own, for tests. */
  newSecret(): string;
}

const utf8 = new TextEncoder();

function textOf(body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string') return utf8.encode(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError('body must be the text or the bytes as they came, and not what was parsed of them');
}

function headerOf(headers: ReceivedHeaders, name: keyof WebhookHeaders): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : valueIn(headers, name);
  if (typeof value !== 'string' || value === '')
    throw new WebhookError('missing-header', `the header ${name} is missing`);
  return value;
}

/** In whatever case, and as a list where a server gives lists. */
function valueIn(headers: object, name: string): unknown {
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? [];
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function checkTime(text: string, { toleranceSeconds = 300, now = Date.now }: VerifyOptions): void {
  if (!/^[0-9]{1,12}$/.test(text))
    throw new WebhookError('misshaped-header', 'the header webhook-timestamp must be epoch seconds');
  const age = Math.floor(now() / 1000) - Number(text);
  const allowed = `where ${toleranceSeconds} s are allowed`;
  if (age > toleranceSeconds)
    throw new WebhookError('too-old', `the webhook was sent ${age} s ago, ${allowed}`);
  if (-age > toleranceSeconds)
    throw new WebhookError(
      'too-new',
      `the webhook is of a time ${-age} s ahead, ${allowed}: is the clock right?`,
    );
}

async function signatureOf(
  key: Uint8Array<ArrayBuffer>,
  id: string,
  timestamp: string,
  body: Uint8Array,
): Promise<string> {
  const head = utf8.encode(`${id}.${timestamp}.`);
  const text = new Uint8Array(head.length + body.length);
  text.set(head);
  text.set(body, head.length);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', imported, text));
  return `v1,${btoa(String.fromCharCode(...bytes))}`;
}

/** In a time that does not tell where they differ. */
function isEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

function eventIn(body: Uint8Array): PorticoEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {}
  if (
    typeof event !== 'object' ||
    event === null ||
    !('eventId' in event && 'type' in event && 'data' in event)
  )
    throw new WebhookError('no-event', 'the body was signed, but is not an event of Portico');
  return event as PorticoEvent; // the service signed it, and tests hold these types to its schemas
}

export const webhooks: Webhooks = {
  async verify(body, headers, secrets, options = {}) {
    const [bytes, keys] = [textOf(body), keysOf(secrets)];
    const [id, timestamp] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')];
    const given = headerOf(headers, 'webhook-signature').split(' ');
    checkTime(timestamp, options);
    if (!given.some((each) => each.startsWith('v1,')))
      throw new WebhookError(
        'misshaped-header',
        'the header webhook-signature has no signature that begins with v1,',
      );
    const right = await Promise.all(keys.map((key) => signatureOf(key, id, timestamp, bytes)));
    const hits = right.flatMap((own) => given.filter((each) => isEqual(own, each)));
    if (hits.length === 0)
      throw new WebhookError(
        'wrong-signature',
        'no signature is right: the secret is of another channel, or the body is not what came, byte for byte',
      );
    return eventIn(bytes);
  },
  async sign(body, secrets, { id, now = Date.now }) {
    const [bytes, keys] = [textOf(body), keysOf(secrets)];
    const timestamp = String(Math.floor(now() / 1000));
    const signatures = await Promise.all(keys.map((key) => signatureOf(key, id, timestamp, bytes)));
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
  },
  newSecret,
};
