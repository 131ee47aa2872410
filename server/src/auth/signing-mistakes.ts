import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalQuery, queryPairs, type SignedParts, signedLines } from './signature.ts';

/** What is known of a request whose signature did not match. */
export type Suspect = {
  parts: SignedParts;
  basePath: string;
  secret: string;
  /** Secrets that the caller may have taken for the right one. */
  formerSecrets: readonly string[];
  liveSecrets: readonly string[];
};

type Forge = (suspect: Suspect) => readonly (string | undefined)[];

const hmac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text);
const hex = (secret: string | Buffer, text: string) => hmac(secret, text).digest('hex');
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Signatures over the right lines, with some of them exchanged. */
function withLines(change: (lines: string[], suspect: Suspect) => (string | undefined)[]): Forge {
  return (suspect) => {
    const texts = change(signedLines(suspect.parts), suspect);
    return texts.map((text) => (text === undefined ? undefined : hex(suspect.secret, text)));
  };
}

const replaced = (lines: string[], at: number, line: string) => lines.with(at, line).join('\n');
const without = (lines: string[], at: number) => lines.toSpliced(at, 1).join('\n');

const withSecret =
  (change: (secret: string) => (string | Buffer)[]): Forge =>
  ({ secret, parts }) =>
    change(secret).map((other) => hex(other, signedLines(parts).join('\n')));

/** Places of the lines. */
const [scheme, method, path, query, timestamp, nonce, keyId, bodyHash] = [0, 1, 2, 3, 4, 5, 6, 7] as const;

const joined = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => `${name}=${value}`).join('&');
const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) =>
  a < b ? -1 : a > b ? 1 : 0;
const byNameAndValue = (a: readonly [string, string], b: readonly [string, string]) =>
  byName(a, b) || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);

function reserialised(body: Uint8Array): string[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return [JSON.stringify(value), JSON.stringify(value, null, 2)];
  } catch {
    return [];
  }
}

const millisecond = Array.from({ length: 1000 }, (_none, index) => String(index).padStart(3, '0'));

const body = (secret: string) => secret.replace(/^sk_(live|test)_/, '');

/** Every mistake that is recognised, by what the caller did. The order is that of trying: cheap and common ones first. */
export const signingMistakes: { [did: string]: Forge } = {
  'the method is in lower case': withLines((lines) => [
    replaced(lines, method, lines[method]?.toLowerCase() ?? ''),
  ]),
  'the path has the base path before /api/': withLines((lines, { basePath }) => [
    basePath === '' ? undefined : replaced(lines, path, `${basePath}${lines[path]}`),
  ]),
  'the path lacks /api': withLines((lines) => [
    replaced(lines, path, (lines[path] ?? '').replace(/^\/api/, '')),
  ]),
  'the query is left out': withLines((lines) => [replaced(lines, query, ''), without(lines, query)]),
  'the query is not sorted': withLines((lines, { parts }) => [
    replaced(lines, query, joined(queryPairs(parts.query))),
  ]),
  'the query is as it was sent, not encoded anew': withLines((lines, { parts }) => [
    replaced(lines, query, parts.query),
    replaced(lines, query, `?${parts.query}`),
    replaced(lines, query, parts.query.split('&').sort().join('&')),
  ]),
  'a + in the query is kept instead of read as a space': withLines((lines, { parts }) => [
    replaced(lines, query, canonicalQuery(parts.query.replaceAll('+', '%2B'))),
  ]),
  'a space in the query is written as + instead of %20': withLines((lines) => [
    replaced(lines, query, (lines[query] ?? '').replaceAll('%20', '+')),
  ]),
  'repeated parameters are sorted by their values': withLines((lines, { parts }) => [
    replaced(lines, query, joined([...queryPairs(parts.query)].sort(byNameAndValue))),
  ]),
  'the nonce and the timestamp are swapped': withLines((lines) => [
    lines
      .with(timestamp, lines[nonce] ?? '')
      .with(nonce, lines[timestamp] ?? '')
      .join('\n'),
  ]),
  'the key id is left out': withLines((lines) => [without(lines, keyId), replaced(lines, keyId, '')]),
  'the hash of the body is left out': withLines((lines) => [
    without(lines, bodyHash),
    replaced(lines, bodyHash, ''),
  ]),
  'the hash is of {} instead of the bytes of the body': withLines((lines) => [
    replaced(lines, bodyHash, sha256('{}')),
  ]),
  'the hash is of the body written as JSON anew': withLines((lines, { parts }) =>
    reserialised(parts.body).map((text) => replaced(lines, bodyHash, sha256(text))),
  ),
  'the hash of the body is in upper case': withLines((lines) => [
    replaced(lines, bodyHash, (lines[bodyHash] ?? '').toUpperCase()),
  ]),
  'there is a newline after the last line': withLines((lines) => [`${lines.join('\n')}\n`]),
  'the lines are joined by CRLF': withLines((lines) => [lines.join('\r\n'), `${lines.join('\r\n')}\r\n`]),
  'the first line, with the scheme, is missing': withLines((lines) => [without(lines, scheme)]),
  'the signature is in base64': ({ secret, parts }) => {
    const text = signedLines(parts).join('\n');
    return [hmac(secret, text).digest('base64'), hmac(secret, text).digest('base64url')];
  },
  'the signature is in upper case': ({ secret, parts }) => [
    hex(secret, signedLines(parts).join('\n')).toUpperCase(),
  ],
  'the signature is HMAC-SHA-1': ({ secret, parts }) => [
    createHmac('sha1', secret).update(signedLines(parts).join('\n')).digest('hex'),
  ],
  'the signature is a plain SHA-256 of secret and text': ({ secret, parts }) => {
    const text = signedLines(parts).join('\n');
    return [
      sha256(secret + text),
      sha256(text + secret),
      sha256(`${secret}\n${text}`),
      sha256(`${text}\n${secret}`),
    ];
  },
  'the secret lacks its prefix': withSecret((secret) => [body(secret)]),
  'the secret was decoded as base64': withSecret((secret) => [
    Buffer.from(secret, 'base64'),
    Buffer.from(body(secret), 'base64'),
  ]),
  'the secret was decoded as hex': withSecret((secret) => [
    Buffer.from(secret, 'hex'),
    Buffer.from(body(secret), 'hex'),
  ]),
  'the secret has a newline at its end': withSecret((secret) => [`${secret}\n`, `${secret}\r\n`]),
  'the secret is the previous one, which no longer works': ({ formerSecrets, parts }) =>
    formerSecrets.map((secret) => hex(secret, signedLines(parts).join('\n'))),
  'the secret is that of a LIVE key': ({ liveSecrets, parts }) =>
    liveSecrets.map((secret) => hex(secret, signedLines(parts).join('\n'))),
  'the timestamp is in milliseconds in the signed text': withLines((lines) =>
    millisecond.map((digits) => replaced(lines, timestamp, `${lines[timestamp]}${digits}`)),
  ),
};

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The mistake that explains a signature, if one does. All are tried whatever matches, so that time tells nothing. */
export function findMistake(suspect: Suspect, given: string): string | undefined {
  const matching = Object.entries(signingMistakes).filter(
    ([, forge]) => forge(suspect).filter((forged) => forged !== undefined && equal(forged, given)).length > 0,
  );
  return matching[0]?.[0];
}
