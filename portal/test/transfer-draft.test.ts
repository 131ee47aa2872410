import { describe, expect, it } from 'vitest';
import { newTransferOf, outcomeText } from '../src/pages/transfers/draft.ts';

describe('what becomes of a TEST transfer', () => {
  it.each([
    ['13.00', /fails/],
    ['1913', /fails/],
    ['217.50', /stays pending/],
    ['19.00', /stays processing/],
    ['0.13', /completes/],
    ['130.00', /completes/],
    ['3.13', /completes/],
    ['', /completes/],
    ['x13', /completes/],
  ])('is told by the digits before the point: %s', (amount, told) => {
    expect(outcomeText(amount)).toMatch(told);
  });
});

describe('a new transfer', () => {
  it('is sent as it was typed, without a reference that was not', () => {
    const typed = { amount: ' 1.50', currency: 'USD', reference: ' ', mode: 'TEST' } as const;
    expect(newTransferOf(typed)).toEqual({ amount: ' 1.50', currency: 'USD', reference: ' ', mode: 2 });
    expect(newTransferOf({ ...typed, reference: '', mode: 'LIVE' })).toEqual({
      amount: ' 1.50',
      currency: 'USD',
      mode: 1,
    });
  });
});
