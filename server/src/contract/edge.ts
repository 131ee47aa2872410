import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from './api-error.ts';
import { answerError } from './error-answer.ts';

/** The whole request head; node answers 431 beyond it. */
export const headBytesMax = 32 * 1024;
export const targetBytesMax = 8 * 1024;

/** Closed at once, a connection is reset, and a client that is still sending loses the answer. */
const lingerMs = 2000;

/** Fastify declares rawPacket as JSON would show it; it is a Buffer. */
type ParserError = Error & { code: string; rawPacket?: unknown; bytesParsed?: number };

/** A head that overflows before its first line ends: the target is what is too long. */
function isTargetOverflow({ rawPacket, bytesParsed }: ParserError): boolean {
  if (!Buffer.isBuffer(rawPacket)) return false;
  return /^[A-Z]+ [^ \r\n]*$/.test(rawPacket.toString('latin1', 0, bytesParsed));
}

function explain(error: ParserError): ApiError {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('4080', 'the request did not arrive in time');
  if (error.code !== 'HPE_HEADER_OVERFLOW') return new ApiError('4000', 'the request is not valid HTTP');
  return isTargetOverflow(error)
    ? new ApiError('4140', `the request target must have at most ${targetBytesMax} bytes`)
    : new ApiError('4310', `the request head must have at most ${headBytesMax} bytes`);
}

const closing = new WeakSet<Duplex>();

/** Says the last word on a connection. What still arrives is thrown away for a while. */
function finish(socket: Duplex, lastWord: string): void {
  closing.add(socket);
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
  // After CONNECT node listens no more, and an error that nobody hears would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(lastWord);
  socket.resume();
}

/** Answers on the bare socket, where there is no request to reply to. */
function finishWithError(socket: Duplex, error: ApiError): void {
  const requestId = randomUUID();
  const { status, headers, body } = answerError(error, undefined, requestId);
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  finish(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** The last two requests of each connection: a broken one, and the one whose answer goes before. */
const exchanges = new WeakMap<Duplex, { last: Exchange; previous: Exchange | undefined }>();

export function answerClientError(error: ParserError, socket: Socket): void {
  if (closing.has(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { last, previous } = exchanges.get(socket) ?? {};
  const broken = last?.request.complete === false ? last : undefined;
  const before = broken === undefined ? last : previous;
  const answer = () => {
    if (broken?.response.headersSent) finish(socket, '');
    else finishWithError(socket, explain(error));
  };
  if (before === undefined || before.response.closed || before.response.writableFinished) answer();
  else before.response.once('close', answer);
}

/** What node's server would answer by itself, without the envelope. */
export function coverServer(server: Server): void {
  server.on('request', (request, response) => {
    const before = exchanges.get(request.socket)?.last;
    // One whose answer is out is not kept: it would live, and be copied by the collector, through the next request.
    const previous = before?.response.writableFinished ? undefined : before;
    exchanges.set(request.socket, { last: { request, response }, previous });
  });
  server.on('connect', (_request, socket) => {
    const headers = { allow: 'GET, HEAD, POST' };
    finishWithError(socket, new ApiError('4050', 'CONNECT is not supported', { headers }));
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Node drops what is beyond its own maximum without a word; all are kept, and too many are refused.
  server.maxHeadersCount = 0;
}
