import type { Overview } from '@portico/sdk/portal';
import { afterEach, describe, expect, it } from 'vitest';
import { labelled, linesOf } from '../src/pages/overview/scale.ts';
import { axisText, labelCandidates, pointText } from '../src/pages/overview/time-text.ts';
import { setTimeZone } from '../src/ui/time.ts';
import { setLocale } from '../src/words/locale.ts';

describe('the lines of a chart', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [100, [0, 50, 100]],
    [732, [0, 200, 400, 600, 800]],
    [1_000_000, [0, 500_000, 1_000_000]],
  ])('for at most %d are whole and round: %j', (most, lines) => {
    expect(linesOf(most)).toEqual(lines);
  });

  it('always hold what is drawn, and are few', () => {
    for (let most = 0; most < 5000; most += 7) {
      const lines = linesOf(most);
      expect(lines.at(-1)).toBeGreaterThanOrEqual(most);
      expect(lines.length).toBeLessThanOrEqual(6);
    }
  });
});

describe('the labels of a chart', () => {
  const every = Array.from({ length: 24 }, (_, index) => index);

  it('never touch, and the last point has one', () => {
    for (const slot of [2, 9, 30, 64, 200]) {
      const kept = labelled(every, slot, 64);
      expect(kept.at(-1)).toBe(23);
      for (const [place, index] of kept.entries())
        if (place > 0) expect((index - (kept[place - 1] ?? 0)) * slot).toBeGreaterThanOrEqual(64);
    }
  });

  it('are none where there is nothing', () => {
    expect(labelled([], 10, 64)).toEqual([]);
  });
});

/** Six-hour points from a time on. */
function overviewFrom(at: string, intervalSeconds: number, count: number): Overview {
  const start = Date.parse(at);
  const series = Array.from({ length: count }, (_, index) => ({
    at: new Date(start + index * intervalSeconds * 1000).toISOString(),
    ok: 0,
    refused: 0,
    failed: 0,
  }));
  return {
    from: at,
    to: series.at(-1)?.at ?? at,
    intervalSeconds,
    totals: { calls: 0, refused: 0, failed: 0 },
    series,
    codes: [],
    keys: [],
    latency: { p50Ms: null, p95Ms: null },
    attention: [],
  };
}

describe('times of points', () => {
  afterEach(() => {
    setTimeZone('local');
    setLocale('en');
  });

  it('have a label at the first point of each day, where a day has several', () => {
    setTimeZone('UTC');
    expect(labelCandidates(overviewFrom('2026-11-09T18:00:00Z', 21_600, 10))).toEqual([0, 1, 5, 9]);
    expect(labelCandidates(overviewFrom('2026-11-09T18:00:00Z', 3600, 3))).toEqual([0, 1, 2]);
  });

  it('are told in the language and the zone of the reader', () => {
    setTimeZone('UTC');
    const at = '2026-11-16T14:00:00.000Z';
    expect(axisText(at, 3600)).toBe('14:00');
    expect(pointText(at, 3600).replaceAll(/\s/g, ' ')).toBe('Nov 16, 14:00 – 15:00');
    setLocale('zh-CN');
    expect(axisText(at, 86_400)).toBe('11月16日');
    expect(pointText(at, 86_400)).toContain('11月16日');
  });

  it('are days of UTC where a point is a day, whatever the zone', () => {
    setTimeZone('local');
    expect(axisText('2026-11-16T00:00:00.000Z', 86_400)).toBe('Nov 16');
  });
});
