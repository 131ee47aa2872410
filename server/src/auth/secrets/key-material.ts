import { crc32 } from 'node:zlib';
import { digitsOf, randomBigint, ulid } from '../../db/identifiers.ts';

const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export type KeyKind = 'live' | 'test';

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
  return digitsOf(randomBigint(32), base62Digits, 43);
}
