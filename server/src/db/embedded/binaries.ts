import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, runAs } from './account.ts';
import { EmbeddedPostgresError, lastLine } from './errors.ts';
import { copyNative, makeLinks } from './native-tree.ts';
import type { Package } from './package.ts';
import { makeSpare, type Place } from './place.ts';

export type Binaries = { directory: string; major: string };

const PROBE =
  '"$1/bin/initdb" --version && "$1/bin/postgres" --version && test -r "$1/share/postgresql/postgres.bki"';

/** The installed tree, or a copy of it where the database's user can run it. */
export async function usableBinaries(place: Place, installed: Package): Promise<Binaries> {
  const linked = await makeLinks(installed.native);
  const self: Account = { ...place.account, isOther: false };
  if (linked) {
    const direct = await probe(place.account, installed.native);
    if (direct.major !== undefined) return { directory: join(installed.native, 'bin'), major: direct.major };
    const own = place.account.isOther ? await probe(self, installed.native) : direct;
    if (own.major === undefined) throw cannotRun(own.reason);
  }
  await makeSpare(place);
  const copy = copyPath(place, installed);
  await copyNative(installed.native, copy);
  const { major, reason } = await probe(place.account, copy);
  if (major === undefined) throw cannotRun(reason);
  return { directory: join(copy, 'bin'), major };
}

/** To be called when no database runs from an older copy. */
export async function removeOldCopies(place: Place, binaries: Binaries): Promise<void> {
  const names = await readdir(place.spare).catch(() => []);
  for (const name of names.filter((each) => /^native-[^/]*$/.test(each) && !each.includes('.new-'))) {
    const copy = join(place.spare, name);
    if (join(copy, 'bin') !== binaries.directory) await rm(copy, { recursive: true, force: true });
  }
}

function copyPath(place: Place, { version }: Package): string {
  return join(place.spare, `native-${version}`);
}

async function probe(account: Account, native: string): Promise<{ major?: string; reason: string }> {
  const { ok, stdout, stderr } = await runAs(account, '/bin/sh', ['-c', PROBE, 'sh', native]);
  const major = /^postgres \(PostgreSQL\) (\d+)/m.exec(stdout)?.[1];
  return ok && major !== undefined ? { major, reason: '' } : { reason: lastLine(stderr) };
}

function cannotRun(reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `the PostgreSQL that comes with this server cannot run on this system (${reason}): set DATABASE_URL to use another`,
  );
}
