import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ArgumentError, readArguments } from '../../bench/arguments.ts';
import { worstNeighbour } from '../../bench/neighbours/section.ts';
import { withResults } from '../../bench/readme.ts';
import { Recorder } from '../../bench/recorder.ts';
import { keptResults } from '../../bench/results.ts';

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

describe('the part neighbours', () => {
  it('counts a tenant that nobody answers as slowed beyond measure', () => {
    const served = {
      requests: 9,
      stolen: 0,
      p50Ms: 3,
      p99Ms: 4,
      maxMs: 5,
      limited: 0,
      unavailable: 0,
      other: 0,
      unanswered: 0,
    };
    const alone = { name: 'alone', what: '', used: 0.3, probes: [{ probe: 'ping' as const, ...served }] };
    const ruined = { ...served, p50Ms: 0, p99Ms: 0, maxMs: 0, unavailable: 9 };
    const attack = { name: 'crowd', what: '', used: 0.9, probes: [{ probe: 'ping' as const, ...ruined }] };
    const perSecond = { answered: 1, limited: 0, unavailable: 0, other: 0, left: 0 };
    const attacked = [{ ...attack, beginning: [], perSecond, recoverySeconds: 1 }];
    const sizes = { victimRows: 1, spreadRows: 1, denseRows: 1, revokedKeys: 1, crowd: 1 };
    const built = { ...sizes, buildSeconds: 1, capacity: 1, isApart: true };
    const text = worstNeighbour({ ...built, alone, beside: alone, attacked });
    expect(text).toBe('no measure at worst (ping under crowd), 9 of 9 not answered well');
  });
});
