import { randomBytes } from 'node:crypto';

export const crockfordDigits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export function digitsOf(value: bigint, digits: string, length: number): string {
  const base = BigInt(digits.length);
  let text = '';
  for (let rest = value, left = length; left > 0; left -= 1, rest /= base)
    text = digits[Number(rest % base)] + text;
  return text;
}

export function randomBigint(bytes: number): bigint {
  return BigInt(`0x${randomBytes(bytes).toString('hex')}`);
}

/** Sorts by time, to the millisecond. */
export function ulid(nowMs: number): string {
  return digitsOf(BigInt(nowMs), crockfordDigits, 10) + digitsOf(randomBigint(10), crockfordDigits, 16);
}
