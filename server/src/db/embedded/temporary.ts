import { randomBytes } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = /\.new-(\d+)-[0-9a-f]{8}$/;
const OLD_MS = 3_600_000;

/** A name beside `target`, to be renamed to it once complete; it tells which process made it. */
export function temporaryPath(target: string): string {
  return `${target}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Removes what killed processes left behind in `directory`. */
export async function sweepTemporaries(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    const pid = NAME.exec(name)?.[1];
    const path = join(directory, name);
    if (pid !== undefined && (!isAlive(Number(pid)) || (await isOld(path)))) {
      // an orphaned initdb may still write into it: then the next start removes it
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/** Makes renames and links in `directory` survive a power failure. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

// in a container every server may have the same pid: then age tells
async function isOld(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > OLD_MS;
}
