import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';

const lookEveryMs = 100;
const looks = 10;

export type EventLoop = {
  /** How late it has been all of the last second: a few long turns are no overload. */
  lateMs(): number;
  /** How many requests of the address with the longest line may be worked on beside those of others. */
  share(): number;
  /** How long that address rests after each of them, when even one at once is too much. */
  restMs(): number;
  end(): void;
};

/** The part of its time that it may be busy before less is done at once; the rest is for who comes next. */
const busyMax = 0.5;
const shareMin = 1;
/** The database may be on the same processors, and with more at once they would be gone in no time. */
export const shareMax = Math.min(8, Math.max(2, availableParallelism()));
const restMin = 10;
const restMax = 20;

/** Watches how busy the event loop is, and finds how much may be done at once so that a new request is soon begun. */
export function watchEventLoop(): EventLoop {
  let recent: number[] = [];
  let lateMs = 0;
  let share = shareMax;
  let restMs = 0;
  let lookedMs = performance.now();
  let used = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    recent = [...recent.slice(-looks + 1), nowMs - lookedMs - lookEveryMs];
    lateMs = recent.length < looks ? 0 : Math.max(0, Math.min(...recent));
    lookedMs = nowMs;
    const now = performance.eventLoopUtilization();
    const isBusy = performance.eventLoopUtilization(now, used).utilization > busyMax;
    used = now;
    if (isBusy && share > shareMin) share = Math.max(shareMin, share / 2);
    else if (isBusy) restMs = Math.min(restMax, Math.max(restMin, restMs * 2));
    else if (restMs > 0) restMs = restMs > restMin ? restMs * 0.8 : 0;
    else share = Math.min(shareMax, share + 0.5);
  }, lookEveryMs).unref();
  return {
    lateMs: () => lateMs,
    share: () => Math.floor(share),
    restMs: () => restMs,
    end: () => clearInterval(timer),
  };
}
