import { NetworkError, PorticoError } from './errors.ts';

export type RetryPolicy = { retries: number; sleep: (ms: number) => Promise<void> };

export type RetryOptions = {
  /** How often a failed call is tried again, where that is safe; default 3. */
  retries?: number;
  sleep?: (ms: number) => Promise<void>;
};

/**
 * What a call allows after a failure. read: it changes nothing, so anything passing is tried again.
 * keyed: it carries an idempotency key, so neither does a repetition. write: only what was certainly refused before it began.
 * once: nothing.
 */
export type Repeat = 'read' | 'keyed' | 'write' | 'once';

const firstWaitMs = 200;
const backoffMsMax = 5000;
/** Who is told to wait longer is told so by the error. */
const waitMsMax = 30_000;
const passing = new Set([429, 502, 503, 504]);

export function retryPolicyOf(options: RetryOptions): RetryPolicy {
  const { retries = 3 } = options;
  if (!(Number.isInteger(retries) && retries >= 0)) throw new TypeError('retries must be a whole number');
  const sleep = options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  return { retries, sleep };
}

/** Nothing is wrong with the call: later it may well be answered. */
export const isPassing = (error: PorticoError): boolean =>
  error instanceof NetworkError || (error.status !== undefined && passing.has(error.status));

function mayRepeat(error: PorticoError, repeat: Repeat): boolean {
  if (repeat === 'once') return false;
  if (repeat === 'write') return error.status === 429;
  // An earlier attempt of the same call is still at it.
  if (repeat === 'keyed' && error.code === '4090' && error.retryAfterSeconds !== undefined) return true;
  return isPassing(error);
}

/** Never less than Retry-After; the jitter keeps clients that failed together from coming back together. */
function waitMs(error: PorticoError, attempt: number): number {
  const backoff = Math.min(backoffMsMax, firstWaitMs * 2 ** attempt);
  const told = error.retryAfterSeconds;
  return told === undefined
    ? backoff * (0.5 + Math.random() / 2)
    : told * 1000 + (backoff * Math.random()) / 2;
}

/** Rejects as soon as the signal says so. */
async function pause({ sleep }: RetryPolicy, ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return sleep(ms);
  signal.throwIfAborted();
  let leave = () => {};
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason);
  });
  signal.addEventListener('abort', leave);
  await Promise.race([sleep(ms), left]).finally(() => signal.removeEventListener('abort', leave));
}

export async function withRetries<Result>(
  policy: RetryPolicy,
  repeat: Repeat,
  attempt: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (let count = 0; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof PorticoError) || count >= policy.retries || !mayRepeat(error, repeat))
        throw error;
      const wait = waitMs(error, count);
      if (wait > waitMsMax) throw error;
      await pause(policy, wait, signal);
    }
  }
}
