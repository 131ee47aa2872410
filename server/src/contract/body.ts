import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { attachedTo } from './attached.ts';
import { headerValues } from './peer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is bytes of any number and type: its handler is given them as a stream. */
    takesBytes?: true;
  }
}

export const bodyBytesMax = 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const json = /^application\/json[ \t]*(;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i;

const tooLarge = () => new ApiError('4130', `the body must have at most ${bodyBytesMax} bytes`);

function checkEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new ApiError('4150', 'Content-Encoding is not supported');
}

function checkMediaType(request: FastifyRequest): void {
  const types = headerValues(request.raw, 'content-type');
  if (types.length !== 1 || !json.test(types[0] ?? '')) {
    throw new ApiError('4150', 'Content-Type must be application/json, in UTF-8');
  }
  checkEncoding(request);
}

function parseJsonObject(bytes: Buffer): object {
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

/** All bytes, or why not. A reason is a value here: fastify closes the connection when a parser throws. */
export function readBytes(payload: Readable): Promise<Buffer | ApiError> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    payload.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bodyBytesMax) chunks.push(chunk);
      else resolve(tooLarge());
    });
    payload.on('end', () => resolve(Buffer.concat(chunks)));
    payload.on('error', () => resolve(new ApiError('4000', 'the request was broken off')));
  });
}

/** The bytes of bodies that were parsed. */
const received = attachedTo<FastifyRequest, Buffer>();

/** SHA-256 of the bytes as they were sent. */
export function bodyHashOf(request: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(received.get(request) ?? '')
    .digest();
}

/** Before the body is read: a wrong type is told even when the body is also too large. */
function checkAnnounced(request: FastifyRequest): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (request.routeOptions.config.takesBytes) checkEncoding(request);
  else if (length > 0) checkMediaType(request);
  if (length > bodyBytesMax && !request.routeOptions.config.takesBytes) throw tooLarge();
  // Fastify refuses a strange type even of no bytes. It was read from the raw headers above.
  delete request.headers['content-type'];
}

/** One parser for every route: no bytes are {}, everything else must be a JSON object, but where a handler takes bytes. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') checkAnnounced(request);
  });
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) =>
    request.routeOptions.config.takesBytes ? payload : readBytes(payload),
  );
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.takesBytes) {
      request.body ??= Readable.from([]);
      return;
    }
    // A request without a body reaches no parser at all.
    const bytes = request.body as Buffer | ApiError | undefined;
    if (bytes instanceof ApiError) throw bytes;
    if (bytes === undefined || bytes.length === 0) request.body = {};
    else {
      checkMediaType(request);
      received.set(request, bytes);
      request.body = parseJsonObject(bytes);
    }
  });
}
