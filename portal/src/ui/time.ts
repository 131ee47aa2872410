import { useSyncExternalStore } from 'react';
import { locale } from '../words/locale.ts';

/** Times are told in the zone of the reader, or in the one that the logs of programs speak of. */
export type TimeZone = 'local' | 'UTC';

let zone: TimeZone = 'local';
const listeners = new Set<() => void>();

export const timeZone = (): TimeZone => zone;

export function setTimeZone(to: TimeZone): void {
  if (to === zone) return;
  zone = to;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useTimeZone = (): TimeZone => useSyncExternalStore(subscribe, timeZone);

const toTheMinute = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;
const styles = {
  thisYear: toTheMinute,
  otherYear: { ...toTheMinute, year: 'numeric' },
  exact: { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' },
  year: { year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Dear to make: one for each language, zone and style. */
const made = new Map<string, Intl.DateTimeFormat>();

function formatOf(style: keyof typeof styles): Intl.DateTimeFormat {
  const name = `${locale()} ${zone} ${style}`;
  const options = { ...styles[style], ...(zone === 'UTC' ? { timeZone: 'UTC' } : {}) };
  const format = made.get(name) ?? new Intl.DateTimeFormat(locale(), options);
  made.set(name, format);
  return format;
}

/** To the minute; the year only where it is another one. */
export function formatMoment(iso: string, nowMs: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const year = formatOf('year');
  return formatOf(year.format(at) === year.format(nowMs) ? 'thisYear' : 'otherYear').format(at);
}

/** To the second, with the name of the zone. */
export function formatExact(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? iso : formatOf('exact').format(at);
}
