import type { Answered } from './answer.ts';
import { type CallOptions, idempotencyHeader } from './call-options.ts';
import { contentOf, type UploadSource } from './content.ts';
import { type ByteRange, type Download, rangeHeader } from './download.ts';
import type { Envelope } from './envelope.ts';
import { ClockError } from './errors.ts';
import { exchange, type Outgoing, receive } from './exchange.ts';
import { type Repeat, type RetryOptions, type RetryPolicy, retryPolicyOf, withRetries } from './retry.ts';
import { type SigningKey, signatureHeaders } from './signature.ts';
import { readBaseUrl, type Wire, type WireOptions, wireOf } from './wire.ts';

export type PorticoOptions = WireOptions &
  RetryOptions & {
    /** With the base path, if there is one. */
    baseUrl: string;
    apiKeyId: string;
    secret: string;
    /** Epoch milliseconds. */
    now?: () => number;
    /** A fresh UUID each time. */
    nonce?: () => string;
  };

type Call = { method: string; path: string; repeat: Repeat; body?: unknown };

type Attempt = Omit<Call, 'body'> &
  Pick<Outgoing, 'body'> & {
    sign: { body?: string; contentSha256?: string };
    own: Record<string, string>;
  };

/** A secret in the place of the id would be sent, and stand in logs. The messages repeat neither. */
function readKey({ apiKeyId, secret }: SigningKey): SigningKey {
  if (typeof apiKeyId !== 'string' || apiKeyId === '') throw new TypeError('apiKeyId is required');
  if (typeof secret !== 'string' || secret === '') throw new TypeError('secret is required');
  if (apiKeyId.startsWith('sk_'))
    throw new TypeError('apiKeyId is a secret, which begins with sk_: the id of a key begins with ak_');
  if (secret.startsWith('ak_'))
    throw new TypeError('secret is the id of a key, which begins with ak_: a secret begins with sk_');
  return { apiKeyId, secret };
}

/** How every signed call is made. */
export class SignedCaller {
  readonly #baseUrl: string;
  readonly #key: SigningKey;
  readonly #wire: Wire;
  readonly #policy: RetryPolicy;
  readonly #now: () => number;
  readonly #nonce: () => string;
  /** How far the service's clock is ahead of ours. */
  #offsetMs = 0;

  constructor(options: PorticoOptions) {
    this.#baseUrl = readBaseUrl(options.baseUrl);
    this.#key = readKey(options);
    this.#wire = wireOf(options);
    this.#policy = retryPolicyOf(options);
    this.#now = options.now ?? Date.now;
    this.#nonce = options.nonce ?? (() => crypto.randomUUID());
  }

  read<Data>(path: string, options: CallOptions): Promise<Answered<Envelope<Data>>> {
    return this.call({ method: 'GET', path, repeat: 'read' }, options);
  }

  async call<Data>(
    { method, path, repeat, body }: Call,
    options: CallOptions,
  ): Promise<Answered<Envelope<Data>>> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const own = repeat === 'keyed' ? idempotencyHeader(options) : {};
    return this.#attempt({ method, path, repeat, sign: sent, own, ...sent }, options, (outgoing) =>
      exchange<Data>(this.#wire, outgoing),
    );
  }

  async upload<Data>(
    path: string,
    source: UploadSource,
    options: CallOptions,
  ): Promise<Answered<Envelope<Data>>> {
    const body = await contentOf(source, options.signal);
    const sign = { contentSha256: body.sha256 };
    const own = idempotencyHeader(options);
    return this.#attempt({ method: 'POST', path, repeat: 'keyed', sign, own, body }, options, (outgoing) =>
      exchange<Data>(this.#wire, outgoing),
    );
  }

  async download(path: string, range: ByteRange | undefined, options: CallOptions): Promise<Download> {
    const own = rangeHeader(range);
    return this.#attempt({ method: 'GET', path, repeat: 'read', sign: {}, own }, options, (outgoing) =>
      receive(this.#wire, outgoing),
    );
  }

  /** Every attempt is signed anew. */
  #attempt<Result>(
    { method, path, repeat, sign, own, ...sent }: Attempt,
    { signal }: CallOptions,
    send: (outgoing: Outgoing) => Promise<Result>,
  ): Promise<Result> {
    const target = this.#target(path);
    const url = `${this.#baseUrl}${target}`;
    return this.#inTime(repeat, signal, async (time) => {
      const signed = await signatureHeaders(this.#key, { method, path: target, ...sign, ...time });
      return send({ method, url, headers: { ...signed, ...own }, signal, ...sent });
    });
  }

  /** Read as fetch will read it, so that what is signed is what is sent. */
  #target(path: string): string {
    const url = new URL(`${this.#baseUrl}/${path.replace(/^\//, '')}`);
    if (!url.href.startsWith(`${this.#baseUrl}/api/`)) throw new TypeError('path must begin with /api/');
    url.hash = '';
    return url.href.slice(this.#baseUrl.length);
  }

  /** Each attempt with a time and a nonce of its own; once more by the service's clock, if ours is wrong. */
  async #inTime<Result>(
    repeat: Repeat,
    signal: AbortSignal | undefined,
    send: (time: { timestamp: number; nonce: string }) => Promise<Result>,
  ): Promise<Result> {
    const once = () =>
      send({ timestamp: Math.floor((this.#now() + this.#offsetMs) / 1000), nonce: this.#nonce() });
    const attempts = () => withRetries(this.#policy, repeat, once, signal);
    try {
      return await attempts();
    } catch (error) {
      if (!(error instanceof ClockError) || error.serverTime === undefined) throw error;
      this.#offsetMs = error.serverTime * 1000 - this.#now();
      return attempts();
    }
  }
}
