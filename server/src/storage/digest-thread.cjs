// @ts-check
// Plain JavaScript: a thread starts this file as it stands, beside the sources too. CommonJS: its thread takes less memory.
const { createHash } = require('node:crypto');
const { closeSync, openSync, readSync } = require('node:fs');
const { parentPort } = require('node:worker_threads');

/** One for all: a message is worked off before the next. */
const buffer = Buffer.allocUnsafe(256 * 1024);

/** @type {Map<number, { fd: number, at: number, hash: import('node:crypto').Hash }>} */
const files = new Map();

/** @param {number} id */
function forget(id) {
  const file = files.get(id);
  if (file !== undefined) closeSync(file.fd);
  files.delete(id);
}

/** @param {import('./digest-thread.ts').Message} message */
function hashOn({ id, path, upTo }) {
  const file = files.get(id) ?? { fd: openSync(path, 'r'), at: 0, hash: createHash('sha256') };
  files.set(id, file);
  while (file.at < upTo) {
    const read = readSync(file.fd, buffer, 0, Math.min(buffer.length, upTo - file.at), file.at);
    if (read === 0) throw new Error('a file that is received has lost bytes');
    file.hash.update(buffer.subarray(0, read));
    file.at += read;
  }
  return file.hash;
}

parentPort?.on('message', (message) => {
  const { id, step } = message;
  try {
    if (step === 'drop') forget(id);
    else if (step === 'go on') hashOn(message);
    else parentPort?.postMessage({ id, sha256: hashOn(message).digest('hex') });
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) });
    forget(id);
  }
  if (step === 'end') forget(id);
});
