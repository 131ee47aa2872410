import { defineRule } from './validate.ts';

const shape =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** The day must exist: a parser would take 30 February for 2 March. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Years 1 to 9999 also in UTC, so that every place that reads the time can write it. */
function isCommon(text: string): boolean {
  return /^(?!0000)\d{4}-/.test(new Date(epochMsOf(text)).toISOString());
}

export const isDateTime = defineRule('dateTime', (text) => {
  const [, year, month, day] = shape.exec(text) ?? [];
  return isDay(Number(year), Number(month), Number(day)) && isCommon(text)
    ? undefined
    : 'must be an ISO 8601 date and time with an offset, such as 2025-01-31T00:00:00Z, in the years 1 to 9999';
});

/** Epoch milliseconds. Stored times are whole milliseconds, so rounding up keeps both >= and < exact. */
export function epochMsOf(text: string): number {
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  const whole = Date.parse(text.replace(/\.\d+/, `.${fraction.slice(0, 3).padEnd(3, '0')}`));
  return /[1-9]/.test(fraction.slice(3)) ? whole + 1 : whole;
}
