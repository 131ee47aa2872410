// @ts-check
// Plain JavaScript: a thread starts this file as it stands, beside the sources too. CommonJS: its thread takes less memory.
const { getPriority, setPriority } = require('node:os');
const { parentPort, workerData } = require('node:worker_threads');
const { hashSync, verifySync } = require('@node-rs/argon2');

const { parameters, niceness } = workerData;

/** Linux knows priorities of threads. Elsewhere this would be that of the whole process. */
function giveWay() {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(19, getPriority() + niceness));
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
