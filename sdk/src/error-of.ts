import type { Problem } from './envelope.ts';
import {
  AuthenticationError,
  ClockError,
  ConflictError,
  type ErrorDetails,
  ForbiddenError,
  InvalidInputError,
  KeyStatusError,
  NotFoundError,
  PorticoError,
  RateLimitError,
  ReplayError,
  SignatureError,
  UnavailableError,
} from './errors.ts';

type ErrorClass = new (message: string, details: ErrorDetails) => PorticoError;

const byCode = new Map<string, ErrorClass>([
  ['4011', SignatureError],
  ['4012', SignatureError],
  ['4013', ClockError],
  ['4014', ReplayError],
  ['4015', KeyStatusError],
  ['4016', KeyStatusError],
]);

const byStatus = new Map<number, ErrorClass>([
  [400, InvalidInputError],
  [401, AuthenticationError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [429, RateLimitError],
]);

function classOf(status: number, code: string | undefined): ErrorClass {
  const special = code === undefined ? undefined : byCode.get(code);
  return special ?? byStatus.get(status) ?? (status >= 500 ? UnavailableError : PorticoError);
}

/** RFC 9110 section 10.2.3: seconds, or a date, which is compared with the answer's own. */
function retryAfterSeconds(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^[0-9]+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  const sent = Date.parse(headers.get('date') ?? '');
  return Math.max(0, Math.ceil((at - (Number.isNaN(sent) ? Date.now() : sent)) / 1000));
}

function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body)) return false;
  return typeof body.code === 'string' && typeof body.message === 'string';
}

function withFields(body: Problem): Problem {
  return Array.isArray(body.errors) ? body : { ...body, errors: [] };
}

/** The error of an answer that is not a success, or is none of Portico's. What a foreign answer says is not repeated. */
export function errorOf(response: Response, body: unknown): PorticoError {
  const { status, headers } = response;
  const details = {
    status,
    response,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(headers),
  };
  if (!response.ok && isProblem(body)) {
    const { code, message } = body;
    return new (classOf(status, code))(message, { ...details, code, problem: withFields(body) });
  }
  const isRedirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400);
  const message = isRedirect
    ? 'the service redirects; baseUrl must be where it leads to'
    : `the answer with status ${status} is not Portico's`;
  return new (classOf(status, undefined))(message, details);
}
