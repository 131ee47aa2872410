import { createHash } from 'node:crypto';
import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Account } from './account.ts';
import { unless } from './errors.ts';

export type Place = {
  /** PORTICO_HOME as the operator wrote it, for messages */
  name: string;
  /** its real path */
  home: string;
  hash: string;
  account: Account;
  /** for what cannot be in home; made when needed */
  spare: string;
};

const SYSTEM_BASE = process.platform === 'darwin' ? '/var/db/portico' : '/var/lib/portico';

export async function prepareHome(name: string, account: Account): Promise<Place> {
  await mkdir(dirname(name), { recursive: true });
  await mkdir(name, { mode: 0o700 }).catch(unless('EEXIST'));
  const home = await realpath(name);
  const { mode, uid } = await stat(home);
  // x for others lets nobody pass through to its data directory, and list nothing
  if (account.isOther && uid === 0 && (mode & 0o011) !== 0o011) await chmod(home, (mode & 0o777) | 0o011);
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 16);
  return { name, home, hash, account, spare: account.isOther ? join(SYSTEM_BASE, hash) : home };
}

export async function makeSpare({ spare, home }: Place): Promise<void> {
  if (spare === home) return;
  await makeDirectory(dirname(spare), 0o755);
  await makeDirectory(spare, 0o711);
}

/** An existing directory is left as it is; chmod because a umask would cut the mode. */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  const made = await mkdir(path, { mode }).then(() => true, unless('EEXIST'));
  if (made) await chmod(path, mode);
}
