import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases, takesPart } from '../../bench/cases.ts';
import { closeAll } from '../../bench/closing.ts';
import { measureCold } from '../../bench/cold.ts';
import { measureDeliveries } from '../../bench/deliveries.ts';
import { measureEvents } from '../../bench/events.ts';
import { measureHashing } from '../../bench/hashing.ts';
import { measureKeys } from '../../bench/keys.ts';
import { measureLines } from '../../bench/lines.ts';
import { measureLog } from '../../bench/log.ts';
import { attacks } from '../../bench/neighbours/attacks.ts';
import { measureNeighbours } from '../../bench/neighbours/neighbours.ts';
import { neighboursSection, worstNeighbour } from '../../bench/neighbours/section.ts';
import { measurePortal } from '../../bench/portal.ts';
import { measureRequests } from '../../bench/request-log.ts';
import { measureSigning } from '../../bench/signed-transfers.ts';
import { measureTail } from '../../bench/tail.ts';
import { measureRefusals } from '../../bench/unknown-key-timing.ts';
import { measureUploads } from '../../bench/uploads.ts';
import { measureWrites } from '../../bench/writes.ts';
import { buildOnce } from './service-process.ts';
import { patientTimes } from './world.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('a part of the benchmark', () => {
  beforeAll(buildOnce);

  it('events: pulls pages of few and of many events', async () => {
    const found = await measureEvents([1000, 3000], 3).finally(closeAll);
    expect(found.map(({ events }) => events)).toEqual([1000, 3000]);
    for (const { events: _events, ...times } of found)
      for (const ms of Object.values(times)) expect(ms).toBeGreaterThan(0);
  });

  it('log: measures commands, sealing and pages of a log that the service seals', async () => {
    const found = await measureLog(0.02, 1000).finally(closeAll);
    expect(found.commands.with).toBeGreaterThan(0);
    expect(found.sealing.map(({ records }) => records)).toEqual([100, 1000]);
    const [, last] = found.pages;
    expect(last?.records).toBeGreaterThanOrEqual(750);
  });

  it('hashing: renews a sign-in alone and beside others that sign in, all of them well', async () => {
    const { idle, crowded, signInsPerSecond, refused } = await measureHashing(0.02, {
      signInsAtOnce: 6,
      rounds: 1,
    }).finally(closeAll);
    expect([idle.p50Ms > 0, crowded.p50Ms > 0, signInsPerSecond > 0, refused]).toEqual([true, true, true, 0]);
  });

  it('uploads: uploads files to the service and to a bare server, all of them well', async () => {
    const found = await measureUploads({ sizeMiB: 1, atOnce: 2, rounds: 1 }).finally(closeAll);
    expect(found).toMatchObject({ sizeMiB: 1, atOnce: 2, errors: 0 });
    expect(found.porticoMiBps).toBeGreaterThan(0);
    expect(found.bareMiBps).toBeGreaterThan(0);
  });

  it('deliveries: delivers at once, one by one, beside a receiver that hangs, and after an outage: all of it', async () => {
    const sizes = { channels: 5, bulk: 50, idle: 2, backlog: 30, streamSeconds: 10 };
    const found = await measureDeliveries(0.02, sizes).finally(closeAll);
    expect(found.perSecond).toBeGreaterThan(0);
    const { idle, alive, dead, outage } = found;
    expect([idle, alive, dead, outage.beside].map(({ count }) => count)).toEqual([2, 40, 40, 20]);
    expect(outage.seconds).toBeGreaterThan(0);
  });

  it('neighbours: attacks in every way with requests that the service understands, beside a tenant that is served', async () => {
    const sizes = { victimRows: 100, spreadRows: 300, denseRows: 200, revokedKeys: 20, crowd: 0.02 };
    const found = await measureNeighbours(0.01, sizes, 1).finally(closeAll);
    const names = [...attacks.map(({ name }) => name), 'everything', 'everything-near'];
    expect(found.attacked.map(({ name }) => name)).toEqual(names);
    for (const { name, probes } of [found.alone, ...found.attacked])
      for (const { probe, requests, other } of probes)
        expect([name, probe, requests > 0, other]).toEqual([name, probe, true, 0]);
    const strange = found.attacked.filter(({ perSecond }) => perSecond.other > 0);
    expect(strange.map(({ name }) => name)).toEqual([]);
    expect(found.attacked.some(({ perSecond }) => perSecond.answered > 0)).toBe(true);
    expect(neighboursSection(found).join('\n')).toContain('| everything-near |');
    expect(worstNeighbour(found)).toContain(' at worst (');
  });

  it.each([
    ['keys', measureKeys],
    ['tail', measureTail],
    ['cold', measureCold],
    ['lines', measureLines],
    ['signing', measureSigning],
  ])('%s: everything is answered well', async (_name, measure) => {
    const found = await measure(0.02).finally(closeAll);
    expect(found.length).toBeGreaterThan(0);
    for (const { name, errors } of found) expect([name, errors]).toEqual([name, 0]);
  });

  it('writes: stores rows one by one and at once, with the tally and without', async () => {
    const found = await measureWrites(0.02, 2000).finally(closeAll);
    for (const { with: own, without } of Object.values(found))
      expect([own > 0, without > 0]).toEqual([true, true]);
  });

  it('requests: lists what is signed while more comes', async () => {
    const found = await measureRequests(0.02, 0.02).finally(closeAll);
    expect([found.with.errors, found.without.errors]).toEqual([0, 0]);
    for (const { rows, middleMs } of found.slices) expect([rows > 0, middleMs > 0]).toEqual([true, true]);
  });

  it('refusals: refuses wrong signatures of known and unknown keys in turn', async () => {
    const found = await measureRefusals({ live: 20, test: 10 }).finally(closeAll);
    expect(found.map(({ kind, samples }) => [kind, samples])).toEqual([
      ['live', 20],
      ['test', 10],
    ]);
    for (const { known, unknown } of found)
      expect([known.median > 0, unknown.median > 0]).toEqual([true, true]);
  });

  it('portal: opens every page in a browser, and finds them painted and still', async () => {
    const found = await measurePortal({ visits: 1 }).finally(closeAll);
    expect(found.map(({ page }) => page)).toEqual(['sign-in', 'overview', 'transfers']);
    for (const { lcpMs, scriptBytes, styleBytes, cls } of found) {
      expect([lcpMs > 0, scriptBytes > 10_000, styleBytes > 1000]).toEqual([true, true, true]);
      expect(cls).toBeLessThan(0.02);
    }
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
