import { randomUUID } from 'node:crypto';
import {
  type IncomingMessage,
  METHODS,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Socket } from 'node:net';
import { ApiError } from './api-error.ts';
import { type Arrivals, watchArrival } from './arrival.ts';
import { attachedTo } from './attached.ts';
import type { ErrorCode } from './catalogue.ts';
import { answerError } from './error-answer.ts';

/** The whole request head; node answers 431 beyond it. */
export const headBytesMax = 32 * 1024;
export const targetBytesMax = 8 * 1024;

/** Closed at once, a connection is reset, and a client that is still sending loses the answer. */
const linger = { idleMs: 2000, totalMs: 8000, bytesMax: 64 * 1024 * 1024 };

/** Fastify declares rawPacket as JSON would show it; it is a Buffer. */
type ParserError = Error & { code: string; rawPacket?: unknown; bytesParsed?: number };

/** A head that overflows before its first line ends: the target is what is too long. */
function isTargetOverflow({ rawPacket, bytesParsed }: ParserError): boolean {
  if (!Buffer.isBuffer(rawPacket)) return false;
  return /^[A-Z]+ [^ \r\n]*$/.test(rawPacket.toString('latin1', 0, bytesParsed));
}

const notHttp = () => new ApiError('4000', 'the request is not valid HTTP');

function explain(error: ParserError): ApiError {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('4080', 'the request did not arrive in time');
  if (error.code !== 'HPE_HEADER_OVERFLOW') return notHttp();
  return isTargetOverflow(error)
    ? new ApiError('4140', `the request target must have at most ${targetBytesMax} bytes`)
    : new ApiError('4310', `the request head must have at most ${headBytesMax} bytes`);
}

const closing = new WeakSet<Socket>();

/** Says the last word on a connection. What still arrives is thrown away, within bounds. */
function finish(socket: Socket, lastWord: string): void {
  closing.add(socket);
  const first = { atMs: performance.now(), bytes: socket.bytesRead };
  let last = first;
  const watch = setInterval(() => {
    const seen = { atMs: performance.now(), bytes: socket.bytesRead };
    const isTooMuch = seen.bytes - first.bytes > linger.bytesMax || seen.atMs - first.atMs > linger.totalMs;
    if (seen.bytes > last.bytes) last = seen;
    if (isTooMuch || seen.atMs - last.atMs > linger.idleMs) socket.destroy();
  }, 50).unref();
  socket.once('close', () => clearInterval(watch));
  // After CONNECT node listens no more, and an error that nobody hears would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(lastWord);
  socket.resume();
}

/** Stand on every answer, also on those that no route gives. */
type CommonHeaders = Readonly<Record<string, string>>;

/** An answer outside the app, which ends the connection. */
function lastAnswer(error: ApiError) {
  const requestId = randomUUID();
  const { status, headers, body } = answerError(error, undefined, requestId);
  const length = String(Buffer.byteLength(body));
  const more = { 'x-request-id': requestId, 'content-length': length, connection: 'close' };
  return { status, headers: { ...headers, ...more }, body };
}

/** Of a server: which request may be ended before its time, and which connection. */
export type Covered = Pick<Arrivals, 'expireOldest'> & { isIdle(socket: Socket): boolean };

/** What is told of answers that no route gives. */
export type Edge = {
  common: CommonHeaders;
  refused(code: ErrorCode, request?: IncomingMessage): void;
};

/** Answers on the bare socket, where there is no request to reply to. */
function finishWithError(
  socket: Socket,
  error: ApiError,
  { common, refused }: Edge,
  broken?: Exchange,
): void {
  refused(error.code, broken?.request);
  const { status, headers, body } = lastAnswer(error);
  const lines = Object.entries({ ...headers, ...common }).map(([name, value]) => `${name}: ${value}\r\n`);
  finish(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** The last two requests of each connection: a broken one, and the one whose answer goes before. */
const exchanges = attachedTo<Socket, { last: Exchange; previous: Exchange | undefined }>();

/** All its requests are answered, or none has come. */
const isIdle = (socket: Socket) => exchanges.get(socket)?.last.response.writableFinished !== false;

export function answerClientError(error: ParserError, socket: Socket, edge: Edge): void {
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
    else finishWithError(socket, explain(error), edge, broken);
  };
  if (before === undefined || before.response.closed || before.response.writableFinished) answer();
  else before.response.once('close', answer);
}

/** Node's parser also takes methods of RTSP, which no router knows: fastify would call that a bug of its own, at length. */
const methods = new Set(METHODS);

function refuse(response: ServerResponse, { refused }: Edge): void {
  refused('4000');
  const { status, headers, body } = lastAnswer(notHttp());
  response.writeHead(status, headers).end(body);
}

/**
 * What node calls after the last answer of a connection, also when the body of its request is still on the way. One for all of
 * them: what each had of its own would be kept from the collector, with the whole connection, long after its end.
 */
function destroySoon(this: Socket): void {
  if (exchanges.get(this)?.last.request.complete === false) finish(this, '');
  else Socket.prototype.destroySoon.call(this);
}

/** What node's server would answer by itself, without the envelope. */
export function coverServer(server: Server, edge: Edge, requestMs: number): Covered {
  const arrivals = watchArrival(server, requestMs, (socket) => {
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    answerClientError(late, socket, edge);
  });
  server.on('connection', (socket) => {
    socket.destroySoon = destroySoon;
  });
  const [handle] = server.listeners('request') as RequestListener[]; // fastify's own, from when it made the server
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const before = exchanges.get(request.socket)?.last;
    // One whose answer is out is not kept: it would live, and be copied by the collector, through the next request.
    const previous = before?.response.writableFinished ? undefined : before;
    exchanges.set(request.socket, { last: { request, response }, previous });
    arrivals.begin(request);
    for (const [name, value] of Object.entries(edge.common)) response.setHeader(name, value);
    if (methods.has(request.method ?? '')) handle?.(request, response);
    else refuse(response, edge);
  });
  server.on('connect', (_request, socket) => {
    const headers = { allow: 'GET, HEAD, POST' };
    const refusal = new ApiError('4050', 'CONNECT is not supported', { headers });
    finishWithError(socket as Socket, refusal, edge); // what the server listens to
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Node drops what is beyond its own maximum without a word; all are kept, and too many are refused.
  server.maxHeadersCount = 0;
  return { expireOldest: arrivals.expireOldest, isIdle };
}
