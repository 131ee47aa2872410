import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const crockfordDigits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export type KeyKind = 'live' | 'test';

function digitsOf(value: bigint, digits: string, length: number): string {
  const base = BigInt(digits.length);
  let text = '';
  for (let rest = value, left = length; left > 0; left -= 1, rest /= base)
    text = digits[Number(rest % base)] + text;
  return text;
}

function bigintOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}

function ulid(nowMs: number): string {
  return (
    digitsOf(BigInt(nowMs), crockfordDigits, 10) + digitsOf(bigintOf(randomBytes(10)), crockfordDigits, 16)
  );
}

/** Lets a scanner or a person tell a mistyped secret from a wrong one, without asking the service. */
export function secretChecksum(body: string): string {
  return digitsOf(BigInt(crc32(body)), base62Digits, 6);
}

export function newKeyId(kind: KeyKind, nowMs: number): string {
  return `ak_${kind}_${ulid(nowMs)}`;
}

export function newSecret(kind: KeyKind): string {
  const body = `sk_${kind}_${randomBase62()}`;
  return body + secretChecksum(body);
}

/** 256 random bits in 43 digits. */
export function randomBase62(): string {
  return digitsOf(bigintOf(randomBytes(32)), base62Digits, 43);
}
