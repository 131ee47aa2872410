import { performance } from 'node:perf_hooks';

const lookEveryMs = 100;
const looks = 10;

export type EventLoop = {
  /** How late it has been all of the last second: a few long turns are no overload. */
  lateMs(): number;
  /** How many requests of the address with the longest line may be worked on beside those of others. */
  share(): number;
  end(): void;
};

/** The part of its time that it may be busy before less is done at once; the rest is for who comes next. */
const busyMax = 0.5;
const shareMin = 1;
const shareMax = 8;

/** Watches how busy the event loop is, and finds how much may be done at once so that a new request is soon begun. */
export function watchEventLoop(): EventLoop {
  let recent: number[] = [];
  let lateMs = 0;
  let share = shareMax;
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
    share = isBusy ? Math.max(shareMin, share / 2) : Math.min(shareMax, share + 0.5);
  }, lookEveryMs).unref();
  return { lateMs: () => lateMs, share: () => Math.floor(share), end: () => clearInterval(timer) };
}
