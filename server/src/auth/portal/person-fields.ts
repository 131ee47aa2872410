import { Type } from 'typebox';
import { isMailAddress } from '../../contract/mail-address.ts';
import { isShowable, unprintable } from '../../contract/plain-text.ts';
import { defineRule } from '../../contract/validate.ts';
import { locales } from '../../mail/kinds.ts';

const isEmail = defineRule('email', (text) =>
  isMailAddress(text) ? undefined : 'must be an e-mail address such as name@example.com',
);

const nameMax = 128;

/** What someone else says a person is called, as a name may be; empty when nothing is left of it. */
export function cleanName(text: string): string {
  const words = text.toWellFormed().normalize('NFC').split(unprintable).join(' ').trim();
  return [...words].slice(0, nameMax).join('').trim();
}

/** As it is typed; two that differ in capitals alone are the same. */
export const EmailAddress = Type.String({
  ...isEmail,
  maxLength: 254,
  description: 'E-mail address; capitals do not matter.',
  examples: ['colleague@example.com'],
});

export const PersonName = Type.String({
  ...isShowable,
  maxLength: nameMax,
  description: 'Name of the person.',
  examples: ['Ada Lovelace'],
});

export const AccountLocale = Type.String({
  enum: [...locales],
  description: 'Language in which the account is written to.',
  examples: ['en'],
});
