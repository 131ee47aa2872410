const locale = 'en';
const exactTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });
const relativeTime = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
const wholeNumber = new Intl.NumberFormat(locale);

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

export const formatCount = (count: number): string => wholeNumber.format(count);

/** "3 months ago", "in 2 hours", "just now". */
export function formatRelative(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000;
  if (Number.isNaN(seconds)) return iso;
  const step = steps.find(([, size]) => Math.abs(seconds) >= size);
  return step === undefined ? 'just now' : relativeTime.format(Math.trunc(seconds / step[1]), step[0]);
}

/** To the second, in the time zone of the reader. */
export function formatExact(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? iso : exactTime.format(at);
}

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

export const formatExactBytes = (bytes: number): string =>
  `${formatCount(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;

/** IDENTITY_DOCUMENT → Identity document. */
export function formatName(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
