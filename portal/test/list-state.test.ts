import { describe, expect, it } from 'vitest';
import { defaultSize, defineList, rangeText, readListState, writeListState } from '../src/list/url-state.ts';

const list = defineList<'name' | 'createdAt', 'status'>({
  sortable: ['name', 'createdAt'],
  defaultSort: { field: 'createdAt', direction: 'desc' },
  filters: { status: ['ACTIVE', 'CLOSED'] },
});
const usual = { page: 1, size: defaultSize, sort: list.defaultSort, filters: {} };
const read = (search: string) => readListState(list, new URLSearchParams(search));

describe('the state of a list', () => {
  it('is read from the address', () => {
    expect(read('page=3&size=50&sort=name,asc&status=ACTIVE')).toEqual({
      page: 3,
      size: 50,
      sort: { field: 'name', direction: 'asc' },
      filters: { status: 'ACTIVE' },
    });
  });

  it.each([
    '',
    'page=0&size=0',
    'page=-1&size=-5',
    'page=1e9&size=1000000',
    'page=99999999999999999999',
    'page=%00&size=NaN&sort=,,,&status=',
    'sort=__proto__,asc',
    'sort=name',
    'sort=name,sideways',
    'status=GONE&constructor=x&toString=y',
  ])('is the usual one where the address says %s', (search) => {
    expect(read(search)).toEqual(usual);
  });

  it('is written so that it is read again, without what is usual, and beside what is not its own', () => {
    const state = {
      page: 2,
      size: 10,
      sort: { field: 'name', direction: 'desc' },
      filters: { status: 'CLOSED' },
    } as const;
    const written = writeListState(list, state, new URLSearchParams('workspace=W&page=9'));
    expect(readListState(list, written)).toEqual(state);
    expect(written.get('workspace')).toBe('W');
    expect(String(writeListState(list, usual, written))).toBe('workspace=W');
  });
});

it('says which rows of how many are shown', () => {
  expect(rangeText(1, 20, 10_000)).toBe('1–20 of 10,000');
  expect(rangeText(13, 20, 250)).toBe('241–250 of 250');
  expect(rangeText(14, 20, 250)).toBe('0 of 250');
  expect(rangeText(1, 20, 0)).toBe('0 of 0');
});
