const dayMs = 86_400_000;
const midnight = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** A day that exists, as a date input writes it; of a year that nobody is in the middle of typing. */
export function isDay(text: string): boolean {
  if (!/^(19[7-9]\d|2\d{3})-\d{2}-\d{2}$/.test(text)) return false;
  const at = midnight(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Days are of UTC and both belong to the range: the service is asked for what is before the day after the last. */
export const startOfDay = (day: string): string => new Date(midnight(day)).toISOString();
export const endOfDay = (day: string): string => new Date(midnight(day) + dayMs).toISOString();

export const periods = ['today', 'yesterday', 'days7', 'days30', 'month', 'lastMonth'] as const;
export type Period = (typeof periods)[number];
export type Days = { from?: string | undefined; to?: string | undefined };

/** A period as days of UTC, today included. */
export function daysOf(period: Period, nowMs: number): Required<Days> {
  const today = dayOf(nowMs);
  const [year, month] = [new Date(nowMs).getUTCFullYear(), new Date(nowMs).getUTCMonth()];
  const before = (count: number) => dayOf(nowMs - count * dayMs);
  switch (period) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: before(1), to: before(1) };
    case 'days7':
      return { from: before(6), to: today };
    case 'days30':
      return { from: before(29), to: today };
    case 'month':
      return { from: dayOf(Date.UTC(year, month, 1)), to: today };
    case 'lastMonth':
      return { from: dayOf(Date.UTC(year, month - 1, 1)), to: dayOf(Date.UTC(year, month, 0)) };
  }
}

/** The period that these days are today; undefined: none. */
export function periodOf({ from, to }: Days, nowMs: number): Period | undefined {
  return periods.find((period) => {
    const days = daysOf(period, nowMs);
    return days.from === from && days.to === to;
  });
}
