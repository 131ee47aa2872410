import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ArgumentError, readArguments } from '../../bench/arguments.ts';
import { cases } from '../../bench/cases.ts';
import { withResults } from '../../bench/readme.ts';
import { Recorder } from '../../bench/recorder.ts';
import { keptResults } from '../../bench/results.ts';
import { buildOnce } from './service-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('arguments of the benchmark', () => {
  it('run everything and keep the results when there are none', () => {
    const { rows, parts, isKept, out } = readArguments([]);
    expect([rows, parts.size, isKept, out]).toEqual([[10_000, 1_000_000, 10_000_000], 8, true, undefined]);
  });

  it('measure the sizes of --rows alone, and keep nothing', () => {
    const { rows, parts, isKept, out } = readArguments(['--rows', '1000000,10000', '--out', 'x.json']);
    expect([rows, [...parts], isKept]).toEqual([[10_000, 1_000_000], ['rows'], false]);
    expect(out).toMatch(/\/x\.json$/);
  });

  it('are refused in one line that names the mistake', () => {
    const wrong = {
      rows: ['', '0', '1e4', '-5', '10,', '10000 ', '1000000001'],
      seconds: ['0', '-1', 'x', '61', ''],
      only: ['', 'nothing', 'rows,'],
      out: ['/nowhere/at/all.json'],
    };
    for (const [name, values] of Object.entries(wrong))
      for (const value of values) {
        const read = () => readArguments([`--${name}=${value}`]);
        expect(read, `--${name}=${value}`).toThrow(ArgumentError);
        expect(read).toThrow(new RegExp(`^--${name}[^\n]*$`));
      }
    for (const args of [['--nothing'], ['stray'], ['--rows']])
      expect(() => readArguments(args)).toThrow(ArgumentError);
    expect(() => readArguments(['--only', 'writes', '--out', 'x.json'])).toThrow(ArgumentError);
  });
});

describe('bench/README.md', () => {
  it('shows the results that are kept', () => {
    const text = readFileSync(new URL('../../bench/README.md', import.meta.url), 'utf8');
    expect(withResults(text, keptResults())).toBe(text);
  });
});

describe('a measurement', () => {
  it('counts what was not answered in the end with the time it had waited', async () => {
    const recorder = new Recorder<string>({ connections: 3, seconds: 0 });
    recorder.add('fast', true, 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { p50Ms, isAtLeast, errors } = recorder.result();
    expect(p50Ms).toBeGreaterThan(40);
    expect([isAtLeast, errors]).toEqual([true, 0]);
  });
});

describe('a run of the benchmark', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-out-'));
  const out = join(folder, 'out.json');
  beforeAll(buildOnce);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes a line for each case, target and number of connections', async () => {
    const args = ['--rows', '1000', '--seconds', '0.02', '--out', out];
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'bench/main.ts', ...args],
      { cwd: root },
    );
    expect(stdout).toContain('| filtered-middle |');
    expect(stderr).not.toContain('not the same answer');
    const lines = JSON.parse(readFileSync(out, 'utf8')) as Record<string, string | number>[];
    const members = ['target', 'case', 'rows', 'connections', 'p50Ms', 'p99Ms', 'rps', 'errors'];
    for (const line of lines) {
      expect(Object.keys(line)).toEqual(members);
      expect(line['rows']).toBe(1000);
      expect(line['p50Ms']).toBeGreaterThan(0);
    }
    const single = lines.filter(({ connections }) => connections === 1);
    expect(single.filter(({ errors }) => errors !== 0)).toEqual([]);
    const found = lines.map(({ target, case: name, connections }) => `${target} ${name} ${connections}`);
    const wanted = cases.flatMap(({ name }) =>
      [1, 16, 64].flatMap((connections) =>
        ['portico', 'count-offset', 'node-http', 'sql'].map((target) => `${target} ${name} ${connections}`),
      ),
    );
    expect(found).toEqual(wanted);
  }, 120_000);
});
