import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './errors.ts';
import { type HomeLock, takeLock } from './home-lock.ts';
import { type Running, type Setup, startOrAdopt } from './startup.ts';

/** Is told in one line each time: that the database is gone, why it could not be started, that it is back. */
export type Tell = (line: string) => void;

const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** One that lived so long and ends is no sign that the next one ends at once. */
const LASTED_MS = 60_000;

/**
 * Starts a database that ended by itself again, at the same socket, until it is told to stop: clients that connect anew find
 * it there. It waits longer each time, without end: a full disk may be emptied at any time.
 */
export function createRevival(setup: Setup, socketDirectory: string, tell: Tell) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let working: Promise<void> = Promise.resolve();
  let pauseMs = 0;
  let startedMs = performance.now();

  const startOnce = async (): Promise<Running> => {
    const running = await startOrAdopt(setup, { socketDirectory, signal });
    const lock = await takeLock(running.client, running.connection);
    if (lock === 'taken') return running;
    throw new EmbeddedPostgresError('the embedded database ended, or was taken by another server');
  };

  const revive = async (lock: HomeLock, onBack: (running: Running) => void): Promise<void> => {
    tell('the embedded database has ended: it is started again');
    if (performance.now() - startedMs > LASTED_MS) pauseMs = 0;
    while (!signal.aborted) {
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {}); // it is to stop
      pauseMs = Math.min(Math.max(PAUSE_MS, pauseMs * 2), LONGEST_PAUSE_MS);
      if (signal.aborted) return;
      try {
        const running = await startOnce();
        startedMs = performance.now();
        onBack(running);
        lock.hold(running.client);
        return tell('the embedded database runs again');
      } catch (error) {
        const reason = error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error);
        if (!signal.aborted) tell(`${reason}; it is tried again in ${pauseMs / 1000} s`);
      }
    }
  };

  return {
    begin(lock: HomeLock, onBack: (running: Running) => void): void {
      working = working.then(() => revive(lock, onBack));
    },
    /** Resolves when nothing is being started any more. */
    end(): Promise<void> {
      stopping.abort();
      return working;
    },
  };
}
