import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { outcomeOf, Person } from './harness.ts';

/** Tests here run side by side, because some wait for seconds; what they open is closed at the end of the file. */
const closers: (() => unknown)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** The module alone, compiled once: many processes are to begin with it. */
let module: string;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-profile-'));
  closers.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'profile.mjs');
  await build({
    input: fileURLToPath(new URL('../src/profile.ts', import.meta.url)),
    platform: 'node',
    output: { file },
  });
  module = pathToFileURL(file).href;
});

/** Someone whose profiles hold a number each. */
function newCounter() {
  const person = new Person();
  closers.push(() => person.remove());
  const path = person.profilePath;
  mkdirSync(dirname(path), { recursive: true });
  /** A process that adds to the number, again and again. */
  const start = (times: number, profile: string, holdMs = 0) => {
    const work = `const { updateProfile } = await import('${module}');
      for (let left = ${times}; left > 0; left -= 1) updateProfile((profile) => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${holdMs});
        return { ...profile, count: (profile.count ?? 0) + 1 };
      });`;
    const env = { PORTICO_PROFILE: profile };
    const child = person.start(process.execPath, ['--input-type=module', '-e', work], { env });
    closers.unshift(() => child.kill('SIGKILL')); // before its folder goes
    return child;
  };
  const counts = (): Record<string, number> => {
    if (!existsSync(path)) return {};
    const file: { profiles: Record<string, { count: number }> } = JSON.parse(readFileSync(path, 'utf8'));
    return Object.fromEntries(Object.entries(file.profiles).map(([name, { count }]) => [name, count]));
  };
  return {
    path,
    start,
    count: (...of: Parameters<typeof start>) => outcomeOf(start(...of)),
    counts,
    besides: () => readdirSync(dirname(path)).filter((name) => name !== 'profiles.json'),
  };
}

describe.concurrent('the profile file', () => {
  it('loses nothing of processes that write at once, and nothing is left beside it', async ({ expect }) => {
    const { count, counts, besides } = newCounter();
    const ended = await Promise.all(['a', 'a', 'a', 'b', 'b', 'c'].map((profile) => count(40, profile)));
    for (const { code, stderr } of ended) expect([code, stderr]).toEqual([0, '']);
    expect(counts()).toEqual({ a: 120, b: 80, c: 40 });
    expect(besides()).toEqual([]);
  });

  it('waits for one that takes its time', async ({ expect }) => {
    const { path, count, counts } = newCounter();
    const slow = count(2, 'a', 1500);
    await expect.poll(() => existsSync(`${path}.lock`)).toBe(true);
    await Promise.all([slow, count(3, 'a'), count(3, 'a')]);
    expect(counts()).toEqual({ a: 8 });
  });

  it.for([
    ['long ago', 1],
    ['by a clock that was ahead', 4_000_000_000],
  ] as const)('is written past what a process left %s', async ([_when, seconds], { expect }) => {
    const { path, count, counts, besides } = newCounter();
    for (const left of [`${path}.lock`, `${path}.draft`]) writeFileSync(left, 'half');
    utimesSync(`${path}.lock`, seconds, seconds);
    const ended = await Promise.all(['a', 'a', 'b'].map((profile) => count(5, profile)));
    for (const { code, stderr } of ended) expect([code, stderr]).toEqual([0, '']);
    expect(counts()).toEqual({ a: 10, b: 5 });
    expect(besides()).toEqual([]);
  });

  it('is whole, for its owner alone and free for others when who writes it is killed', async ({ expect }) => {
    const { path, start, count, counts, besides } = newCounter();
    for (let round = 0; round < 3; round += 1) {
      const before = counts()['a'] ?? 0;
      const child = start(1e6, 'a');
      const ended = outcomeOf(child);
      await expect.poll(() => counts()['a'] ?? 0).toBeGreaterThan(before);
      child.kill('SIGKILL');
      await ended;
      expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
      const left = counts()['a'] ?? 0;
      expect(await count(1, 'a')).toMatchObject({ code: 0, stderr: '' });
      expect(counts()).toEqual({ a: left + 1 });
      expect(besides()).toEqual([]);
    }
  });

  it('has no lock after a change that failed', async ({ expect }) => {
    const { path, count, besides } = newCounter();
    await count(1, 'a');
    chmodSync(path, 0o644);
    expect((await count(1, 'a')).stderr).toContain('chmod 600');
    expect(besides()).toEqual([]);
  });
});
