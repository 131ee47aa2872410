import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { headerValues } from './peer.ts';

export const bodyBytesMax = 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const json = /^application\/json[ \t]*(;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i;

function checkMediaType(request: FastifyRequest): void {
  const types = headerValues(request.raw, 'content-type');
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (types.length !== 1 || !json.test(types[0] ?? '')) {
    throw new ApiError('4150', 'Content-Type must be application/json, in UTF-8');
  }
  if (encoding.toLowerCase() !== 'identity') throw new ApiError('4150', 'Content-Encoding is not supported');
}

export function parseJsonObject(bytes: Buffer): object {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError('4002', 'the body must be valid JSON in UTF-8');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('4002', 'the body must be a JSON object');
  }
  return value;
}

/** One parser for every route: no bytes are {}, everything else must be a JSON object. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Before the body is read: a wrong type is told even when the body is also too large.
  app.addHook('preParsing', async (request) => {
    const mayHaveBody = request.method !== 'GET' && request.method !== 'HEAD';
    if (mayHaveBody && Number(request.headers['content-length'] ?? 0) > 0) checkMediaType(request);
  });
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: bodyBytesMax },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return {};
      checkMediaType(request);
      return parseJsonObject(body);
    },
  );
  // A request without a body reaches no parser at all.
  app.addHook('preValidation', async (request) => {
    request.body ??= {};
  });
}
