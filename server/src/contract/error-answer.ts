import type { FastifyError } from 'fastify';
import { StoreUnavailable } from '../db/unavailable.ts';
import { Crowded } from '../queue/fair-queue.ts';
import { ApiError } from './api-error.ts';
import { type ErrorCode, entryOf } from './catalogue.ts';
import { accepts } from './negotiate.ts';

export type ErrorAnswer = { status: number; headers: Record<string, string>; body: string };

const internal = new ApiError(
  '5000',
  'The service failed to answer; quote the X-Request-Id of this response when you report it',
);
const unavailable = new ApiError('5030', 'The service is not available at the moment; try again', {
  headers: { 'retry-after': '1' },
});
const crowded = {
  own: new ApiError('4290', 'too many requests at once; try again in 1 s', {
    headers: { 'retry-after': '1' },
  }),
  all: new ApiError('5030', 'The service has more to do than it can at the moment; try again', {
    headers: { 'retry-after': '1' },
  }),
};

const framework: Record<string, [ErrorCode, string]> = {
  FST_ERR_BAD_URL: ['4000', 'the request path is not valid percent-encoded UTF-8'],
  FST_ERR_MAX_PARAM_LENGTH: ['4140', 'the request target is too long'],
  ECONNRESET: ['4000', 'the request was broken off'],
};

/** What the client is told of an error: what is unforeseen is told as a fixed text. */
export function toApiError(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreUnavailable) return unavailable;
  if (error instanceof Crowded) return crowded[error.share];
  const code = 'code' in error ? error.code : undefined;
  const known = code !== undefined && Object.hasOwn(framework, code) ? framework[code] : undefined;
  return known === undefined ? internal : new ApiError(...known);
}

function problem(error: ApiError, requestId: string) {
  const { status, name, alias } = entryOf(error.code);
  return {
    type: `urn:portico:error:${error.code}`,
    title: name,
    status,
    detail: error.message,
    instance: `urn:portico:request:${requestId}`,
    success: false,
    code: error.code,
    ...(alias === undefined ? {} : { alias }),
    message: error.message,
    errors: error.fields,
    ...error.members,
  };
}

export function answerError(error: ApiError, accept: string | undefined, requestId: string): ErrorAnswer {
  const isProblem = accepts(accept, 'application/problem+json');
  const body = isProblem
    ? problem(error, requestId)
    : { success: false, code: error.code, message: `${error.message}${error.advice}` };
  return {
    status: entryOf(error.code).status,
    headers: {
      'content-type': isProblem
        ? 'application/problem+json; charset=utf-8'
        : 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...error.headers,
    },
    body: JSON.stringify(body),
  };
}
