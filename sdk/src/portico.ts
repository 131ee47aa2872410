import { type SignedCollection, signedCollection } from './collection.ts';
import type { Envelope, NestedPage } from './envelope.ts';
import { ClockError } from './errors.ts';
import { exchange, queryString, readBaseUrl, type Wire, wireOf } from './exchange.ts';
import type {
  ChannelType,
  ChannelTypeQuery,
  FileQuery,
  FileRecord,
  Pong,
  Transfer,
  TransferQuery,
  WhoAmI,
} from './records.ts';
import { type RetryPolicy, retryPolicyOf, withRetries } from './retry.ts';
import { type SigningKey, signatureHeaders } from './signature.ts';

export type PorticoOptions = {
  /** With the base path, if there is one; without /api. */
  baseUrl: string;
  apiKeyId: string;
  secret: string;
  fetch?: typeof fetch;
  /** Epoch milliseconds. */
  now?: () => number;
  /** A fresh UUID each time. */
  nonce?: () => string;
  /** How often a failed read is tried again; default 3. */
  retries?: number;
  /** For each attempt, the body included; default 10000. */
  timeoutMs?: number;
  sleep?: (ms: number) => Promise<void>;
};

type Call = { method: string; path: string; body: string | undefined };

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

function readKey({ apiKeyId, secret }: SigningKey): SigningKey {
  if (typeof apiKeyId !== 'string' || apiKeyId === '') throw new TypeError('apiKeyId is required');
  if (typeof secret !== 'string' || secret === '') throw new TypeError('secret is required');
  return { apiKeyId, secret };
}

/** A client of the signed Open API. What it knows of the secret is out of reach of JSON and inspection. */
export class Portico {
  readonly transfers: SignedCollection<Transfer, TransferQuery>;
  readonly files: SignedCollection<FileRecord, FileQuery>;
  readonly channelTypes: SignedCollection<ChannelType, ChannelTypeQuery>;
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
    this.transfers = this.#collection('/api/v1/transfers');
    this.files = this.#collection('/api/v1/files');
    this.channelTypes = this.#collection('/api/v1/channel-types');
  }

  async ping(): Promise<Pong> {
    return (await this.call<Pong>('GET', '/api/v1/ping')).data;
  }

  async whoami(): Promise<WhoAmI> {
    return (await this.call<WhoAmI>('GET', '/api/v1/whoami')).data;
  }

  /** Any signed call. The path begins with /api/ and may carry a query; the body is sent as JSON. */
  async call<Data>(method: string, path: string, body?: unknown): Promise<Envelope<Data>> {
    const call = {
      method: method.toUpperCase(),
      path: this.#target(path),
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const attempt = () =>
      withRetries(this.#policy, reads.has(call.method) ? 'read' : 'write', () => this.#send<Data>(call));
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ClockError) || error.serverTime === undefined) throw error;
      this.#offsetMs = error.serverTime * 1000 - this.#now();
      return attempt();
    }
  }

  /** Read as fetch will read it, so that what is signed is what is sent. */
  #target(path: string): string {
    const url = new URL(`${this.#baseUrl}/${path.replace(/^\//, '')}`);
    if (!url.href.startsWith(`${this.#baseUrl}/api/`)) throw new TypeError('path must begin with /api/');
    url.hash = '';
    return url.href.slice(this.#baseUrl.length);
  }

  async #send<Data>({ body, ...call }: Call): Promise<Envelope<Data>> {
    const sent = body === undefined ? {} : { body };
    const headers = await signatureHeaders(this.#key, {
      ...call,
      ...sent,
      timestamp: Math.floor((this.#now() + this.#offsetMs) / 1000),
      nonce: this.#nonce(),
    });
    const url = `${this.#baseUrl}${call.path}`;
    return exchange(this.#wire, { method: call.method, url, headers, ...sent });
  }

  #collection<Item, Query extends object>(path: string): SignedCollection<Item, Query> {
    return signedCollection(
      async (query) => (await this.call<NestedPage<Item>>('GET', `${path}${queryString(query)}`)).data,
    );
  }
}
