import { hexOf, toHex } from './hex.ts';

const scheme = 'PORTICO1-HMAC-SHA256';
const utf8 = new TextEncoder();

export type SignedParts = {
  method: string;
  /** As sent, from /api/ on, without the query. */
  path: string;
  /** As sent, without the question mark. */
  query?: string;
  /** Epoch seconds. */
  timestamp: string | number;
  nonce: string;
  apiKeyId: string;
  body?: string | Uint8Array;
  /** Of the body, in lower-case hexadecimal, where that is not at hand. */
  contentSha256?: string;
};

export type SigningKey = { apiKeyId: string; secret: string };

export type SignableRequest = {
  method: string;
  /** From /api/ on; may carry the query. */
  path: string;
  query?: string;
  body?: string | Uint8Array;
  /** Of the body, in lower-case hexadecimal: it is signed in the place of the body, and sent along. */
  contentSha256?: string;
  /** Epoch seconds; default now. */
  timestamp?: number;
  /** A UUID; default a fresh one. */
  nonce?: string;
};

export type SignatureHeaders = Record<'X-Api-Key' | 'X-Signature' | 'X-Timestamp' | 'X-Nonce', string> & {
  'X-Content-Sha256'?: string;
};

const unreserved = /[A-Za-z0-9\-._~]/;

/** A copy, as WebCrypto takes no view of shared memory. */
const bytesOf = (body: string | Uint8Array) =>
  typeof body === 'string' ? utf8.encode(body) : new Uint8Array(body);

function encodeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return unreserved.test(character) ? character : `%${hexOf(byte).toUpperCase()}`;
}

/** Each piece is one percent-encoded byte or a run without any; a percent sign before anything else stands for itself. */
function encode(text: string): string {
  const pieces = text.replaceAll('+', ' ').split(/(%[0-9A-Fa-f]{2})/);
  return pieces
    .flatMap((piece, index) =>
      index % 2 === 1 ? [Number.parseInt(piece.slice(1), 16)] : [...utf8.encode(piece)],
    )
    .map(encodeByte)
    .join('');
}

/** Encoded anew and sorted by name alone, so that repeated parameters keep their order. */
export function canonicalQuery(query: string): string {
  const pairs = query
    .split('&')
    .filter((piece) => piece !== '')
    .map((piece): [string, string] => {
      const at = piece.indexOf('=');
      return at === -1 ? [encode(piece), ''] : [encode(piece.slice(0, at)), encode(piece.slice(at + 1))];
    });
  return pairs
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

export async function stringToSign(parts: SignedParts): Promise<string> {
  const hash = async () => toHex(await crypto.subtle.digest('SHA-256', bytesOf(parts.body ?? '')));
  return [
    scheme,
    parts.method,
    parts.path,
    canonicalQuery(parts.query ?? ''),
    String(parts.timestamp),
    parts.nonce,
    parts.apiKeyId,
    parts.contentSha256 ?? (await hash()),
  ].join('\n');
}

/** In lower-case hexadecimal. */
export async function sign(secret: string, parts: SignedParts): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), algorithm, false, ['sign']);
  const text = utf8.encode(await stringToSign(parts));
  return toHex(await crypto.subtle.sign('HMAC', key, text));
}

/** The headers that make a request a signed one. */
export async function signatureHeaders(
  { apiKeyId, secret }: SigningKey,
  request: SignableRequest,
): Promise<SignatureHeaders> {
  const queryAt = request.path.indexOf('?');
  const { contentSha256 } = request;
  const stated = contentSha256 === undefined ? {} : { contentSha256 };
  const parts = {
    method: request.method,
    path: queryAt === -1 ? request.path : request.path.slice(0, queryAt),
    query: request.query ?? (queryAt === -1 ? '' : request.path.slice(queryAt + 1)),
    timestamp: String(request.timestamp ?? Math.floor(Date.now() / 1000)),
    nonce: request.nonce ?? crypto.randomUUID(),
    apiKeyId,
    body: request.body ?? '',
    ...stated,
  };
  return {
    'X-Api-Key': apiKeyId,
    'X-Signature': await sign(secret, parts),
    'X-Timestamp': parts.timestamp,
    'X-Nonce': parts.nonce,
    ...(contentSha256 === undefined ? {} : { 'X-Content-Sha256': contentSha256 }),
  };
}
