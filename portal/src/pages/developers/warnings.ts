import { bodyBytes, type DebuggedRequest } from './request.ts';

type Field = keyof DebuggedRequest;
/** Whether a value, never an empty one, is wrong, and what to say then. */
type Rule = [(value: string, request: DebuggedRequest) => boolean, string];

const keyMode = (apiKeyId: string) => /^ak_(live|test)_/.exec(apiKeyId)?.[1];
const secretMode = (secret: string) => /^sk_(live|test)_/.exec(secret)?.[1];

function belongsToOtherMode(secret: string, { apiKeyId }: DebuggedRequest): boolean {
  const modes = [keyMode(apiKeyId), secretMode(secret)];
  return !modes.includes(undefined) && modes[0] !== modes[1];
}

const rules: { [Name in Field]?: Rule[] } = {
  path: [
    [(path) => path.includes('?'), 'The query has a field of its own, below.'],
    [(path) => !path.startsWith('/api/'), 'It begins at /api/: no host, no base path.'],
    [(path) => /[^\x21-\x7e]|#/.test(path), 'Spaces, # and letters beyond ASCII are sent percent-encoded.'],
  ],
  query: [[(query) => query.startsWith('?'), 'Without the question mark.']],
  body: [[(_, request) => bodyBytes(request) === undefined, 'This is not Base64.']],
  apiKeyId: [
    [(apiKeyId) => /^sk_/.test(apiKeyId), 'This is a secret. The key id begins with ak_.'],
    [(apiKeyId) => keyMode(apiKeyId) === undefined, 'A key id begins with ak_live_ or ak_test_.'],
  ],
  secret: [
    [(secret) => /^\s|\s$/.test(secret), 'There is a space at its beginning or its end.'],
    [(secret) => /^ak_/.test(secret), 'This is a key id. The secret begins with sk_.'],
    [
      (secret) => secretMode(secret) === undefined,
      'The whole secret is the key, sk_live_ or sk_test_ included.',
    ],
    [belongsToOtherMode, 'One of key id and secret is LIVE, the other TEST.'],
  ],
  timestamp: [
    [(timestamp) => !/^\d+$/.test(timestamp), 'Digits only: epoch seconds.'],
    [(timestamp) => /^\d{13,}$/.test(timestamp), 'These are milliseconds. Epoch seconds have ten digits.'],
  ],
  nonce: [
    [
      (nonce) => !/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(nonce),
      'A nonce has the shape of a UUID.',
    ],
  ],
};

/** What the service would not take about a field. It is signed all the same. */
export function warningOf(field: Field, request: DebuggedRequest): string | undefined {
  const value = request[field];
  if (typeof value !== 'string' || value === '') return undefined;
  return rules[field]?.find(([isWrong]) => isWrong(value, request))?.[1];
}

/** How far a timestamp may be from the clock of the service. */
const windowSeconds = 300;

export const isOutsideWindow = (timestamp: string): boolean =>
  !(Math.abs(Number(timestamp) - Date.now() / 1000) <= windowSeconds);
