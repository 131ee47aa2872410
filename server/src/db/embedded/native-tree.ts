import { execFile } from 'node:child_process';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { unless } from './errors.ts';
import { temporaryPath } from './temporary.ts';

type Link = { source: string; target: string };

/**
 * Makes the links that npm cannot pack and the package's install script may not have made.
 * False when the tree is not writable.
 */
export async function makeLinks(native: string): Promise<boolean> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(unless('ENOENT'));
  const links = JSON.parse(text ?? '[]') as Link[];
  try {
    for (const { source, target } of links) {
      // both are relative to the package, as native/lib/…
      const path = join(native, relative('native', target));
      const exists = await lstat(path).then(() => true, unless('ENOENT'));
      if (!exists) await symlink(relative(dirname(target), source), path).catch(unless('EEXIST'));
    }
    return true;
  } catch (error) {
    unless('EACCES', 'EPERM', 'EROFS')(error);
    return false;
  }
}

/** Complete or not there at all, whatever crashes or runs at the same time. */
export async function copyNative(source: string, target: string): Promise<void> {
  const exists = await lstat(target).then(() => true, unless('ENOENT'));
  if (exists) return;
  const temporary = temporaryPath(target);
  try {
    await copyTree(source, temporary);
    await makeLinks(temporary);
    // a power failure after the rename must not leave empty files under the final name
    await promisify(execFile)('sync').catch(() => undefined);
    await rename(temporary, target).catch(unless('EEXIST', 'ENOTEMPTY'));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

// own modes, not the source's: an install under umask 077 would stay closed to the database's user
async function copyTree(source: string, target: string): Promise<void> {
  await mkdir(target);
  await chmod(target, 0o755);
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory()) await copyTree(from, to);
    else if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
    else {
      await copyFile(from, to);
      const { mode } = await lstat(from);
      await chmod(to, mode & 0o100 ? 0o755 : 0o644);
    }
  }
}
