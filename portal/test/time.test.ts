import { afterEach, describe, expect, it } from 'vitest';
import { formatExact, formatMoment, setTimeZone } from '../src/ui/time.ts';
import { setLocale } from '../src/words/locale.ts';

afterEach(() => {
  setLocale('en');
  setTimeZone('local');
});

const now = Date.parse('2026-11-16T12:00:00Z');

describe('a time in UTC', () => {
  it('is told to the minute, with its year only where that is another one', () => {
    setTimeZone('UTC');
    const told = ['2026-11-16T00:05:59Z', '2025-12-31T23:59:00Z', 'never'].map((at) => formatMoment(at, now));
    expect(told).toEqual(['Nov 16, 00:05', 'Dec 31, 2025, 23:59', 'never']);
    setLocale('zh-CN');
    expect(formatMoment('2025-12-31T23:59:00Z', now)).toBe('2025年12月31日 23:59');
  });

  it('is exact to the second, and says so', () => {
    setTimeZone('UTC');
    expect(formatExact('2026-11-16T00:05:59Z')).toBe('Nov 16, 2026, 00:05:59 UTC');
    expect(formatExact('never')).toBe('never');
  });
});

it('a local time is that of the computer, and another one for another zone', () => {
  const local = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  expect(formatMoment('2026-06-01T10:20:00Z', now)).toContain(
    local.format(Date.parse('2026-06-01T10:20:00Z')),
  );
});
