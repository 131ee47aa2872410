import { type Answer, mapped } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { PageQuery } from '../envelope.ts';
import { queryString } from '../wire.ts';
import { callerOf, type PorticoPortalOptions, type SendCall } from './call.ts';

/** The ways in which endpoints are called. */
export class PortalCalls {
  protected readonly call: SendCall;

  constructor(options: PorticoPortalOptions) {
    this.call = callerOf(options);
  }

  protected read<Data>(path: string, options: CallOptions): Answer<Data> {
    return this.call({ method: 'GET', path, repeat: 'read', tokens: ['access'] }, options);
  }

  /** Sent again, it is done once: its idempotency key tells the service that it is the same call. */
  protected command<Data>(path: string, body: object | undefined, options: CallOptions): Answer<Data> {
    return this.call({ method: 'POST', path, body, repeat: 'keyed', tokens: ['access'] }, options);
  }

  protected write<Data>(
    method: string,
    path: string,
    body: object | undefined,
    options: CallOptions,
  ): Answer<Data> {
    return this.call({ method, path, body, repeat: 'write', tokens: ['access'] }, options);
  }

  /** Of what is answered with nothing. */
  protected done(answer: Answer<unknown>): Answer<void> {
    return mapped(answer.withResponse(), () => undefined);
  }

  /** A read that is a POST, so that its filters travel in the body. */
  protected query<Data>(path: string, body: object, page: PageQuery, options: CallOptions): Answer<Data> {
    const target = `${path}${queryString(page)}`;
    const tokens = ['access', 'turnstile'] as const;
    return this.call({ method: 'POST', path: target, body, repeat: 'read', tokens }, options);
  }
}
