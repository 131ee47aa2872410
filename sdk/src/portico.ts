import { Answer, dataOf } from './answer.ts';
import type { CallOptions } from './call-options.ts';
import { type SignedCollection, signedCollection } from './collection.ts';
import type { Envelope } from './envelope.ts';
import { type Events, eventsOf } from './events.ts';
import { type Files, filesOf } from './files.ts';
import type { ChannelType, ChannelTypeQuery, Pong, WhoAmI } from './records.ts';
import { type PorticoOptions, SignedCaller } from './signed-caller.ts';
import { type Transfers, transfersOf } from './transfers.ts';
import { type Webhooks, webhooks } from './webhooks.ts';

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A client of the signed Open API. What it knows of the secret is out of reach of JSON and inspection. */
export class Portico {
  /** For who is told of events: needs no key. */
  static readonly webhooks: Webhooks = webhooks;

  readonly transfers: Transfers;
  readonly files: Files;
  readonly events: Events;
  readonly channelTypes: SignedCollection<ChannelType, ChannelTypeQuery>;
  readonly #caller: SignedCaller;

  constructor(options: PorticoOptions) {
    const caller = new SignedCaller(options);
    this.#caller = caller;
    this.transfers = transfersOf(caller);
    this.files = filesOf(caller);
    this.events = eventsOf(caller);
    this.channelTypes = signedCollection(caller, '/api/v1/channel-types', 'bizId');
  }

  ping(options: CallOptions = {}): Answer<Pong> {
    return dataOf(this.#caller.read('/api/v1/ping', options));
  }

  whoami(options: CallOptions = {}): Answer<WhoAmI> {
    return dataOf(this.#caller.read('/api/v1/whoami', options));
  }

  /**
   * Any signed call. The path begins with /api/ and may carry a query; the body is sent as JSON. A POST is repeated
   * as safely as the others when it is given an idempotency key, and else not at all.
   */
  call<Data>(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Answer<Envelope<Data>> {
    const verb = method.toUpperCase();
    const written = verb === 'POST' && options.idempotencyKey !== undefined ? 'keyed' : 'write';
    const repeat = reads.has(verb) ? 'read' : written;
    return new Answer(this.#caller.call<Data>({ method: verb, path, repeat, body }, options));
  }
}
