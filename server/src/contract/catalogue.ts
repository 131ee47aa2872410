type Entry = { status: number; name: string; description: string; alias?: string };

/** Every error the service can answer. A code is its HTTP status times ten plus a number, but for one the contract spells out. */
export const catalogue = {
  '4000': {
    status: 400,
    name: 'INVALID_INPUT',
    description:
      'A value in the body, path or filter is missing or invalid, or the HTTP request is malformed.',
  },
  '4002': {
    status: 400,
    name: 'MALFORMED_JSON',
    description: 'The body is not valid UTF-8 JSON, or is not a JSON object.',
  },
  '4010': {
    status: 401,
    name: 'TOKEN_INVALID',
    description: 'The bearer token or refresh token is missing, invalid or expired.',
  },
  '4011': {
    status: 401,
    name: 'SIGNATURE_HEADERS',
    description: 'A signature header is missing, repeated or misshaped.',
  },
  '4012': {
    status: 401,
    name: 'SIGNATURE_WRONG',
    description: 'The API key is unknown or the signature does not match.',
  },
  '4013': {
    status: 401,
    name: 'TIMESTAMP_OUTSIDE_WINDOW',
    description: 'X-Timestamp is more than 300 seconds away from the server clock.',
  },
  '4014': { status: 401, name: 'NONCE_REUSED', description: 'The nonce was used before with this key.' },
  '4015': { status: 401, name: 'KEY_NOT_ACTIVE', description: 'The API key is disabled or revoked.' },
  '4016': { status: 401, name: 'KEY_EXPIRED', description: 'The API key has expired.' },
  '4017': {
    status: 401,
    name: 'SIGN_IN_FAILED',
    description: 'The e-mail address or the password is wrong.',
  },
  '4018': {
    status: 401,
    name: 'SECOND_FACTOR_REQUIRED',
    description:
      'A code of the second factor is wanted, or the one that was sent is wrong or was used before.',
  },
  '4030': {
    status: 403,
    name: 'FORBIDDEN',
    description: 'The caller may not do this here, or the Turnstile verification failed.',
  },
  '4031': {
    status: 403,
    name: 'SCOPE_MISSING',
    description: 'The API key does not have the scope that this endpoint requires.',
  },
  '4032': {
    status: 403,
    name: 'IP_NOT_ALLOWED',
    description: 'The client address is not on the IP whitelist of the API key.',
  },
  '4033': {
    status: 403,
    name: 'TEST_MODE_NOT_ALLOWED',
    description: 'TEST keys may only be made, enabled, rotated or allowed more on a partner portal.',
  },
  '4040': { status: 404, name: 'NO_SUCH_RESOURCE', description: 'The resource does not exist.' },
  '4041': { status: 404, name: 'NO_SUCH_ROUTE', description: 'No endpoint has this path.' },
  '4050': {
    status: 405,
    name: 'METHOD_NOT_ALLOWED',
    description: 'The endpoint does not take this method; the Allow header lists those it takes.',
  },
  '4080': { status: 408, name: 'REQUEST_TOO_SLOW', description: 'The request did not arrive in time.' },
  '4090': {
    status: 409,
    name: 'CONFLICT',
    description:
      'The request conflicts with the current state, or one with the same idempotency key is under way; then Retry-After says when to try again.',
  },
  '4091': {
    status: 409,
    name: 'ILLEGAL_TRANSITION',
    description: 'The resource cannot go from its current status to the wanted one.',
  },
  '4092': {
    status: 409,
    name: 'ROTATION_OPEN',
    description: 'The previous secret of the API key is still in its grace period.',
  },
  '4093': {
    status: 409,
    name: 'KEY_LIMIT',
    description: 'The workspace has as many API keys as it may have.',
  },
  '4094': {
    status: 409,
    name: 'LAST_OWNER',
    description: 'The last active owner of a workspace can neither leave nor lose the role.',
  },
  '4095': {
    status: 409,
    name: 'STORAGE_QUOTA',
    description: 'The files of the institution have as many bytes as they may have.',
  },
  '4096': {
    status: 409,
    name: 'LIMIT_REACHED',
    description: 'The workspace has as many of these as it may have.',
  },
  '4130': { status: 413, name: 'BODY_TOO_LARGE', description: 'The body is larger than the endpoint takes.' },
  '4140': { status: 414, name: 'URI_TOO_LONG', description: 'The request target is too long.' },
  '4150': {
    status: 415,
    name: 'MEDIA_TYPE',
    description: 'The body is not of the media type that the endpoint takes.',
  },
  '4160': {
    status: 416,
    name: 'RANGE_NOT_SATISFIABLE',
    description: 'The file has none of the bytes that Range asks for; Content-Range says how many it has.',
  },
  '4220': {
    status: 422,
    name: 'IDEMPOTENCY_KEY_REUSED',
    description: 'The idempotency key was used before with another body.',
  },
  '4290': {
    status: 429,
    name: 'RATE_LIMITED',
    description: 'Too many requests; Retry-After says when to try again.',
  },
  '4310': { status: 431, name: 'HEADERS_TOO_LARGE', description: 'The request headers are too large.' },
  '5000': {
    status: 500,
    name: 'INTERNAL',
    description: 'The service failed. Quote the request id when you report it.',
  },
  '5030': {
    status: 503,
    name: 'NOT_AVAILABLE',
    description:
      'The service is stopping, has more to do than it can, or a part it depends on is away; try again.',
  },
  '5031': {
    status: 503,
    name: 'TURNSTILE_NOT_AVAILABLE',
    description: 'The Turnstile verification could not be carried out; try again.',
  },
  'VALIDATION.INVALID_PARAMETER': {
    status: 400,
    name: 'INVALID_PARAMETER',
    alias: 'S012',
    description: 'page, size or sort is invalid.',
  },
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof catalogue;

export const errorCodes = Object.keys(catalogue) as ErrorCode[]; // Object.keys forgets the literal keys

export function entryOf(code: ErrorCode): Entry {
  return catalogue[code];
}
