import { turnstileWords } from '../../words/session.tsx';

/** Tokens live 300 s; one that is about to end is not sent any more. */
const freshMs = 270_000;

class ChallengeFailed extends Error {
  constructor() {
    super(turnstileWords.unsolved);
  }
}

type Waiter = { resolve(token: string): void; reject(error: Error): void };

/** Between the widget, which solves challenges, and the calls, which need the token of a solved one. */
export class TurnstileKeeper {
  #token: { value: string; expiresAtMs: number } | undefined;
  #waiters: Waiter[] = [];
  /** Of the widgets on the page; the last is the one in front. */
  #resets: (() => void)[] = [];
  #hasFailed = false;

  /** A widget is on the page, until what this returns is called. */
  attach(reset: () => void): () => void {
    this.#resets.push(reset);
    return () => {
      this.#resets = this.#resets.filter((each) => each !== reset);
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
    this.#resets.at(-1)?.();
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
