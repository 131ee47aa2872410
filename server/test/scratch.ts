import { accessSync, constants, statfsSync } from 'node:fs';

const memory = '/dev/shm';
const tmpfs = 0x01021994;
/** A whole run needs a third of it. */
const bytesNeeded = 4 * 1024 ** 3;

function hasRoom(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(memory);
    accessSync(memory, constants.W_OK);
    return type === tmpfs && bavail * bsize >= bytesNeeded;
  } catch {
    return false;
  }
}

/** Scratch files stay in memory where there is room: each test file has a database of a thousand files made and dropped. */
export function keepScratchInMemory(): void {
  if (process.env['TMPDIR'] === undefined && hasRoom()) process.env['TMPDIR'] = memory;
}
