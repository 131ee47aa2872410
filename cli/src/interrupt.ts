import { failedCheck } from './failure.ts';

/** Ends what is under way, so that it can leave nothing behind; a second Ctrl-C does what it always does. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => controller.abort(failedCheck('given up')));
  return controller.signal;
}
