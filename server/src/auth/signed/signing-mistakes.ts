import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { canonicalQuery, queryPairs, type SignedParts, signedLines } from './signature.ts';

/** What is known of a request whose signature did not match. */
export type Suspect = {
  parts: SignedParts;
  basePath: string;
  /** Schemes and hosts that a caller may have written before the path. */
  origins: readonly string[];
  secret: string;
  /** Secrets that the caller may have taken for the right one. */
  formerSecrets: readonly string[];
  liveSecrets: readonly string[];
};

/** What callers with this mistake would have sent. The lines are the right ones. */
type Forge = (suspect: Suspect, lines: string[]) => Iterable<string>;

const hmac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text);
const hex = (secret: string | Buffer, text: string) => hmac(secret, text).digest('hex');
const sha256 = (bytes: string | Uint8Array) => hash('sha256', bytes);

/**
 * HMAC-SHA-256 of many texts that differ in a few characters of ASCII. The secret has at most a block of 64 bytes. In one place and
 * by a function that leaves nothing behind: the collector took as long to put away a thousand objects of the library's as these take.
 */
function hmacAround(
  secret: string,
  { before, length, after }: { before: string; length: number; after: string },
): (between: string) => string {
  const key = Buffer.concat([Buffer.from(secret)], 64);
  const beginning = Buffer.concat([key.map((byte) => byte ^ 0x36), Buffer.from(before)]);
  const inner = Buffer.concat([beginning, Buffer.alloc(length), Buffer.from(after)]);
  const outer = Buffer.concat([key.map((byte) => byte ^ 0x5c)], 64 + 32);
  return (between) => {
    inner.write(between, beginning.length, 'binary');
    outer.write(hash('sha256', inner, 'binary'), 64, 'binary');
    return hash('sha256', outer);
  };
}

function* lazily<From, To>(values: Iterable<From>, map: (value: From) => To): Generator<To> {
  for (const value of values) yield map(value);
}

/** Signatures over the right lines, with some of them exchanged. */
const withLines =
  (change: (lines: string[], suspect: Suspect) => Iterable<string>): Forge =>
  (suspect, lines) =>
    lazily(change(lines, suspect), (text) => hex(suspect.secret, text));

const replaced = (lines: string[], at: number, line: string) => lines.with(at, line).join('\n');
const without = (lines: string[], at: number) => lines.toSpliced(at, 1).join('\n');

const withSecret =
  (change: (secret: string) => (string | Buffer)[]): Forge =>
  ({ secret }, lines) =>
    change(secret).map((other) => hex(other, lines.join('\n')));

/** Places of the lines. */
const [scheme, method, path, query, timestamp, nonce, keyId, bodyHash] = [0, 1, 2, 3, 4, 5, 6, 7] as const;

type Pair = readonly [string, string];
const joined = (pairs: readonly Pair[]) => pairs.map(([name, value]) => `${name}=${value}`).join('&');
const byName = ([a]: Pair, [b]: Pair) => (a < b ? -1 : a > b ? 1 : 0);
const byNameAndValue = (a: Pair, b: Pair) => byName(a, b) || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);

/** Nothing decoded or encoded: in the order sent, by the whole piece, by the name. */
function rawQueries(sent: string): string[] {
  const pieces = sent.split('&').map((piece) => [piece.split('=', 1)[0] ?? '', piece] as const);
  const sortedByName = pieces.toSorted(byName).map(([, piece]) => piece);
  return [sent, `?${sent}`, sent.split('&').sort().join('&'), sortedByName.join('&')];
}

/** Beyond this, indentation makes megabytes out of a small body. */
const levelsMax = 32;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/** As JavaScript writes it, indented, and with the spaces that Python puts. */
function reserialised(body: Uint8Array): string[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    if (isDeeper(value, levelsMax)) return [];
    const indented = JSON.stringify(value, null, 2);
    const spaced = indented.replace(/,\n */g, ', ').replace(/\n */g, '');
    return [JSON.stringify(value), indented, spaced];
  } catch {
    return [];
  }
}

