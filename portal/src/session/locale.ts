import type { Me } from '@portico/sdk/portal';
import { useEffect, useSyncExternalStore } from 'react';
import { type Locale, locale, nearestLocale, setLocale, subscribeLocale } from '../words/locale.ts';
import { storage } from './storage.ts';

const key = 'locale';

/** For who is not signed in yet: what was chosen in this browser, then what the browser asks for. */
export function startLocale(): void {
  const kept = storage.get(key);
  setLocale(nearestLocale([...(kept === null ? [] : [kept]), ...navigator.languages]));
}

export function chooseLocale(to: Locale): void {
  storage.set(key, to);
  setLocale(to);
}

/** The language of the account wins over that of the browser, on this page and at the next visit. */
export function useLocaleOf(me: Me | undefined): void {
  const own = me?.account.locale;
  useEffect(() => {
    if (own !== undefined) chooseLocale(nearestLocale([own]));
  }, [own]);
}

export const useLocale = (): Locale => useSyncExternalStore(subscribeLocale, locale);
