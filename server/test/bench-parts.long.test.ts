import { beforeAll, describe, expect, it } from 'vitest';
import { closeAll } from '../../bench/closing.ts';
import { measureCold } from '../../bench/cold.ts';
import { measureDeliveries } from '../../bench/deliveries.ts';
import { measureEvents } from '../../bench/events.ts';
import { measureHashing } from '../../bench/hashing.ts';
import { measureKeys } from '../../bench/keys.ts';
import { measureLog } from '../../bench/log.ts';
import { attacks } from '../../bench/neighbours/attacks.ts';
import { measureNeighbours } from '../../bench/neighbours/neighbours.ts';
import { neighboursSection, worstNeighbour } from '../../bench/neighbours/section.ts';
import { measureTail } from '../../bench/tail.ts';
import { measureUploads } from '../../bench/uploads.ts';
import { buildOnce } from './service-process.ts';

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
  ])('%s: everything is answered well', async (_name, measure) => {
    const found = await measure(0.02).finally(closeAll);
    expect(found.length).toBeGreaterThan(0);
    for (const { name, errors } of found) expect([name, errors]).toEqual([name, 0]);
  });
});
