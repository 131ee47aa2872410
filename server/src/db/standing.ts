import type pg from 'pg';

/** A connection in doubt is used for so long: another one may be to another server, or have other settings. */
const doubtMs = 1000;

/** Whether a connection is still to be used. To open one in doubt again and again costs the server one a second at most. */
export class Standing {
  readonly #openedMs = performance.now();
  #isDoubted = false;

  doubt(): void {
    this.#isDoubted = true;
  }

  isOver(): boolean {
    return this.#isDoubted && performance.now() - this.#openedMs >= doubtMs;
  }
}

/** Prepares a new connection. One that only reads is in doubt: what made it so reaches connections when they are opened. */
export type Settle = (client: pg.ClientBase) => Promise<Standing>;
