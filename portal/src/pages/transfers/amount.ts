import { type Locale, locale } from '../../words/locale.ts';

const currencyNames = new Map<Locale, Intl.DisplayNames>();

function namesIn(language: Locale): Intl.DisplayNames {
  const names =
    currencyNames.get(language) ?? new Intl.DisplayNames(language, { type: 'currency', fallback: 'code' });
  currencyNames.set(language, names);
  return names;
}

/** Digit by digit, with the digits that the service gave: a number would round them. */
export function formatAmount(amount: string): string {
  const [whole = '', fraction] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** KWD → Kuwaiti Dinar. */
export function currencyName(code: string): string {
  return /^[A-Z]{3}$/.test(code) ? (namesIn(locale()).of(code) ?? code) : code;
}
