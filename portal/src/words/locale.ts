import { type MailLocale, mailLocales } from '@portico/sdk/portal';

/** The languages that the portal speaks are those that people are written to in. */
export type Locale = MailLocale;

let current: Locale = 'en';
const listeners = new Set<() => void>();

export const locale = (): Locale => current;

/** All that is shown is shown anew. */
export function setLocale(to: Locale): void {
  if (typeof document !== 'undefined') document.documentElement.lang = to;
  if (to === current) return;
  current = to;
  for (const listener of listeners) listener();
}

export function subscribeLocale(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The first of the wanted languages that the portal speaks, in whatever region. */
export function nearestLocale(wanted: readonly string[]): Locale {
  for (const each of wanted) {
    const language = each.toLowerCase().split('-')[0];
    const found = mailLocales.find((known) => known.split('-')[0] === language);
    if (found !== undefined) return found;
  }
  return 'en';
}
