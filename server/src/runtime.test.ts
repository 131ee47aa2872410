import { execFileSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('./runtime.ts', import.meta.url));
const isLinux = process.platform === 'linux';

/** What a process of its own says. */
function run(script: string, ...flags: string[]): string {
  const args = [...flags, '--import', 'tsx', '--input-type=module', '--eval', script];
  return execFileSync(process.execPath, args, { encoding: 'utf8' });
}

/** The niceness of every thread of a process that has settled: of the event loop, then of the others in the order of their numbers. */
function threadsWith(processors: number): number[] {
  const script = `import { readdirSync, readFileSync } from 'node:fs';
    import { settleRuntime } from '${source}';
    settleRuntime(${processors});
    const nice = (id) => Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ').at(-1).split(' ')[16]);
    const others = readdirSync('/proc/self/task').map(Number).filter((id) => id !== process.pid).sort((a, b) => a - b);
    console.log(JSON.stringify([process.pid, ...others].map(nice)));`;
  return JSON.parse(run(script)) as number[];
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

test('V8 makes nothing old from the start: it does not look at what was made before and has lived long', () => {
  const script = (settled: string) => `import { settleRuntime } from '${source}';
    ${settled};
    const kept = new Array(200_000);
    const make = (index) => [index, { index }, [index]];
    for (let index = 0; index < 1_000_000; index += 1) kept[index % kept.length] = make(index);`;
  const looks = (settled: string) =>
    run(script(settled), '--trace-pretenuring', '--trace-pretenuring-statistics').includes('pretenuring:');
  expect(['', 'settleRuntime(2)', 'settleRuntime(8)'].map(looks)).toEqual([true, false, false]);
});
