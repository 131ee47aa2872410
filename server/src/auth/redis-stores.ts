import { Redis } from 'iovalkey';
import { StoreUnavailable } from '../db/unavailable.ts';
import type { BucketStore } from '../limits/limits.ts';
import type { PassStore } from './portal/turnstile.ts';

/** As for the database: a caller is refused within 2 s when it is away. */
const timeoutMs = 1500;

export type RedisStores = {
  passes: PassStore;
  buckets: BucketStore;
  /** Refuses when it is away, and when it takes no writes: a replica, or one whose memory is full. */
  check(): Promise<void>;
  /** Told how long each command took. */
  watch(listener: (ms: number) => void): void;
  close(): Promise<void>;
};

/** The clock is Redis's own, so that instances whose clocks differ share one bucket. */
const takeScript = `
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local interval, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local before = math.min(math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now), now + interval * burst)
  local full = before + cost * interval
  local wait = full - now - interval * burst
  if wait > 0 then return { before - now, wait } end
  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.max(1, math.ceil((full - now) / 1000)))
  return { math.max(0, full - now), 0 }`;

/** Writes as the others do, and leaves nothing behind. */
const checkScript = `redis.call('SET', KEYS[1], '1') return redis.call('DEL', KEYS[1])`;

export async function openRedisStores(url: string, now: () => number): Promise<RedisStores> {
  const redis = new Redis(url, {
    keyPrefix: 'portico:',
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    // A connection that was lost without a word is given up, not waited for until the kernel does.
    socketTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 50, 1000),
  });
  // Failures reach the caller of each command; the client reconnects by itself.
  redis.on('error', () => {});
  const listeners: ((ms: number) => void)[] = [];
  const guarded = async <Value>(work: Promise<Value>): Promise<Value> => {
    const begun = performance.now();
    try {
      return await work;
    } catch (error) {
      throw new StoreUnavailable('Redis unavailable', { cause: error });
    } finally {
      for (const listener of listeners) listener(performance.now() - begun);
    }
  };
  await guarded(redis.connect()).catch((error: unknown) => {
    redis.disconnect();
    throw error;
  });
  const passKey = (accountId: number, tokenHash: Buffer) => `pass:${accountId}:${tokenHash.toString('hex')}`;
  return {
    passes: {
      async find(accountId, tokenHash, nowMs) {
        const leftMs = await guarded(redis.pttl(passKey(accountId, tokenHash)));
        return leftMs > 0 ? nowMs + leftMs : undefined;
      },
      async remember(accountId, tokenHash, expiresAtMs) {
        const leftMs = Math.max(1, Math.ceil(expiresAtMs - now()));
        await guarded(redis.set(passKey(accountId, tokenHash), '1', 'PX', leftMs, 'NX'));
      },
    },
    buckets: {
      async take(key, { intervalUs, burst }, cost) {
        const answer = await guarded(redis.eval(takeScript, 1, `limit:${key}`, intervalUs, burst, cost));
        const [emptyUs, waitUs] = answer as [number, number]; // the script's own pair
        return { emptyUs, waitUs };
      },
    },
    check: async () => void (await guarded(redis.eval(checkScript, 1, 'check'))),
    watch: (listener) => void listeners.push(listener),
    close: async () => redis.disconnect(),
  };
}
