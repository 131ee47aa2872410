/** An address that was refused so often at once is refused no faster than that from then on: asking on and on costs itself time. */
const refusalsAtOnce = 50;
const refusalEveryMs = 20;
/** Nobody waits longer for a refusal; beyond it they are told in no order, so that they do not come again together. */
const heldMsMax = 1500;
const lookEveryMs = 1000;

/** Says of each refusal of an address how long it waits. */
export function createRefusalPace(now: () => number = () => performance.now()): (address: string) => number {
  /** When the pace of an address will have caught up with its refusals. */
  const caughtUpMs = new Map<string, number>();
  let lookedMs = now();
  const forget = (nowMs: number) => {
    lookedMs = nowMs;
    for (const [address, atMs] of caughtUpMs) if (atMs <= nowMs) caughtUpMs.delete(address);
  };
  return (address) => {
    const nowMs = now();
    if (nowMs - lookedMs >= lookEveryMs) forget(nowMs);
    const atMs = Math.max(nowMs, caughtUpMs.get(address) ?? nowMs) + refusalEveryMs;
    const waitMs = atMs - nowMs - refusalsAtOnce * refusalEveryMs;
    if (waitMs > heldMsMax) return heldMsMax * (0.5 + Math.random() / 2);
    caughtUpMs.set(address, atMs);
    return Math.max(0, waitMs);
  };
}
