import {
  AuthenticationError,
  InvalidInputError,
  type Login,
  type PorticoPortal,
  type Tokens,
} from '@portico/sdk/portal';
import { storage } from './storage.ts';

export type SessionState =
  | { status: 'restoring'; isServerAway: boolean }
  | { status: 'signed-in' }
  | { status: 'signed-out'; why: 'never' | 'left' | 'expired' };

/** Says that there is a session, and which; it is no token. Changing it tells the other tabs. */
const markKey = 'portico-session';
const lockName = 'portico-refresh';
/** Renewed this long before its end, so that no request meets an expired token. */
const renewBeforeMs = 60_000;
const restoreAgainMs = 2000;

type AccessToken = { value: string; expiresAtMs: number };

/** One tab after another: each finds the cookie that the one before it was given. */
function oneTabAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  // Absent on plain http; the service allows the token just replaced for some seconds, for that.
  return 'locks' in navigator ? navigator.locks.request(lockName, work) : work();
}

/** There was no session any more. */
const hasEnded = (error: unknown) =>
  error instanceof AuthenticationError || error instanceof InvalidInputError;

/** Who is signed in. The access token is here and nowhere else; the refresh token is in a cookie no script can read. */
export class Session {
  #state: SessionState;
  #token: AccessToken | undefined;
  #renewal: Promise<string | undefined> | undefined;
  /** Counts the sessions of this tab: what was asked for in a former one is not for this one. */
  #generation = 0;
  readonly #listeners = new Set<() => void>();
  readonly #portal: () => PorticoPortal;

  constructor(portal: () => PorticoPortal) {
    this.#portal = portal;
    const hasMark = storage.get(markKey) !== null;
    this.#state = hasMark
      ? { status: 'restoring', isServerAway: false }
      : { status: 'signed-out', why: 'never' };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): SessionState => this.#state;

  /** Begins to listen to the other tabs, and takes up the session that a reload interrupted. */
  start(): () => void {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === markKey) this.#markChanged(newValue);
    };
    addEventListener('storage', onStorage);
    if (this.#state.status === 'restoring') void this.#restore();
    return () => removeEventListener('storage', onStorage);
  }

  /** What the SDK asks before each call, and once more with a token that was refused. */
  async accessToken(refused?: string): Promise<string | undefined> {
    const token = this.#token;
    if (token !== undefined && token.value !== refused && token.expiresAtMs - renewBeforeMs > Date.now())
      return token.value;
    return this.#renew();
  }

  async signIn(login: Omit<Login, 'session'>): Promise<void> {
    this.begin(await this.#portal().login({ ...login, session: 'cookie' }));
  }

  /** Goes on with a sign-in that was just made. */
  begin(signIn: Pick<Tokens, 'accessToken' | 'expiresIn'>): void {
    this.#keep(signIn);
    storage.set(markKey, `${Date.now()}`);
    this.#change({ status: 'signed-in' });
  }

  /** Someone came back from a sign-in elsewhere, which left its cookie. */
  resume(): void {
    if (this.#state.status !== 'signed-out') return;
    const mark = `${Date.now()}`;
    storage.set(markKey, mark);
    this.#markChanged(mark);
  }

  /** Throws when the service did not hear of it: the cookie would still be good. */
  async signOut({ everywhere }: { everywhere: boolean }): Promise<void> {
    try {
      await (everywhere ? this.#portal().logoutEverywhere() : this.#portal().logout());
    } catch (error) {
      if (!hasEnded(error)) throw error;
    }
    this.#end('left');
  }

  #markChanged(mark: string | null): void {
    this.#generation += 1;
    this.#renewal = undefined;
    this.#token = undefined;
    if (mark === null) {
      this.#change({ status: 'signed-out', why: 'left' });
      return;
    }
    // Another tab signed in, maybe as someone else.
    this.#change({ status: 'restoring', isServerAway: false });
    void this.#restore();
  }

  async #restore(): Promise<void> {
    try {
      if ((await this.#renew()) !== undefined) this.#change({ status: 'signed-in' });
    } catch {
      this.#change({ status: 'restoring', isServerAway: true });
      setTimeout(() => {
        if (this.#state.status === 'restoring') void this.#restore();
      }, restoreAgainMs);
    }
  }

  #renew(): Promise<string | undefined> {
    const renewal = this.#renewal ?? oneTabAtATime(() => this.#refresh(this.#generation));
    this.#renewal = renewal;
    const done = () => {
      if (this.#renewal === renewal) this.#renewal = undefined;
    };
    renewal.then(done, done);
    return renewal;
  }

  async #refresh(generation: number): Promise<string | undefined> {
    const isOver = () => generation !== this.#generation || this.#state.status === 'signed-out';
    if (isOver()) return undefined;
    try {
      const tokens = await this.#portal().refresh();
      return isOver() ? undefined : this.#keep(tokens);
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      if (!isOver()) this.#end('expired');
      return undefined;
    }
  }

  #keep({ accessToken, expiresIn }: Pick<Tokens, 'accessToken' | 'expiresIn'>): string {
    this.#token = { value: accessToken, expiresAtMs: Date.now() + expiresIn * 1000 };
    return accessToken;
  }

  #end(why: 'left' | 'expired'): void {
    this.#token = undefined;
    storage.remove(markKey);
    this.#change({ status: 'signed-out', why });
  }

  #change(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
