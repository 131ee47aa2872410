import type { JWTPayload } from 'jose';
import { cleanName } from '../portal/person-fields.ts';

/** What the provider tells of a person, as far as it tells it. */
export type Profile = {
  email: string | undefined;
  /** The provider says that the address is not known to be theirs. */
  isUnverified: boolean;
  /** Empty: it tells none. */
  name: string;
  locale: 'en' | 'zh-CN';
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** What is told and is no text is the address of nobody. */
const addressOf = (value: unknown): string | undefined =>
  ['undefined', 'string'].includes(typeof value) || value === null ? textOf(value) : '';

export function profileOf(claims: JWTPayload): Profile {
  const parts = [textOf(claims['given_name']), textOf(claims['family_name'])].filter(
    (part) => part !== undefined,
  );
  const email = addressOf(claims['email']);
  const name = textOf(claims['name']) ?? textOf(parts.join(' ')) ?? email?.split('@')[0] ?? '';
  return {
    email,
    // Some providers tell it as a text.
    isUnverified: String(claims['email_verified']) === 'false',
    name: cleanName(name),
    locale: /^zh\b/i.test(textOf(claims['locale']) ?? '') ? 'zh-CN' : 'en',
  };
}
