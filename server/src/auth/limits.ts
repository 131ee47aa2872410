import type { Config } from '../config.ts';
import { ApiError } from '../contract/api-error.ts';

export type LimitName = keyof Config['limits'] | 'account';

/** A bucket in the form of GCRA: one number, the time at which it would be full again. */
export type Bucket = { intervalMs: number; burst: number };
export type Verdict = { allowed: boolean; retryAfterMs: number };

export type BucketStore = {
  /** Takes one out of the bucket of this key, or puts one back. */
  take(key: string, bucket: Bucket, cost: 1 | -1): Promise<Verdict>;
};

const secondsOf: Record<LimitName, number> = {
  live: 1,
  test: 1,
  portal: 1,
  signIn: 60,
  badSignature: 60,
  account: 60,
};

/** Failed sign-ins of one account over all addresses: beyond this each further attempt is slowed, never refused. */
const accountLimit = { rate: 10, burst: 20 };

export type Limits = {
  take(name: LimitName, key: string): Promise<Verdict>;
  /** Where only failures count, each attempt is taken first and a success given back: parallel attempts cannot slip by. */
  giveBack(name: LimitName, key: string): Promise<void>;
};

export function createLimits(limits: Config['limits'], store: BucketStore): Limits {
  const ask = async (name: LimitName, key: string, cost: 1 | -1): Promise<Verdict> => {
    const limit = name === 'account' ? accountLimit : limits[name];
    if (limit === 'off') return { allowed: true, retryAfterMs: 0 };
    const intervalMs = ((secondsOf[name] ?? 1) * 1000) / limit.rate;
    return store.take(`${name}:${key}`, { intervalMs, burst: limit.burst }, cost);
  };
  return {
    take: (name, key) => ask(name, key, 1),
    giveBack: async (name, key) => void (await ask(name, key, -1)),
  };
}

export function refuseIfLimited({ allowed, retryAfterMs }: Verdict, what: string): void {
  if (allowed) return;
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  throw new ApiError('4290', `too many ${what}; try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/** Buckets of this process alone. Full ones are as good as none and are dropped. */
export function memoryBuckets(now: () => number): BucketStore {
  const fullAt = new Map<string, number>();
  let sweepAtSize = 10_000;
  const sweep = () => {
    for (const [key, time] of fullAt) if (time <= now()) fullAt.delete(key);
    sweepAtSize = Math.max(10_000, fullAt.size * 2);
  };
  return {
    async take(key, { intervalMs, burst }, cost) {
      const time = now();
      const next = Math.max(fullAt.get(key) ?? 0, time) + cost * intervalMs;
      const retryAfterMs = Math.max(0, next - time - intervalMs * burst);
      if (retryAfterMs > 0) return { allowed: false, retryAfterMs };
      fullAt.set(key, next);
      if (fullAt.size > sweepAtSize) sweep();
      return { allowed: true, retryAfterMs: 0 };
    },
  };
}
