const currencyNames = new Intl.DisplayNames('en', { type: 'currency', fallback: 'code' });

/** Digit by digit, with the digits that the service gave: a number would round them. */
export function formatAmount(amount: string): string {
  const [whole = '', fraction] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** KWD → Kuwaiti Dinar. */
export function currencyName(code: string): string {
  return /^[A-Z]{3}$/.test(code) ? (currencyNames.of(code) ?? code) : code;
}
