import {
  AuthenticationError,
  InvalidInputError,
  type Login,
  type Me,
  type PorticoPortal,
  type Tokens,
} from '@portico/sdk/portal';
import { isStaying, subscribeStay } from '../ui/use-stay.ts';
import { accountOf } from './account-of.ts';
import { storage, storedAs } from './storage.ts';

export type SessionState =
  | { status: 'restoring'; isServerAway: boolean }
  | { status: 'signed-in'; account: string }
  /** It is over, and the pages are still there: who signs in again as the same account goes on with them. */
  | { status: 'interrupted'; account: string; why: 'left' | 'expired' }
  | { status: 'signed-out'; why: 'never' | 'left' | 'expired' };

/** Says that there is a session, and which; it is no token. Changing it tells the other tabs. */
const markKey = 'session';
/** The mark of a session that nobody ended: other tabs find out by themselves, and lose nothing by it. */
const overMark = 'over';
const lockName = storedAs('refresh');
/** Renewed this long before its end, so that no request meets an expired token. */
const renewBeforeMs = 60_000;
const restoreAgainMs = 2000;

type AccessToken = { value: string; expiresAtMs: number };
/** What begins a session, or goes on with it. */
type Granted = Pick<Tokens, 'accessToken' | 'expiresIn' | 'me'>;

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
  #mark: string | null;
  #token: AccessToken | undefined;
  /** Whose pages are open. */
  #account: string | undefined;
  #told: { me: Me; atMs: number } | undefined;
  /** Calls that go on when someone has signed in again. */
  #waiting: (() => void)[] = [];
  #renewal: Promise<void> | undefined;
  /** Counts the sessions of this tab: what was asked for in a former one is not for this one. */
  #generation = 0;
  readonly #listeners = new Set<() => void>();
  readonly #portal: () => PorticoPortal;

  constructor(portal: () => PorticoPortal) {
    this.#portal = portal;
    const mark = storage.get(markKey);
    this.#mark = mark === overMark ? null : mark;
    this.#state =
      this.#mark === null
        ? { status: 'signed-out', why: 'never' }
        : { status: 'restoring', isServerAway: false };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): SessionState => this.#state;

  /** Who is signed in, as the service said with the last token. */
  readonly told = (): { me: Me; atMs: number } | undefined => this.#told;

  /** Begins to listen to the other tabs, and takes up the session that a reload interrupted. */
  start(): () => void {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === storedAs(markKey)) this.#markChanged(newValue);
    };
    addEventListener('storage', onStorage);
    const unsubscribe = subscribeStay(() => this.#leaveWhenStored());
    if (this.#state.status === 'restoring') void this.#restore();
    return () => {
      removeEventListener('storage', onStorage);
      unsubscribe();
    };
  }

  /** What the SDK asks before each call, and once more with a token that was refused. */
  async accessToken(refused?: string): Promise<string | undefined> {
    const token = this.#token;
    if (token !== undefined && token.value !== refused && token.expiresAtMs - renewBeforeMs > Date.now())
      return token.value;
    const asking = this.#account;
    if (this.#state.status !== 'interrupted') await this.#renew();
    // No call is lost with the session: it is made when there is one again.
    if (this.#state.status === 'interrupted') await new Promise<void>((go) => this.#waiting.push(go));
    // What the pages of one account asked for is not done as another.
    return asking === undefined || asking === this.#account ? this.#token?.value : undefined;
  }

  async signIn(login: Omit<Login, 'session'>): Promise<void> {
    this.begin(await this.#portal().login({ ...login, session: 'cookie' }));
  }

  /** Goes on with a sign-in that was just made. */
  begin(signIn: Granted): void {
    this.#keep(signIn);
    this.#mark = `${Date.now()}`;
    storage.set(markKey, this.#mark);
    this.#enter();
  }

  /** Whose pages these are does not come back: they are closed. */
  giveUp(): void {
    this.#end('expired');
  }

  /** Someone came back from a sign-in elsewhere, which left its cookie. */
  resume(): void {
    const mark = `${Date.now()}`;
    storage.set(markKey, mark);
    this.#mark = mark;
    if (this.#state.status === 'signed-out') this.#markChanged(mark);
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
    if (mark === overMark) return;
    this.#mark = mark;
    this.#generation += 1;
    this.#renewal = undefined;
    this.#token = undefined;
    if (mark === null) this.#leftElsewhere();
    // Another tab signed in, maybe as someone else: whoever it is decides what becomes of the pages.
    else if (this.#account !== undefined) this.#renew().catch(() => {});
    else {
      this.#change({ status: 'restoring', isServerAway: false });
      void this.#restore();
    }
  }

  /** A secret that is shown once, and not stored yet, is not taken away by another tab. */
  #leftElsewhere(): void {
    if (this.#account !== undefined && isStaying())
      this.#change({ status: 'interrupted', account: this.#account, why: 'left' });
    else this.#leave('left');
  }

  #leaveWhenStored(): void {
    if (this.#state.status === 'interrupted' && this.#state.why === 'left' && !isStaying())
      this.#leave('left');
  }

  async #restore(): Promise<void> {
    try {
      await this.#renew();
    } catch {
      this.#change({ status: 'restoring', isServerAway: true });
      setTimeout(() => {
        if (this.#state.status === 'restoring') void this.#restore();
      }, restoreAgainMs);
    }
  }

  #renew(): Promise<void> {
    const renewal = this.#renewal ?? oneTabAtATime(() => this.#refresh(this.#generation));
    this.#renewal = renewal;
    const done = () => {
      if (this.#renewal === renewal) this.#renewal = undefined;
    };
    renewal.then(done, done);
    return renewal;
  }

  async #refresh(generation: number): Promise<void> {
    const isOver = () => generation !== this.#generation || this.#state.status === 'signed-out';
    if (isOver()) return;
    try {
      const tokens = await this.#portal().refresh();
      if (isOver()) return;
      this.#keep(tokens);
      this.#enter();
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      if (!isOver()) this.#expire();
    }
  }

  #keep({ accessToken, expiresIn, me }: Granted): void {
    this.#token = { value: accessToken, expiresAtMs: Date.now() + expiresIn * 1000 };
    this.#account = accountOf(accessToken);
    this.#told = me === undefined ? undefined : { me, atMs: Date.now() };
  }

  #enter(): void {
    const { status } = this.#state;
    const account = this.#account ?? '';
    if (status !== 'signed-in' || this.#state.account !== account)
      this.#change({ status: 'signed-in', account });
  }

  #expire(): void {
    this.#token = undefined;
    if (this.#account === undefined) this.#end('expired');
    else this.#change({ status: 'interrupted', account: this.#account, why: 'expired' });
  }

  #end(why: 'left' | 'expired'): void {
    if (why === 'left') storage.remove(markKey);
    else storage.set(markKey, overMark);
    this.#leave(why);
  }

  #leave(why: 'left' | 'expired'): void {
    this.#token = undefined;
    this.#account = undefined;
    this.#told = undefined;
    this.#mark = null;
    this.#change({ status: 'signed-out', why });
  }

  #change(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
    if (state.status === 'interrupted') return;
    for (const go of this.#waiting.splice(0)) go();
  }
}
