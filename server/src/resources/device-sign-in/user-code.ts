import { randomInt } from 'node:crypto';
import { hashOfOneTimeToken } from '../../auth/secrets/one-time-token.ts';
import { defineRule } from '../../contract/validate.ts';

/** RFC 8628 section 6.1: no vowels, so that no word comes of it, and nothing that looks like a digit or another letter. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** People leave the dash out, or put a space in its place. */
const lettersOf = (typed: string) => typed.replace(/[ -]/g, '');
const shape = new RegExp(`^[A-Za-z]{${length}}$`);

export const isUserCode = defineRule('userCode', (typed) =>
  shape.test(lettersOf(typed)) ? undefined : `must have ${length} letters, as in BCDF-GHJK`,
);

/** 34 bits: for ten minutes, and with few guesses. */
export function newUserCode(): string {
  const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`;
}

/** Of a code in its shape, in capitals or not: other letters than those of ASCII have none here. */
export const hashOfUserCode = (typed: string) => hashOfOneTimeToken(lettersOf(typed).toUpperCase());
