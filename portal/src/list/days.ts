const dayMs = 86_400_000;
const midnight = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** A day that exists, as a date input writes it; of a year that nobody is in the middle of typing. */
export function isDay(text: string): boolean {
  if (!/^(19[7-9]\d|2\d{3})-\d{2}-\d{2}$/.test(text)) return false;
  const at = midnight(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Days are of UTC and both belong to the range: the service is asked for what is before the day after the last. */
export const startOfDay = (day: string): string => new Date(midnight(day)).toISOString();
export const endOfDay = (day: string): string => new Date(midnight(day) + dayMs).toISOString();
