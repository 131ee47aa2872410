import { lstat, readdir, readFile, readlink, stat, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { canReach } from './account.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, unless } from './errors.ts';
import { initialise } from './initialise.ts';
import { ensurePassword } from './password.ts';
import { makeSpare, type Place } from './place.ts';

export type Data = { directory: string; password: string };

export async function ensureData(place: Place, binaries: Binaries, sync: boolean): Promise<Data> {
  const directory = await locate(place);
  const version = await versionOf(directory);
  if (version !== undefined) await checkData(place, directory, version, binaries);
  // after the look at the data: whoever made them made the password before
  const password = await ensurePassword(place, directory, version !== undefined);
  if (version === undefined) await initialise({ place, binaries, directory, password, sync });
  return { directory, password };
}

/**
 * home/database; a link to the spare place when the database's user cannot reach home.
 * The link keeps the choice: permissions that change later must not lead to a new, empty database.
 */
async function locate(place: Place): Promise<string> {
  const inHome = join(place.home, 'database');
  const stats = await lstat(inHome).catch(unless('ENOENT'));
  if (stats?.isSymbolicLink()) return checkedTarget(place, resolve(place.home, await readlink(inHome)));
  if (stats) return checkedTarget(place, inHome);
  if (!place.account.isOther || (await canReach(place.account, place.home))) return inHome;
  await makeSpare(place);
  await symlink(join(place.spare, 'database'), inHome).catch(unless('EEXIST'));
  return locate(place);
}

async function checkedTarget(place: Place, directory: string): Promise<string> {
  if (dirname(directory) === place.spare) await makeSpare(place);
  if (place.account.isOther && !(await canReach(place.account, dirname(directory)))) {
    throw new EmbeddedPostgresError(
      `the user "nobody", who runs the database for root, cannot reach ${directory}: give others x on the directories above it`,
    );
  }
  return directory;
}

/** undefined when there is no database yet. */
async function versionOf(directory: string): Promise<string | undefined> {
  const text = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(unless('ENOENT'));
  if (text !== undefined) return text.trim();
  const names = await readdir(directory).catch(unless('ENOENT'));
  if (names === undefined || names.length === 0) return undefined;
  throw new EmbeddedPostgresError(
    `${directory} is not a PostgreSQL data directory (it has no PG_VERSION): restore it from a backup`,
  );
}

async function checkData(
  place: Place,
  directory: string,
  version: string,
  { major }: Binaries,
): Promise<void> {
  if (version !== major) {
    throw new EmbeddedPostgresError(
      `the database in ${directory} is of PostgreSQL ${version}, this server comes with PostgreSQL ${major}: move the data with pg_dump of the earlier release, or set PORTICO_HOME to another directory`,
    );
  }
  const { uid } = await stat(directory);
  if (uid !== place.account.uid) {
    throw new EmbeddedPostgresError(
      `the database in ${directory} belongs to user id ${uid} and would be run by user id ${place.account.uid}: start the server as the user who made it`,
    );
  }
}
