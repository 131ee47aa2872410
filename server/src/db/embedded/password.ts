import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, unless } from './errors.ts';
import type { Place } from './place.ts';
import { syncDirectory, temporaryPath } from './temporary.ts';

export function passwordFile({ home }: Place): string {
  return join(home, 'database-password');
}

/** Made once; of two servers that start together one makes it and both read it. */
export async function ensurePassword(place: Place, dataDirectory: string, hasData: boolean): Promise<string> {
  const path = passwordFile(place);
  const present = await readFile(path, 'utf8').catch(unless('ENOENT'));
  if (present === undefined && hasData) {
    throw new EmbeddedPostgresError(
      `${path} is missing: restore it, or remove the database ${dataDirectory} to begin with an empty one`,
    );
  }
  if (present === undefined) await writePassword(place, path);
  const password = (present ?? (await readFile(path, 'utf8'))).trim();
  if (password === '') throw new EmbeddedPostgresError(`${path} is empty: restore it from a backup`);
  await chmod(path, 0o600);
  return password;
}

async function writePassword({ home }: Place, path: string): Promise<void> {
  const temporary = temporaryPath(path);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(32).toString('base64url')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // link, unlike rename, never replaces the file of another server
    await link(temporary, path).catch(unless('EEXIST'));
  } finally {
    await rm(temporary, { force: true });
  }
  await syncDirectory(home);
}
