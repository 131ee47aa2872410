import { Type } from 'typebox';
import { type FieldError, invalidFields } from '../contract/api-error.ts';
import { isShowable } from '../contract/plain-text.ts';
import { defineRule } from '../contract/validate.ts';
import { currencyDigits, withdrawnCurrencies } from './currencies.ts';

const wholeDigitsMax = 15;
export const referenceMax = 140;

/** No parser reads an amount: it is text from the client to the database. */
const decimal = /^([0-9]+)(?:\.([0-9]+))?$/;

const isAmount = defineRule('amount', (text) => {
  const [, whole, fraction = ''] = decimal.exec(text) ?? [];
  if (/^-[0-9.]+$/.test(text)) return 'must be greater than 0';
  if (whole === undefined) return 'must be a decimal number in the digits 0 to 9, such as 12.50';
  if (!/[1-9]/.test(whole + fraction)) return 'must be greater than 0';
  const plain = whole.replace(/^0+(?=.)/, '');
  if (plain.length > wholeDigitsMax) return `must have at most ${wholeDigitsMax} digits before the point`;
  if (plain !== whole)
    return `must not begin with a 0 that means nothing: ${text.slice(whole.length - plain.length)}`;
  return undefined;
});

const isCurrency = defineRule('currency', (code) => {
  if (Object.hasOwn(currencyDigits, code)) return undefined;
  if (Object.hasOwn(withdrawnCurrencies, code))
    return `must be a currency that is in use: ${code} was withdrawn, its last day was ${withdrawnCurrencies[code]}`;
  const capitals = code.toUpperCase();
  return `must be a code of ISO 4217, such as ${Object.hasOwn(currencyDigits, capitals) ? capitals : 'USD'}`;
});

export const Amount = Type.String({
  ...isAmount,
  maxLength: 32,
  description:
    'Decimal, greater than 0, with at most 15 digits before the point and exactly those of its currency after it.',
  examples: ['1250.00'],
});

export const Currency = Type.String({
  ...isCurrency,
  description: 'ISO 4217 code of a currency that is in use.',
  examples: ['USD'],
});

export const Reference = Type.String({
  ...isShowable,
  maxLength: referenceMax,
  description: 'What the sender writes to it.',
  examples: ['Invoice 2025-118'],
});

const countOf = (digits: number) => (digits === 0 ? 'no digits' : `exactly ${digits} digits`);

/** What is wrong with the digits of an amount in its currency, both of which passed their schemas. */
function digitsFault(amount: string, currency: string): string | undefined {
  const digits = currencyDigits[currency] ?? 2;
  const [, whole = '', fraction = ''] = decimal.exec(amount) ?? [];
  if (fraction.length === digits) return undefined;
  const right = fraction.padEnd(digits, '0').slice(0, digits);
  return `must have ${countOf(digits)} after the point in ${currency}, as in ${right === '' ? whole : `${whole}.${right}`}`;
}

/** Refuses an amount that its currency does not have. */
export function requireDigits({ amount, currency }: { amount: string; currency: string }): void {
  const message = digitsFault(amount, currency);
  const fault: FieldError = { field: 'amount', message: message ?? '' };
  if (message !== undefined) throw invalidFields('4000', [fault]);
}
