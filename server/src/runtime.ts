import { readdirSync } from 'node:fs';
import { availableParallelism, getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** In percent of what is alive. V8's own choice under load is three times that, and 60 MiB more of memory. */
const garbageMax = 100;
/** With more, some are left for the database while threads of V8 have the others. */
const processorsFew = 2;
/** More than that of the threads that hash passwords: four of them would leave these a fifth of a processor. */
const niceness = 19;
/** Node starts one that knows the time and four that work for V8, before any other of the process. */
const helpers = 5;

/** Linux knows priorities of threads. */
function letHelpersGiveWay(): void {
  if (process.platform !== 'linux') return;
  const threads = readdirSync('/proc/self/task').map(Number);
  const started = threads.filter((id) => id !== process.pid).sort((a, b) => a - b);
  try {
    for (const id of started.slice(0, helpers)) setPriority(id, Math.min(19, getPriority() + niceness));
  } catch {
    // the operator allows no change: then they have the priority they have
  }
}

/** What V8 does beside the service must not hold it up, nor the database on the same machine. */
export function settleRuntime(processors = availableParallelism()): void {
  setFlagsFromString(`--heap-growing-percent=${garbageMax}`);
  setFlagsFromString('--no-allocation-site-pretenuring'); // what is made old is kept with all it refers to, long dead
  if (processors > processorsFew) return;
  setFlagsFromString('--no-parallel-scavenge'); // or the event loop waits for a thread that gives way
  letHelpersGiveWay();
}
