import { describe, expect, it } from 'vitest';
import { formatBytes, formatExactBytes, formatName, formatRelative } from '../src/ui/format.ts';

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

it('tells codes in words', () => {
  expect(formatName('IDENTITY_DOCUMENT')).toBe('Identity document');
});
