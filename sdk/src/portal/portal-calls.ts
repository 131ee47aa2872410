import { type Answer, mapped } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { PageQuery } from '../envelope.ts';
import { queryString } from '../wire.ts';
import { type Caller, callerOf, type PorticoPortalOptions } from './call.ts';
import { type Progress, sendWithProgress } from './progress.ts';

/** A slow line; what is slower is given up. */
const bytesPerMsMin = 32;

/** The ways in which endpoints are called. */
export class PortalCalls {
  protected readonly call: Caller['call'];
  protected readonly download: Caller['download'];

  constructor(options: PorticoPortalOptions) {
    const { call, download } = callerOf(options);
    this.call = call;
    this.download = download;
  }

  protected read<Data>(path: string, options: CallOptions): Answer<Data> {
    return this.call({ method: 'GET', path, repeat: 'read', tokens: ['access'] }, options);
  }

  /** Sent again, it is done once: its idempotency key tells the service that it is the same call. */
  protected command<Data>(path: string, body: object | undefined, options: CallOptions): Answer<Data> {
    return this.call({ method: 'POST', path, body, repeat: 'keyed', tokens: ['access'] }, options);
  }

  /** The same with a form, which may take its time: as long as bytes are seen to leave, or else by its size. */
  protected upload<Data>(
    path: string,
    body: FormData,
    size: number,
    onProgress: ((progress: Progress) => void) | undefined,
    options: CallOptions,
  ): Answer<Data> {
    const send =
      onProgress === undefined || typeof XMLHttpRequest === 'undefined'
        ? undefined
        : sendWithProgress(onProgress);
    const extraMs = send === undefined ? size / bytesPerMsMin : 0;
    const tokens = ['access'] as const;
    return this.call({ method: 'POST', path, body, repeat: 'keyed', tokens, send, extraMs }, options);
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
