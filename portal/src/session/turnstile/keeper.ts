/** Tokens live 300 s; one that is about to end is not sent any more. */
const freshMs = 270_000;

class ChallengeFailed extends Error {
  constructor() {
    super('The check that you are human did not succeed. Reload the page to try again.');
  }
}

type Waiter = { resolve(token: string): void; reject(error: Error): void };

/** Between the widget, which solves challenges, and the calls, which need the token of a solved one. */
export class TurnstileKeeper {
  #token: { value: string; expiresAtMs: number } | undefined;
  #waiters: Waiter[] = [];
  #reset: (() => void) | undefined;
  #hasFailed = false;

  /** The widget that is on the page. */
  attach(reset: () => void): () => void {
    this.#reset = reset;
    return () => {
      if (this.#reset === reset) this.#reset = undefined;
    };
  }

  /** What the SDK asks before each call, and once more with a token that was refused. */
  token(refused?: string): Promise<string> {
    if (refused !== undefined && this.#token?.value === refused) this.renew();
    const token = this.#token;
    if (token !== undefined && token.expiresAtMs > Date.now()) return Promise.resolve(token.value);
    if (token !== undefined || this.#hasFailed) this.renew();
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  /** The token is used up. */
  renew(): void {
    this.#token = undefined;
    this.#hasFailed = false;
    this.#reset?.();
  }

  solved(value: string): void {
    this.#hasFailed = false;
    this.#token = { value, expiresAtMs: Date.now() + freshMs };
    for (const { resolve } of this.#takeWaiters()) resolve(value);
  }

  expired(): void {
    this.#token = undefined;
  }

  failed(): void {
    this.#token = undefined;
    this.#hasFailed = true;
    for (const { reject } of this.#takeWaiters()) reject(new ChallengeFailed());
  }

  #takeWaiters(): Waiter[] {
    const waiters = this.#waiters;
    this.#waiters = [];
    return waiters;
  }
}
