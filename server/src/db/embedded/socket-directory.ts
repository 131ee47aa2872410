import { chown, lstat, mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { canReach } from './account.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { makeDirectory, type Place } from './place.ts';

export const PORT = 5432;
export const SOCKET = `.s.PGSQL.${PORT}`;

const PREFIX = 's-';
// sun_path less its NUL, in bytes
const PATH_LIMIT = process.platform === 'darwin' ? 103 : 107;

/**
 * A new one for each start, so that sockets and lock files left behind never block it,
 * and a server whose database was replaced cannot connect to the new one by chance.
 */
export async function createSocketDirectory(place: Place): Promise<string> {
  const { account } = place;
  for (const base of bases(place)) {
    if (!fits(base) || !(await makeBase(place, base).catch(() => false))) continue;
    const directory = await mkdtemp(join(base, PREFIX));
    if (account.isOther) await chown(directory, account.uid, account.gid);
    return directory;
  }
  throw new EmbeddedPostgresError(
    `no directory with a path short enough for the database's socket: set PORTICO_HOME to a shorter path than ${place.name}`,
  );
}

/** For a database that is started again where its clients look for it: what ended it may have taken the directory too. */
export async function restoreSocketDirectory({ account }: Place, directory: string): Promise<void> {
  const made = await mkdir(directory, { mode: 0o700, recursive: true });
  if (made !== undefined && account.isOther) await chown(directory, account.uid, account.gid);
}

/** Never recursive: an adopted database may have its socket in a directory of others. */
export async function removeSocketDirectory(directory: string): Promise<void> {
  const socket = join(directory, SOCKET);
  for (const path of [socket, `${socket}.lock`]) await rm(path, { force: true }).catch(() => undefined);
  // the parent stays: another server may be about to make its own in there
  if (basename(directory).startsWith(PREFIX)) await rmdir(directory).catch(() => undefined);
}

/** Removes those of earlier starts; to be called when no other database runs. */
export async function sweepSocketDirectories(place: Place, keep: string): Promise<void> {
  for (const directory of await socketDirectories(place)) {
    if (directory !== keep) await removeSocketDirectory(directory);
  }
}

/** Finds a database whose process cannot be seen: in another container that shares home. */
export async function isAnySocketAnswering(place: Place): Promise<boolean> {
  const directories = await socketDirectories(place);
  const answers = await Promise.all(directories.map((each) => isAnswering(join(each, SOCKET))));
  return answers.includes(true);
}

function isAnswering(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function socketDirectories(place: Place): Promise<string[]> {
  const found: string[] = [];
  for (const base of bases(place)) {
    const names = await readdir(base).catch(() => []);
    found.push(...names.filter((name) => name.startsWith(PREFIX)).map((name) => join(base, name)));
  }
  return found;
}

function bases({ home, hash, spare, account }: Place): string[] {
  const inHome = join(home, 'run');
  if (account.isOther) return [inHome, join('/run/portico', hash), join(spare, 'run')];
  const runtime = process.env['XDG_RUNTIME_DIR'] ?? '';
  return [inHome, join(runtime, `portico-${hash}`), join(homedir(), `.portico-${hash}`)].filter(isAbsolute);
}

function fits(base: string): boolean {
  const socket = join(base, `${PREFIX}XXXXXX`, SOCKET);
  return Buffer.byteLength(socket) <= PATH_LIMIT;
}

async function makeBase({ account, home, spare }: Place, base: string): Promise<boolean> {
  const parent = dirname(base);
  if (parent === spare && spare !== home) await makeDirectory(dirname(spare), 0o755);
  if (account.isOther && parent !== home) await makeDirectory(parent, parent === spare ? 0o711 : 0o755);
  await makeDirectory(base, account.isOther ? 0o711 : 0o700);
  const stats = await lstat(base);
  if (!stats.isDirectory() || stats.uid !== process.getuid?.()) return false;
  return !account.isOther || canReach(account, base);
}
