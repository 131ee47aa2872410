// @ts-check
// Plain JavaScript: a thread starts this file as it stands, beside the sources too. CommonJS: its thread takes less memory.
const { spawn } = require('node:child_process');
const { readlinkSync } = require('node:fs');
const { getPriority, setPriority } = require('node:os');
const { basename } = require('node:path');
const { parentPort, workerData } = require('node:worker_threads');
const { hashSync, verifySync } = require('@node-rs/argon2');

const { parameters, niceness, sliceNs } = workerData;

/** Linux's numbers of the call sched_setattr. @type {{ [arch: string]: number | undefined }} */
const setAttributes = { x64: 314, arm64: 274 };
/** What it takes: its own length, a policy, flags, niceness, a priority, a slice, and two more for other policies. */
const attributes = { format: 'L2 Q l L Q3', bytes: 48, keepPolicy: 8 };

/** @param {number} nice */
function takeLongSlices(nice) {
  const { format, bytes, keepPolicy } = attributes;
  const call = setAttributes[process.arch];
  if (call === undefined) return;
  const thread = basename(readlinkSync('/proc/thread-self'));
  const wish = `pack('${format}', ${bytes}, 0, ${keepPolicy}, ${nice}, 0, ${sliceNs}, 0, 0)`;
  const script = `my $wish = ${wish}; syscall(${call}, ${thread}, $wish, 0)`;
  // Node cannot ask for it, and of the program chrt only the newest. Where perl is missing too, the slices stay as they are.
  const asking = spawn('perl', ['-e', script], { stdio: 'ignore' });
  asking.on('error', () => {}).unref();
}

/** Linux knows priorities of threads. Elsewhere this would be that of the whole process. */
function giveWay() {
  if (process.platform !== 'linux' || niceness === 0) return;
  const nice = Math.min(19, getPriority() + niceness);
  try {
    setPriority(nice);
    takeLongSlices(nice);
  } catch {
    // the operator allows no change: then it has the priority it has
  }
}

giveWay();

/** @param {import('./hash-threads.ts').Job} job */
function work({ password, stored }) {
  return stored === undefined ? hashSync(password, parameters) : verifySync(stored, password);
}

parentPort?.on('message', (job) => {
  try {
    parentPort?.postMessage({ result: work(job) });
  } catch (error) {
    parentPort?.postMessage({ error: String(error) });
  }
});
