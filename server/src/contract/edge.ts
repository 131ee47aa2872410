import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from './api-error.ts';
import { answerError } from './error-answer.ts';

/** The whole request head; node answers 431 beyond it. */
export const headBytesMax = 32 * 1024;
export const targetBytesMax = 8 * 1024;

/** Fastify declares rawPacket as JSON would show it; it is a Buffer. */
type ParserError = Error & { code: string; rawPacket?: unknown };

/** The first packet of a head that overflows before its first line ends: the target is what is too long. */
function isTargetOverflow(packet: unknown): boolean {
  return Buffer.isBuffer(packet) && /^[A-Z]+ \S*$/.test(packet.toString('latin1'));
}

function explain(error: ParserError): ApiError {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('4080', 'the request did not arrive in time');
  if (error.code !== 'HPE_HEADER_OVERFLOW') return new ApiError('4000', 'the request is not valid HTTP');
  return isTargetOverflow(error.rawPacket)
    ? new ApiError('4140', `the request target must have at most ${targetBytesMax} bytes`)
    : new ApiError('4310', `the request head must have at most ${headBytesMax} bytes`);
}

/** Answers on the bare socket, where there is no request to reply to. */
function writeError(socket: Duplex, error: ApiError, extra: Record<string, string> = {}): void {
  const requestId = randomUUID();
  const { status, headers, body } = answerError(error, undefined, requestId);
  const lines = Object.entries({
    ...headers,
    ...extra,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

export function answerClientError(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else writeError(socket, explain(error));
}

/** What node's server would answer by itself, without the envelope. */
export function coverServer(server: Server): void {
  server.on('connect', (_request, socket) =>
    writeError(socket, new ApiError('4050', 'CONNECT is not supported'), { allow: 'GET, POST' }),
  );
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
