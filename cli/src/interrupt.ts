import { failedCheck } from './failure.ts';

/** From Ctrl-C, whoever runs it, a terminal that is closed and Ctrl-\. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Ends what is under way, so that it can leave nothing behind; a second Ctrl-C does what it always does. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of endingSignals) process.once(signal, () => controller.abort(failedCheck('given up')));
  return controller.signal;
}
