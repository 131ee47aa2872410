import { chmod, chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Account, runAs } from './account.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, lastLine, unless } from './errors.ts';
import type { Place } from './place.ts';
import { syncDirectory, temporaryPath } from './temporary.ts';

export const SUPERUSER = 'portico';

type Task = { place: Place; binaries: Binaries; directory: string; password: string; sync: boolean };

/** Runs initdb aside and renames: the directory is complete or absent, and the first of two starts wins. */
export async function initialise({ place, binaries, directory, password, sync }: Task): Promise<void> {
  const { account } = place;
  const work = temporaryPath(directory);
  const [data, secret] = [join(work, 'data'), join(work, 'password')];
  try {
    await mkdir(work);
    await chmod(work, 0o711);
    await mkdir(data, { mode: 0o700 });
    await writeFile(secret, password, { mode: 0o600 });
    await giveTo(account, data, secret);
    await initdb(account, binaries, data, secret, sync);
    await rename(data, directory).catch(unless('EEXIST', 'ENOTEMPTY'));
    await syncDirectory(dirname(directory));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function giveTo(account: Account, ...paths: string[]): Promise<void> {
  if (!account.isOther) return;
  for (const path of paths) await chown(path, account.uid, account.gid);
}

async function initdb(account: Account, binaries: Binaries, data: string, secret: string, sync: boolean) {
  const { ok, stderr } = await runAs(account, join(binaries.directory, 'initdb'), [
    `--pgdata=${data}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${secret}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
    ...(sync ? [] : ['--no-sync']),
  ]);
  if (ok) return;
  const reason = /^initdb: error: .*$/m.exec(stderr)?.[0] ?? lastLine(stderr);
  throw new EmbeddedPostgresError(`cannot create the embedded database: ${reason}`);
}
