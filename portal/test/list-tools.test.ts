import { describe, expect, it } from 'vitest';
import { daysOf, isDay, periodOf, periods } from '../src/list/days.ts';
import { stepOf } from '../src/list/use-roving-rows.ts';
import { paramsOf, readViews, viewOf, viewsMax, withView } from '../src/list/views.ts';

const now = Date.parse('2026-03-01T00:30:00Z');
const later = Date.parse('2026-03-11T23:00:00Z');

describe('a period', () => {
  it('is of whole days of UTC, today among them', () => {
    expect(Object.fromEntries(periods.map((each) => [each, Object.values(daysOf(each, now))]))).toEqual({
      today: ['2026-03-01', '2026-03-01'],
      yesterday: ['2026-02-28', '2026-02-28'],
      days7: ['2026-02-23', '2026-03-01'],
      days30: ['2026-01-31', '2026-03-01'],
      month: ['2026-03-01', '2026-03-01'],
      lastMonth: ['2026-02-01', '2026-02-28'],
    });
    expect(daysOf('lastMonth', Date.parse('2026-01-15T00:00:00Z')).from).toBe('2025-12-01');
    for (const each of periods)
      expect(Object.values(daysOf(each, now)).every((day) => isDay(day ?? ''))).toBe(true);
  });

  it('is known by its days', () => {
    expect(periodOf(daysOf('days7', now), now)).toBe('days7');
    expect(periodOf({ from: '2026-02-23' }, now)).toBeUndefined();
    expect(periodOf({}, now)).toBeUndefined();
  });
});

describe('a saved view', () => {
  const saved = viewOf(
    'Failed',
    new URLSearchParams(
      'workspace=A&status=FAILED&page=4&transfer=T&mode=TEST&from=2026-02-23&to=2026-03-01',
    ),
    now,
  );

  it('leaves out where one was in it, and moves its period on with the calendar', () => {
    const shown = paramsOf(saved, new URLSearchParams('workspace=B&currency=EUR'), later);
    expect(Object.fromEntries(shown)).toEqual({
      status: 'FAILED',
      mode: 'TEST',
      from: '2026-03-05',
      to: '2026-03-11',
      workspace: 'B',
    });
  });

  it('replaces one of the same name', () => {
    const twice = withView(withView([], saved), { name: 'Failed', search: 'x=1' });
    expect(twice).toEqual([{ name: 'Failed', search: 'x=1' }]);
  });

  it.each(['', '{', 'null', '5', '{"name":"x"}', '[null,1,"x",{"name":1,"search":"a"}]'])(
    'is not there where the browser kept %j',
    (text) => {
      expect(readViews(text)).toEqual([]);
    },
  );

  it('is one of few, whatever the browser kept', () => {
    const many = JSON.stringify(Array.from({ length: 500 }, (_, at) => ({ name: `${at}`, search: '' })));
    expect(readViews(many)).toHaveLength(viewsMax);
    expect(readViews(JSON.stringify([saved]))).toEqual([saved]);
  });

  it('of a period that nobody knows shows the days that were kept', () => {
    const views = readViews('[{"name":"x","search":"from=2026-01-01","period":"constructor"}]');
    expect(views).toEqual([{ name: 'x', search: 'from=2026-01-01' }]);
  });
});

it('arrow keys go from row to row and along one, and never out of the table', () => {
  const at = { row: 1, place: 1 };
  const keys = ['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'Home', 'End', 'Enter'];
  expect(keys.map((key) => stepOf(key, at, 2))).toEqual([
    { row: 1, place: 1 },
    { row: 0, place: 1 },
    { row: 1, place: 2 },
    { row: 1, place: 0 },
    { row: 0, place: 0 },
    { row: 1, place: 0 },
    undefined,
  ]);
});
