import { NetworkError } from './errors.ts';

/** Ends a request that takes too long, or that its caller gives up. AbortSignal.timeout would not: on Node 20 it can be collected meanwhile. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #outer: AbortSignal | undefined;
  readonly #end = () => this.#controller.abort();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#outer = outer;
    outer?.addEventListener('abort', this.#end);
    this.extend();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From now on as long as from the beginning. */
  extend(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#end, this.#timeoutMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#end);
  }

  /** Throws the reason of a caller who gave up. */
  errorOf(cause: unknown): NetworkError {
    this.#outer?.throwIfAborted();
    const message = this.signal.aborted
      ? `no answer within ${this.#timeoutMs} ms`
      : 'no answer: the connection failed or broke off';
    return new NetworkError(message, { cause });
  }
}
