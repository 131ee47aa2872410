import currencyData from 'cldr-core/supplemental/currencyData.json' with { type: 'json' };
import * as listed from 'dinero.js/currencies';

type Tender = { _to?: string; _tender?: string };
type CurrencyData = { region: Record<string, Record<string, Tender>[]> };

/** What ISO 4217 still lists though it ended before this, it lists on purpose. */
const knownSince = '2020';

/** The last day on which each currency that has ended was money somewhere. */
function endsOf({ region }: CurrencyData): Map<string, string> {
  const ends = new Map<string, string>();
  const tenders = Object.values(region)
    .flat()
    .flatMap((each) => Object.entries(each));
  for (const [code, { _to: to = '9999', _tender: tender }] of tenders) {
    const day = tender === 'false' ? '0000' : to;
    if (day > (ends.get(code) ?? '')) ends.set(code, day);
  }
  return new Map([...ends].filter(([, day]) => day > '0000' && day < '9999'));
}

const quoted = (entries: readonly (readonly [string, string | number])[]) =>
  [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, value]) => `  ${code}: ${JSON.stringify(value).replaceAll('"', "'")},\n`)
    .join('');

export const currenciesFile = new URL('../server/src/transfers/currencies.ts', import.meta.url);

/**
 * ISO 4217 as dinero.js keeps it, without what has ended since, which CLDR knows first. ISO 4217 gives two digits to the currencies
 * whose smaller unit is a fifth, for which dinero.js has a base of five.
 */
export function currenciesText(): string {
  const ends = endsOf(currencyData.supplemental.currencyData as unknown as CurrencyData); // typed by its own keys
  const current = Object.values(listed)
    .filter(({ code }) => (ends.get(code) ?? '') < knownSince)
    .map(({ code, base, exponent }) => [code, base === 10 ? exponent : 2] as const);
  const codes = new Set<string>(current.map(([code]) => code));
  const withdrawn = [...ends].filter(([code]) => !codes.has(code));
  return `// Made by npm run currencies, from what dinero.js and CLDR know. docs/decisions/0047-transfers-move.md says why from both.

/** The currencies of ISO 4217, and how many digits an amount has after the point. */
export const currencyDigits: Readonly<Record<string, number>> = {
${quoted(current)}};

/** Those that are no more, and their last day. */
export const withdrawnCurrencies: Readonly<Record<string, string>> = {
${quoted(withdrawn)}};
`;
}
