import { Type } from 'typebox';

/**
 * A password, wherever one is set. It is taken as it was typed, without a normal form: what is stored of older ones was made so.
 * Lengths are in code points; half a surrogate pair is no text, and is refused as everywhere.
 */
export const NewPassword = Type.String({
  minLength: 8,
  maxLength: 256,
  description: 'A new password, 8 to 256 characters of any kind.',
  examples: ['correct horse battery staple'],
});
