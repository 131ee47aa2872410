import { describe, expect, it } from 'vitest';
import { accepts, chooseEncoding, isKnownTag } from './negotiate.ts';

const problem = 'application/problem+json';
const body = Buffer.from('');
const bodies = { identity: body, br: body, gzip: body };

describe('what a client takes', () => {
  it.each([
    [undefined, 'identity'],
    ['*', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['*;q=0', 'identity'],
    ['BR', 'br'],
    ['br;q=junk', 'identity'],
    ['deflate', 'identity'],
  ])('as encoding, %s, is %s', (accepted, encoding) => {
    expect(chooseEncoding(accepted, bodies)).toBe(encoding);
  });

  it.each([
    [undefined, false],
    [`text/html, ${problem};charset=utf-8 , */*`, true],
    [problem.toUpperCase(), true],
    [`${problem};q=0.000`, false],
    ['*/*', false],
  ])('as media type, %s, includes a problem: %s', (accept, isTaken) => {
    expect(accepts(accept, problem)).toBe(isTaken);
  });
});

describe('a header of 30,000 members', () => {
  const long = (separator: string, last: string) => `${separator.repeat(30_000)}${last}`;

  it('is read no further than a client has something to say', () => {
    for (const separator of [',', ',;', ' ,']) {
      expect(accepts(long(separator, problem), problem)).toBe(false);
      expect(chooseEncoding(long(separator, 'gzip'), bodies)).toBe('identity');
      expect(isKnownTag(long(separator, '"tag"'), '"tag"')).toBe(false);
    }
  });
});
