import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { getPriority, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { createHashThreads, type HashThreads } from '../src/auth/portal/hash-threads.ts';
import { createPasswords } from '../src/auth/portal/passwords.ts';
import { StoreUnavailable } from '../src/db/unavailable.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

function opening<Opened extends { close(): Promise<void> }>(one: Opened): Opened {
  opened.push(one);
  return one;
}

/** A thread that does what it is told instead of hashing. */
function threadsThat(code: string): HashThreads {
  const text = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', (job) => { ${code} });`;
  const file = new URL(`data:text/javascript,${encodeURIComponent(text)}`);
  return opening(createHashThreads({ file }));
}

const answer = "parentPort.postMessage({ result: 'done' });";
const isLinux = process.platform === 'linux';

/** Niceness of every thread of this process, by its number. */
const threads = () =>
  new Map(
    readdirSync('/proc/self/task').map((id) => {
      const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
      return [id, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
    }),
  );

/** How long each thread of this process has the processor at a time, in nanoseconds. */
const slices = () =>
  new Map(
    readdirSync('/proc/self/task').map((id) => {
      const [, slice] =
        /^se\.slice\s*:\s*(\d+)/m.exec(readFileSync(`/proc/self/task/${id}/sched`, 'utf8')) ?? [];
      return [id, Number(slice)];
    }),
  );

/** Since Linux 6.12 a thread may ask for it; where there is no perl, ours do not. */
function canSetSlices(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  const isNew = major > 6 || (major === 6 && minor >= 12);
  return isLinux && isNew && spawnSync('perl', ['-e', '1']).status === 0;
}

describe('passwords', () => {
  test('match the hash that was made of them and no other, whatever characters they have', async () => {
    const passwords = opening(createPasswords());
    const secret = 'Пароль 🙂 ÄÖÜ \u0000';
    const stored = await passwords.hash(secret, 'a');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await passwords.hash(secret, 'a')).not.toBe(stored);
    expect(await passwords.matches(stored, secret, 'a')).toBe(true);
    expect(await passwords.matches(stored, secret.normalize('NFD'), 'a')).toBe(false);
    expect(await passwords.matches(null, secret, 'a')).toBe(false);
    await expect(passwords.matches('no hash', secret, 'a')).rejects.toThrow();
    expect(await passwords.matches(stored, secret, 'a')).toBe(true);
  });
});

describe('threads for hashing', () => {
  test.runIf(isLinux)('are none of those that tokens are signed on: these may all be busy', async () => {
    const passwords = opening(createPasswords());
    const folder = mkdtempSync(join(tmpdir(), 'portico-pipe-'));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Each waits on a thread of Node's own, of which there are four, until someone writes.
    const waiting = Array.from({ length: 8 }, () => open(pipe, 'r'));
    let isSigned = false;
    const signing = crypto.subtle.digest('SHA-256', Buffer.alloc(1)).then(() => {
      isSigned = true;
    });
    expect(await passwords.matches(await passwords.hash('right', 'a'), 'right', 'a')).toBe(true);
    expect(isSigned).toBe(false);
    const writer = openSync(pipe, constants.O_RDWR);
    await signing;
    for (const each of await Promise.all(waiting)) await each.close();
    closeSync(writer);
    rmSync(folder, { recursive: true });
  });

  test.runIf(isLinux)('give way to the rest of the process, and end when they are closed', async () => {
    const before = threads();
    const passwords = createPasswords();
    const added = (niceness: number) =>
      [...threads()].filter(([id, nice]) => !before.has(id) && nice === getPriority() + niceness).length;
    await passwords.hash('x', 'a');
    expect([added(5), added(10)]).toEqual([1, 0]);
    // Further while others wait: of three, the last one is awaited by nobody.
    await Promise.all(['a', 'b', 'c'].map((address) => passwords.hash('x', address)));
    expect([added(5), added(10)]).toEqual([1, 2]);
    expect(threads().get(String(process.pid))).toBe(getPriority());
    await passwords.close();
    await expect
      .poll(() => [...threads().values()].filter((niceness) => niceness > getPriority()))
      .toEqual([]);
  });

  test.runIf(canSetSlices())('have long slices, which whoever wakes up breaks off at once', async () => {
    const before = slices();
    const passwords = opening(createPasswords());
    await Promise.all(['a', 'b', 'c'].map((address) => passwords.hash('x', address)));
    const added = () => [...slices()].filter(([id]) => !before.has(id)).map(([, slice]) => slice);
    await expect.poll(() => added().filter((slice) => slice === 100_000_000)).toHaveLength(3);
    expect(slices().get(String(process.pid))).toBe(before.get(String(process.pid)));
  });

  test('that die are replaced; who waits for one is told that the service is not available', async () => {
    const dying = threadsThat(`if (job.password === 'exit') process.exit(1);
      if (job.password === 'throw') throw new Error('thrown');
      if (job.password === 'memory') { const all = []; for (;;) all.push(new Array(1000).fill({})); }
      ${answer}`);
    for (const password of ['exit', 'throw', 'memory']) {
      expect(await dying.run({ password: 'live' })).toBe('done');
      await expect(dying.run({ password })).rejects.toThrow(StoreUnavailable);
      expect(await dying.run({ password: 'live' })).toBe('done');
    }
  });

  test('that die while nobody waits for them, or cannot be started, end nothing else', async () => {
    for (const last of ['process.exit();', "setTimeout(() => { throw new Error('late'); });"]) {
      const ending = threadsThat(`${answer} ${last}`);
      for (let count = 0; count < 10; count += 1)
        expect(['done', 'lost']).toContain(await ending.run({ password: 'x' }).catch(() => 'lost'));
    }
    const missing = opening(createHashThreads({ file: new URL('file:///nowhere/at-all.cjs') }));
    await expect(missing.run({ password: 'x' })).rejects.toThrow(StoreUnavailable);
  });

  test('keep a process alive for what they work on, and no longer', async () => {
    const module = fileURLToPath(new URL('../src/auth/portal/passwords.ts', import.meta.url));
    const script = `import { createPasswords } from ${JSON.stringify(module)};
      createPasswords().hash('x', 'a').then((hash) => console.log(hash.slice(0, 10)));`;
    const args = ['--import', 'tsx', '--input-type=module', '-e', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
    expect(stdout).toBe('$argon2id$\n');
  });
});
