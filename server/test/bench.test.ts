import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ArgumentError, readArguments } from '../../bench/arguments.ts';
import { cases, takesPart } from '../../bench/cases.ts';
import { closeAll } from '../../bench/closing.ts';
import { worstNeighbour } from '../../bench/neighbours/section.ts';
import { measurePortal } from '../../bench/portal.ts';
import { withResults } from '../../bench/readme.ts';
import { Recorder } from '../../bench/recorder.ts';
import { keptResults } from '../../bench/results.ts';
import { buildOnce } from './service-process.ts';
import { patientTimes } from './world.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('arguments of the benchmark', () => {
  it('run everything and keep the results when there are none', () => {
    const { rows, parts, isKept, out } = readArguments([]);
    expect([rows, parts.size, isKept, out]).toEqual([[10_000, 1_000_000, 10_000_000], 20, true, undefined]);
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
      minutes: ['0', '61'],
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
  let stdout: string;
  beforeAll(async () => {
    buildOnce();
    const args = ['--rows', '3000', '--only', 'rows,dense', '--seconds', '0.02', '--out', out];
    const run = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'bench/main.ts', ...args], {
      cwd: root,
      env: { ...process.env, ...patientTimes }, // a machine that is busy with others makes no errors of what is late
    });
    expect(run.stderr).not.toContain('not the same answer');
    stdout = run.stdout;
  }, 1_200_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('compares the middle page of one hour with that of three years', () => {
    expect(stdout).toMatch(
      /\| middle page of 3,000 rows of one hour against as many of three years \| within 3× \| [\d.]+× p50 by one connection, [\d.]+× work by 100 \|/,
    );
    expect(stdout).toMatch(/\| one hour \| 100 \|.*\| 0 \|\n\| three years \| 100 \|.*\| 0 \|/);
  });

  it('writes a line for each case, target and number of connections', () => {
    expect(stdout).toContain('| filtered-middle |');
    const lines = JSON.parse(readFileSync(out, 'utf8')) as Record<string, string | number>[];
    const members = ['target', 'case', 'rows', 'connections', 'p50Ms', 'p99Ms', 'rps', 'errors'];
    for (const line of lines) {
      expect(Object.keys(line)).toEqual(members);
      expect(line['rows']).toBe(3000);
      expect(line['p50Ms']).toBeGreaterThan(0);
    }
    const single = lines.filter(({ connections }) => connections === 1);
    expect(single.filter(({ errors }) => errors !== 0)).toEqual([]);
    const found = lines.map(({ target, case: name, connections }) => `${target} ${name} ${connections}`);
    const wanted = cases.flatMap((each) =>
      [1, 16, 64].flatMap((connections) =>
        ['portico', 'count-offset', 'drizzle', 'node-http', 'sql']
          .filter((target) => takesPart(target, each))
          .map((target) => `${target} ${each.name} ${connections}`),
      ),
    );
    expect(wanted).toContain('drizzle last 64');
    expect(found).toEqual(wanted);
  });
});

describe('the part portal', () => {
  beforeAll(buildOnce);

  it('opens every page in a browser, and finds them painted and still', async () => {
    const found = await measurePortal({ visits: 1 }).finally(closeAll);
    expect(found.map(({ page }) => page)).toEqual(['sign-in', 'overview', 'transfers']);
    for (const { lcpMs, scriptBytes, styleBytes, cls } of found) {
      expect([lcpMs > 0, scriptBytes > 10_000, styleBytes > 1000]).toEqual([true, true, true]);
      expect(cls).toBeLessThan(0.02);
    }
  });
});

describe('the part neighbours', () => {
  it('counts a tenant that nobody answers as slowed beyond measure', () => {
    const served = {
      requests: 9,
      p50Ms: 3,
      p99Ms: 4,
      maxMs: 5,
      limited: 0,
      unavailable: 0,
      other: 0,
      unanswered: 0,
    };
    const alone = { name: 'alone', what: '', probes: [{ probe: 'ping' as const, ...served }] };
    const ruined = { ...served, p50Ms: 0, p99Ms: 0, maxMs: 0, unavailable: 9 };
    const attack = { name: 'crowd', what: '', probes: [{ probe: 'ping' as const, ...ruined }] };
    const perSecond = { answered: 1, limited: 0, unavailable: 0, other: 0, left: 0 };
    const attacked = [{ ...attack, perSecond, recoverySeconds: 1 }];
    const sizes = { victimRows: 1, spreadRows: 1, denseRows: 1, revokedKeys: 1, crowd: 1 };
    const text = worstNeighbour({ ...sizes, buildSeconds: 1, capacity: 1, alone, attacked });
    expect(text).toBe('no measure at worst (ping under crowd), 9 of 9 not answered well');
  });
});
