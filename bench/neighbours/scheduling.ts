import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { atEnd } from '../closing.ts';

/** Whether it could be done: another system, another user or a missing program cannot. */
function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

const own = String(process.pid);
const chrt = (...args: string[]) => attempt(() => execFileSync('chrt', args, { stdio: 'ignore' }));

const bySession = '/proc/sys/kernel/sched_autogroup_enabled';
const isBySession = () => readFileSync(bySession, 'utf8').trim() === '1';

/**
 * Linux may weigh sessions before it looks at the processes in them, and every process of PostgreSQL leads one: then no
 * process can give way to those of another. Holds for what is started afterwards, as docs/operating.md advises.
 */
export function weighProcesses(): boolean {
  return attempt(() => {
    if (!isBySession()) return;
    writeFileSync(bySession, '0');
    atEnd(() => attempt(() => writeFileSync(bySession, '1')));
  });
}

/** What V8 does on threads beside the main one, which would wait for them. */
const besides = ['marking', 'sweeping', 'array-buffer-sweeping'];

/**
 * The tenant who is measured is on another machine in truth: on this one he waits for no processor. What he starts does, and
 * the threads that compile and collect for him take only what nobody else wants.
 */
export function goFirst(): boolean {
  for (const each of besides) setFlagsFromString(`--no-concurrent-${each}`);
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString('--heap-growing-percent=1000'); // or he marks all there is in the middle of a measurement
  atEnd(() => chrt('--all-tasks', '--other', '--pid', '0', own));
  return (
    chrt('--all-tasks', '--idle', '--pid', '0', own) && chrt('--reset-on-fork', '--fifo', '--pid', '1', own)
  );
}

const niceness = 19;

/** So is the attacker: the service is to be starved by requests, not by the process that makes them. */
export function goLast(): void {
  attempt(() => setPriority(niceness));
  attempt(() => writeFileSync('/proc/self/autogroup', String(niceness))); // where sessions are weighed all the same
  chrt('--all-tasks', '--idle', '--pid', '0', own);
}
