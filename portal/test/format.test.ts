import { afterEach, describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatExact,
  formatExactBytes,
  formatName,
  formatRelative,
} from '../src/ui/format.ts';
import { setLocale } from '../src/words/locale.ts';

afterEach(() => setLocale('en'));

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [710_912, '711 kB'],
    [999_499, '999 kB'],
    [999_999, '1 MB'],
    [1_250_000, '1.25 MB'],
    [5e12, '5 TB'],
    [Number.MAX_SAFE_INTEGER, '9.01 PB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it('are exact on demand', () => {
    expect([0, 1, 710_912].map(formatExactBytes)).toEqual(['0 bytes', '1 byte', '710,912 bytes']);
  });
});

it('tells times by their distance', () => {
  const now = Date.parse('2026-01-31T12:00:00Z');
  const told = [
    '2026-01-31T11:59:30Z',
    '2026-01-31T11:58:00Z',
    '2026-01-31T14:00:00Z',
    '2026-01-30T11:00:00Z',
    '2024-12-01T00:00:00Z',
    'never',
  ].map((at) => formatRelative(at, now));
  expect(told).toEqual(['just now', '2 minutes ago', 'in 2 hours', '1 day ago', '1 year ago', 'never']);
});

it.each([
  [86_399, 'in 1 day'],
  [86_400 - 1800, 'in 1 day'],
  [86_400 - 1801, 'in 23 hours'],
  [-59 * 60 - 40, '1 hour ago'],
  [-29.5, 'just now'],
  [29 * 86_400, 'in 4 weeks'],
  [31 * 86_400, 'in 1 month'],
  [364 * 86_400, 'in 1 year'],
])('tells %d seconds by the nearest unit: %s', (seconds, told) => {
  const now = Date.parse('2026-01-31T12:00:00Z');
  expect(formatRelative(new Date(now + seconds * 1000).toISOString(), now)).toBe(told);
});

it('tells codes in words, and those that it does not know as they are', () => {
  expect(['IDENTITY_DOCUMENT', 'channel_types', 'NEVER_HEARD', 'constructor'].map(formatName)).toEqual([
    'Identity document',
    'Channel types',
    'Never heard',
    'Constructor',
  ]);
});

it('tells numbers, times and codes in the language of the reader', () => {
  setLocale('zh-CN');
  const now = Date.parse('2026-01-31T12:00:00Z');
  expect([
    formatCount(1_234_567),
    formatExactBytes(710_912),
    formatRelative('2026-01-31T14:00:00Z', now),
    formatRelative('2026-01-31T12:00:01Z', now),
    formatName('IDENTITY_DOCUMENT'),
  ]).toEqual(['1,234,567', '710,912 字节', '2小时后', '刚刚', '身份证件']);
  expect(formatExact('2026-01-31T12:00:00Z')).toMatch(/^2026年1月31日/);
  setLocale('en');
  expect(formatExact('2026-01-31T12:00:00Z')).toMatch(/^Jan 31, 2026/);
});
