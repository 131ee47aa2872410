import { KeyObject, type webcrypto } from 'node:crypto';
import type { CryptoKey } from 'jose';

const modulusBitsMin = 2048;

/** Points of an order of at most 8 on Ed25519, without the sign: under such a key anyone's signature holds, at least now and then. */
const smallOrder = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);

function isSmallOrder(key: CryptoKey): boolean {
  const { x = '' } = KeyObject.from(key).export({ format: 'jwk' });
  const point = Buffer.from(x, 'base64url');
  point.writeUInt8(point.readUInt8(31) & 0x7f, 31);
  return smallOrder.has(point.toString('hex'));
}

/** Whether a public key that someone else made can tell their signatures from those of others. */
export function isSoundKey(key: CryptoKey): boolean {
  if (key.algorithm.name === 'Ed25519') return !isSmallOrder(key);
  if (!key.algorithm.name.startsWith('RSA')) return true;
  const { modulusLength, publicExponent } = key.algorithm as webcrypto.RsaKeyAlgorithm; // by its name it is one
  const exponent = BigInt(`0x${Buffer.from(publicExponent).toString('hex')}`);
  // An exponent of 1 leaves a signature as it is, and an even one cannot be undone.
  return modulusLength >= modulusBitsMin && exponent >= 3n && exponent % 2n === 1n;
}
