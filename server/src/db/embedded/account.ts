import { execFile } from 'node:child_process';
import { EmbeddedPostgresError } from './errors.ts';

/** Who runs PostgreSQL; `isOther` when that is not the user of this process. */
export type Account = { uid: number; gid: number; isOther: boolean };

type Finished = { ok: boolean; stdout: string; stderr: string };

/** PostgreSQL refuses to run as root, so root's database belongs to `nobody`. */
export async function databaseAccount(): Promise<Account> {
  const self = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1, isOther: false };
  if (self.uid !== 0) return self;
  const [uid, gid] = await Promise.all([idOfNobody(self, '-u'), idOfNobody(self, '-g')]);
  return { uid, gid, isOther: true };
}

async function idOfNobody(self: Account, flag: string): Promise<number> {
  const { ok, stdout } = await runAs(self, 'id', [flag, 'nobody']);
  if (!ok || !/^-?\d+\s*$/.test(stdout)) {
    throw new EmbeddedPostgresError(
      'the embedded database cannot run as root and there is no user "nobody": run as an ordinary user, or set DATABASE_URL',
    );
  }
  // macOS: nobody is -2; chown and stat count it unsigned
  return Number(stdout) >>> 0;
}

/** Options of spawn; a uid must be a signed 32 bit number there. */
export function identity(account: Account): { uid?: number; gid?: number } {
  return account.isOther ? { uid: account.uid | 0, gid: account.gid | 0 } : {};
}

/** Nothing else is passed on: PG* and LD_* variables of the server would change what PostgreSQL does. */
export function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' };
}

export function runAs(account: Account, file: string, args: string[]): Promise<Finished> {
  // cwd: the current one may be out of reach for the other user
  const options = { ...identity(account), env: environment(), cwd: '/' };
  return new Promise((resolve) => {
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      resolve({ ok: error === null, stdout, stderr: stderr || (error?.message ?? '') });
    });
    child.stdin?.end();
  });
}

export async function canReach(account: Account, directory: string): Promise<boolean> {
  const { ok } = await runAs(account, '/bin/sh', ['-c', 'cd "$1"', 'sh', directory]);
  return ok;
}
