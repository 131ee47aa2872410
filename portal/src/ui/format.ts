import { type Locale, locale } from '../words/locale.ts';
import { nameWords } from '../words/names.ts';
import { uiWords } from '../words/ui.ts';

// Told together with how far away it is, by most who tell it.
export { formatExact } from './time.ts';

/** Made once for each language: making one costs more than all that it formats. */
function byLocale<Formatter>(make: (to: Locale) => Formatter): () => Formatter {
  const made = new Map<Locale, Formatter>();
  return () => {
    const found = made.get(locale()) ?? make(locale());
    made.set(locale(), found);
    return found;
  };
}

const relativeTime = byLocale((to) => new Intl.RelativeTimeFormat(to, { numeric: 'always' }));
const wholeNumber = byLocale((to) => new Intl.NumberFormat(to));

/** From the shortest on. */
const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
  ['week', 604_800],
  ['month', 2_629_800],
  ['year', 31_557_600],
];

export const formatCount = (count: number): string => wholeNumber().format(count);

/** The unit in which a time is told: a day that began a moment ago is a day, and not 23 hours. */
function stepOf(seconds: number): number {
  const isShort = (at: number) => {
    const [, size] = steps[at] ?? ['second', 1];
    const [, next = Number.POSITIVE_INFINITY] = steps[at + 1] ?? [];
    return seconds < next && Math.round(seconds / size) * size < next;
  };
  return steps.findIndex((_, at) => isShort(at));
}

/** "3 months ago", "in 2 hours", "just now". */
export function formatRelative(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000;
  if (Number.isNaN(seconds)) return iso;
  const [unit, size] = steps[stepOf(Math.abs(seconds))] ?? ['second', 1];
  if (unit === 'second') return uiWords.justNow;
  return relativeTime().format(Math.sign(seconds) * Math.round(Math.abs(seconds) / size), unit);
}

const inUnit = (unit: 'millisecond' | 'second') =>
  byLocale(
    (to) =>
      new Intl.NumberFormat(to, { style: 'unit', unit, unitDisplay: 'short', maximumSignificantDigits: 3 }),
  );
const milliseconds = inUnit('millisecond');
const seconds = inUnit('second');

/** "10.4 ms", "1.25 sec". */
export const formatDuration = (ms: number): string =>
  ms < 1000 ? milliseconds().format(ms) : seconds().format(ms / 1000);

const units = ['kB', 'MB', 'GB', 'TB', 'PB'];

/** Decimal units with at most three digits: "711 kB", "1.25 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const step = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  const scaled = Number((bytes / 1000 ** step).toPrecision(3));
  // 999 999 bytes round up to the next unit.
  const [value, unit] = scaled >= 1000 && step < units.length ? [scaled / 1000, step] : [scaled, step - 1];
  return `${value} ${units[unit]}`;
}

export const formatExactBytes = (bytes: number): string => uiWords.bytes(bytes, formatCount(bytes));

const names: Readonly<Record<string, string>> = nameWords;

/** IDENTITY_DOCUMENT → Identity document. A code that the catalogue does not have is told as it is. */
export function formatName(code: string): string {
  if (Object.hasOwn(names, code.toUpperCase())) return names[code.toUpperCase()] ?? code;
  const told = code.toLowerCase().replaceAll('_', ' ');
  return `${told.charAt(0).toUpperCase()}${told.slice(1)}`;
}
