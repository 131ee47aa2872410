import type { Overview } from '@portico/sdk/portal';
import { timeZone } from '../../ui/time.ts';
import { locale } from '../../words/locale.ts';

const daySeconds = 86_400;

/** Whole days are of UTC, whatever the clock of the reader. */
function formatOf(options: Intl.DateTimeFormatOptions, intervalSeconds: number): Intl.DateTimeFormat {
  const isUtc = intervalSeconds >= daySeconds || timeZone() === 'UTC';
  return new Intl.DateTimeFormat(locale(), { ...options, ...(isUtc ? { timeZone: 'UTC' } : {}) });
}

const day = { month: 'short', day: 'numeric' } as const;
const minute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** The time of a point in full: "Nov 16, 14:00 – 15:00", or the day. */
export function pointText(at: string, intervalSeconds: number): string {
  const start = Date.parse(at);
  if (intervalSeconds >= daySeconds)
    return formatOf({ ...day, weekday: 'short' }, intervalSeconds).format(start);
  return formatOf({ ...day, ...minute }, intervalSeconds).formatRange(start, start + intervalSeconds * 1000);
}

/** Below the chart, where there is little room: the hour, or the day. */
export function axisText(at: string, intervalSeconds: number): string {
  return formatOf(intervalSeconds <= 3600 ? minute : day, intervalSeconds).format(Date.parse(at));
}

/** Points that may have a label: all, or where several are of one day, the first of it. */
export function labelCandidates({ series, intervalSeconds }: Overview): number[] {
  const every = series.map((_, index) => index);
  if (intervalSeconds <= 3600 || intervalSeconds >= daySeconds) return every;
  const days = series.map(({ at }) => axisText(at, intervalSeconds));
  return every.filter((index) => days[index] !== days[index - 1]);
}