/** In other letters, without dashes, in braces. */
function nonceSpellings(sent: string): string[] {
  const cased = [sent, sent.toLowerCase(), sent.toUpperCase()];
  return cased.flatMap((text) => [text, text.replaceAll('-', ''), `{${text}}`]);
}

const millisecond = Array.from({ length: 1000 }, (_none, index) => String(index).padStart(3, '0'));

const body = (secret: string) => secret.replace(/^sk_(live|test)_/, '');

/** Every mistake that is recognised, by what the caller did. The order is that of trying: cheap and common ones first. */
export const signingMistakes: { [did: string]: Forge } = {
  'the method is in lower case': withLines((lines) => [
    replaced(lines, method, lines[method]?.toLowerCase() ?? ''),
  ]),
  'the path has the base path before /api/': withLines((lines, { basePath }) => [
    replaced(lines, path, `${basePath}${lines[path]}`),
  ]),
  'the path lacks /api': withLines((lines) => [
    replaced(lines, path, (lines[path] ?? '').replace(/^\/api/, '')),
  ]),
  'the path lacks /api/v1': withLines((lines) => [
    replaced(lines, path, (lines[path] ?? '').replace(/^(\/[^/]*){2}/, '')),
  ]),
  'the path is a whole URL': withLines((lines, { parts, basePath, origins }) =>
    origins.flatMap((origin) => {
      const url = `${origin}${basePath}${lines[path]}`;
      const whole = `${url}?${parts.query}`;
      return [
        replaced(lines, path, url),
        replaced(lines, path, whole),
        lines.with(path, whole).with(query, '').join('\n'),
      ];
    }),
  ),
  'the path has the query behind it': withLines((lines, { parts }) => {
    const whole = `${lines[path]}?${parts.query}`;
    return [replaced(lines, path, whole), lines.with(path, whole).with(query, '').join('\n')];
  }),
  'the query is left out': withLines((lines) => [replaced(lines, query, ''), without(lines, query)]),
  'the query is not sorted': withLines((lines, { parts }) => [
    replaced(lines, query, joined(queryPairs(parts.query))),
  ]),
  'the query is as it was sent, not encoded anew': withLines((lines, { parts }) =>
    rawQueries(parts.query).map((raw) => replaced(lines, query, raw)),
  ),
  'a + in the query is kept instead of read as a space': withLines((lines, { parts }) => [
    replaced(lines, query, canonicalQuery(parts.query.replaceAll('+', '%2B'))),
  ]),
  'a space in the query is written as + instead of %20': withLines((lines) => [
    replaced(lines, query, (lines[query] ?? '').replaceAll('%20', '+')),
  ]),
  'the query is encoded in lower case': withLines((lines) => [
    replaced(
      lines,
      query,
      (lines[query] ?? '').replace(/%../g, (byte) => byte.toLowerCase()),
    ),
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
  'the nonce is written otherwise than in X-Nonce': withLines((lines) =>
    nonceSpellings(lines[nonce] ?? '').map((spelling) => replaced(lines, nonce, spelling)),
  ),
  'the key id is left out': withLines((lines) => [without(lines, keyId), replaced(lines, keyId, '')]),
  'the hash of the body is left out': withLines((lines) => [
    without(lines, bodyHash),
    replaced(lines, bodyHash, ''),
  ]),
  'the hash is of {} instead of the bytes of the body': withLines((lines) => [
    replaced(lines, bodyHash, sha256('{}')),
  ]),
  'the hash is of the body written as JSON anew': withLines((lines, { parts }) =>
    lazily(reserialised(parts.body), (text) => replaced(lines, bodyHash, sha256(text))),
  ),
  'the hash of the body is in upper case': withLines((lines) => [
    replaced(lines, bodyHash, (lines[bodyHash] ?? '').toUpperCase()),
  ]),
  'the hash of the body is in base64': withLines((lines) => {
    const hash = Buffer.from(lines[bodyHash] ?? '', 'hex');
    return [hash.toString('base64'), hash.toString('base64url')].map((text) =>
      replaced(lines, bodyHash, text),
    );
  }),
  'the hash is of no bytes, though a body was sent': withLines((lines) => [
    replaced(lines, bodyHash, sha256('')),
  ]),
  'the hash of the body is signed, and X-Content-Sha256 states another': withLines((lines, { parts }) => [
    replaced(lines, bodyHash, sha256(parts.body)),
  ]),
  'there is a newline after the last line': withLines((lines) => [`${lines.join('\n')}\n`]),
  'the lines are joined by CRLF': withLines((lines) => [lines.join('\r\n'), `${lines.join('\r\n')}\r\n`]),
  'the lines are joined by a backslash and an n': withLines((lines) => [lines.join('\\n')]),
  'the first line, with the scheme, is missing': withLines((lines) => [without(lines, scheme)]),
  'the signature is in base64': ({ secret }, lines) => {
    const digest = hmac(secret, lines.join('\n')).digest();
    return [digest.toString('base64'), digest.toString('base64url'), `${digest.toString('base64url')}=`];
  },
  'the signature is in upper case': ({ secret }, lines) => [hex(secret, lines.join('\n')).toUpperCase()],
  'the signature is HMAC-SHA-1': ({ secret }, lines) => [
    createHmac('sha1', secret).update(lines.join('\n')).digest('hex'),
  ],
  'the signature is a plain SHA-256 of secret and text': ({ secret }, lines) => {
    const text = lines.join('\n');
    return [
      [secret, text],
      [text, secret],
    ].flatMap((order) => [sha256(order.join('')), sha256(order.join('\n'))]);
  },
  'the secret lacks its prefix': withSecret((secret) => [body(secret)]),
  'the secret was decoded as base64': withSecret((secret) =>
    [secret, secret.replaceAll('_', ''), body(secret)].map((text) => Buffer.from(text, 'base64')),
  ),
  // No s is a hexadecimal digit, so nothing comes of it. Only the whole secret is tried: of its body, decoders take the one or
  // two bytes before the first other digit, and the answer to a caller who guesses them would tell a part of the secret.
  'the secret was decoded as hex, or is empty': withSecret(() => ['']),
  'the secret has a newline at its end': withSecret((secret) => [`${secret}\n`, `${secret}\r\n`]),
  'the secret is in quotes': withSecret((secret) => [`"${secret}"`, `'${secret}'`]),
  'the secret is the previous one, which no longer works': ({ formerSecrets }, lines) =>
    formerSecrets.map((secret) => hex(secret, lines.join('\n'))),
  'the secret is that of a LIVE key': ({ liveSecrets }, lines) =>
    liveSecrets.map((secret) => hex(secret, lines.join('\n'))),
  'the secret is the key id': (_suspect, lines) => [hex(lines[keyId] ?? '', lines.join('\n'))],
  'the timestamp in the signed text is another than in X-Timestamp': withLines((lines) =>
    [-2, -1, 1, 2].map((seconds) => replaced(lines, timestamp, String(Number(lines[timestamp]) + seconds))),
  ),
  'the timestamp is in milliseconds in the signed text': ({ secret }, lines) => {
    const before = lines.slice(0, nonce).join('\n');
    const after = `\n${lines.slice(nonce).join('\n')}`;
    return lazily(millisecond, hmacAround(secret, { before, length: 3, after }));
  },
};

/**
 * The mistake that explains a signature, if one does. All are tried whatever matches, so that time tells nothing; after each, others
 * may have their turn.
 */
export async function findMistake(
  suspect: Suspect,
  given: string,
  pause: () => Promise<void>,
): Promise<string | undefined> {
  const sent = Buffer.from(given);
  const isSent = (forged: string) => {
    const bytes = Buffer.from(forged);
    return bytes.length === sent.length && timingSafeEqual(bytes, sent);
  };
  const lines = signedLines(suspect.parts);
  const matching: string[] = [];
  for (const [did, forge] of Object.entries(signingMistakes))
    for (const forged of forge(suspect, lines)) {
      if (isSent(forged)) matching.push(did);
      await pause();
    }
  return matching[0];
}
