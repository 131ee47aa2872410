import { execFileSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('./runtime.ts', import.meta.url));
const isLinux = process.platform === 'linux';

/** The niceness of every thread of a process that has settled: of the event loop, then of the others in the order of their numbers. */
function threadsWith(processors: number): number[] {
  const script = `import { readdirSync, readFileSync } from 'node:fs';
    import { settleRuntime } from '${source}';
    settleRuntime(${processors});
    const nice = (id) => Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ').at(-1).split(' ')[16]);
    const others = readdirSync('/proc/self/task').map(Number).filter((id) => id !== process.pid).sort((a, b) => a - b);
    console.log(JSON.stringify([process.pid, ...others].map(nice)));`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as number[];
}

test.runIf(isLinux)('of few processors, threads of V8 take only what the event loop leaves', () => {
  const [loop, ...others] = threadsWith(2);
  expect(loop).toBe(getPriority());
  expect(others.filter((niceness) => niceness === Math.min(19, getPriority() + 19))).toHaveLength(5);
  expect(others.slice(5).every((niceness) => niceness === getPriority())).toBe(true);
});

test.runIf(isLinux)('of many processors every thread takes its share', () => {
  expect(new Set(threadsWith(8))).toEqual(new Set([getPriority()]));
});
