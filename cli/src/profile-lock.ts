import { linkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { failedCheck } from './failure.ts';

/** The work takes milliseconds: one lock that stands for as long as this was left by a process that was killed. */
const leftMs = 5000;
const waitMsMax = 15_000;

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/** What another process does with the file meanwhile is no failure. */
function unless<Result>(code: string, work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (codeOf(error) === code) return undefined;
    throw error;
  }
}

const take = (lock: string) =>
  unless('EEXIST', () => {
    writeFileSync(lock, '', { mode: 0o600, flag: 'wx' });
    return true;
  }) === true;

/** Tells one lock from the next; undefined when there is none. Its time is never compared with our clock, which may have been set since. */
const identityOf = (path: string) =>
  unless('ENOENT', () => {
    const { ino, mtimeNs } = statSync(path, { bigint: true });
    return `${ino} ${mtimeNs}`;
  });

/** By a name of our own first: two who find it at once must not take each other's new one for the old. */
function removeLeft(lock: string, left: string): void {
  const aside = `${lock}.${process.pid}`;
  if (unless('ENOENT', () => renameSync(lock, aside) ?? true) === undefined) return;
  if (identityOf(aside) !== left) unless('EEXIST', () => linkSync(aside, lock));
  rmSync(aside, { force: true });
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function waitFor(lock: string): void {
  const startedMs = performance.now();
  let seen: { lock: string | undefined; sinceMs: number } = { lock: undefined, sinceMs: startedMs };
  while (!take(lock)) {
    const nowMs = performance.now();
    const current = identityOf(lock);
    if (current !== seen.lock) seen = { lock: current, sinceMs: nowMs };
    if (current !== undefined && nowMs - seen.sinceMs > leftMs) removeLeft(lock, current);
    else pause(10);
    if (nowMs - startedMs > waitMsMax)
      throw failedCheck(`another process holds ${lock}: try again, or remove it`);
  }
}

/** One process at a time changes the file. */
export function withLock(path: string, work: () => void): void {
  const lock = `${path}.lock`;
  waitFor(lock);
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}
