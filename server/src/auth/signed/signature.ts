import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export const scheme = 'PORTICO1-HMAC-SHA256';

export type SignedParts = {
  method: string;
  /** As sent, from /api/ on, without the query. */
  path: string;
  /** As sent, without the question mark, one character a byte: what node:http gives. */
  query: string;
  timestamp: string;
  nonce: string;
  apiKeyId: string;
  body: Uint8Array;
  /** What X-Content-Sha256 says of the body. It is then what was signed, and the body need not be there yet. */
  statedHash?: string | undefined;
};

const plain = /^[A-Za-z0-9\-._~]*$/;
const encodedBytes = Array.from({ length: 256 }, (_none, byte) => {
  const text = String.fromCharCode(byte);
  return plain.test(text) ? text : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
});
const twoDigits = /[0-9A-Fa-f]{2}/y;

/** A percent sign that does not begin two hexadecimal digits stands for itself. */
function encode(text: string): string {
  if (plain.test(text)) return text;
  let encoded = '';
  for (let at = 0; at < text.length; at += 1) {
    let byte = text.charCodeAt(at);
    if (byte === 0x2b) byte = 0x20;
    else if (byte === 0x25) {
      twoDigits.lastIndex = at + 1;
      if (twoDigits.test(text)) {
        byte = Number.parseInt(text.slice(at + 1, at + 3), 16);
        at += 2;
      }
    }
    encoded += encodedBytes[byte] ?? '';
  }
  return encoded;
}

/** Names and values, encoded anew, in the order in which they were sent. */
export function queryPairs(query: string): (readonly [string, string])[] {
  const pieces = query.split('&').filter((piece) => piece !== '');
  return pieces.map((piece) => {
    const at = piece.indexOf('=');
    return at === -1 ? [encode(piece), ''] : [encode(piece.slice(0, at)), encode(piece.slice(at + 1))];
  });
}

/** Sorted by name alone and stably, so that repeated parameters keep their order. */
export function canonicalQuery(query: string): string {
  return queryPairs(query)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

export function signedLines(parts: SignedParts): string[] {
  const bodyHash = parts.statedHash ?? createHash('sha256').update(parts.body).digest('hex');
  return [
    scheme,
    parts.method,
    parts.path,
    canonicalQuery(parts.query),
    parts.timestamp,
    parts.nonce,
    parts.apiKeyId,
    bodyHash,
  ];
}

export function stringToSign(parts: SignedParts): string {
  return signedLines(parts).join('\n');
}

export function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

/** Takes the same time whatever the given signature is. */
export function signatureMatches(secret: string, text: string, given: string): boolean {
  const expected = createHmac('sha256', secret).update(text).digest();
  const shaped = /^[0-9a-f]{64}$/.test(given);
  const claimed = shaped ? Buffer.from(given, 'hex') : Buffer.alloc(expected.length);
  return timingSafeEqual(expected, claimed) && shaped;
}
