import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { ApiError } from './api-error.ts';
import { acceptJson } from './body.ts';
import type { ErrorCode } from './catalogue.ts';
import { type Bounds, boundConnections } from './connections.ts';
import { answerClientError, type Covered, coverServer, headBytesMax, targetBytesMax } from './edge.ts';
import { answerError, toApiError } from './error-answer.ts';
import { explainMissingRoutes } from './not-found.ts';
import { logOutage } from './outages.ts';
import { headerValues, type Peers } from './peer.ts';
import { hasTooManyParameters, parametersMax, UnreadQuery } from './query.ts';
import { serializerOf } from './serialize.ts';

export type HttpTimeouts = { headersMs: number; requestMs: number };

const headersMax = 2000;

/** For a year, and for this host alone: what its subdomains serve is not ours to decide. */
const strictTransport = { 'strict-transport-security': 'max-age=31536000' };

const defaultTimeouts: HttpTimeouts = { headersMs: 15_000, requestMs: 30_000 };

type Over = (request: FastifyRequest, reply: FastifyReply) => void;

declare module 'fastify' {
  interface FastifyInstance {
    /** What happens where no hook sees it. */
    edge: {
      /** Of each request, also of one whose target no router reads, when its answer is out or its client has left. */
      onOver(listener: Over): void;
      /** Of an answer to what is no request. */
      onRefusal(listener: (code: ErrorCode) => void): void;
      /** What a request was told on the bare socket. */
      lastWord(request: IncomingMessage): ErrorCode | undefined;
      /** How many connections there are. */
      open(): number;
    } & Pick<Covered, 'expireOldest'>;
  }
  interface FastifyRequest {
    /** Who calls was put off to the handler's own statement. It goes before any other refusal, so a refusal asks it first. */
    askBeforeRefusing: (() => Promise<unknown>) | undefined;
  }
}

/** Of the service itself, which whoever runs it must hear of. */
const isFailure = (code: string) => code.startsWith('5') && code !== '5030';

/** Asks what was put off; what that throws goes before the refusal at hand. */
async function refuse(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { code } = toApiError(error);
  // Who is refused for asking too much must not cost a question more.
  const isCheap = code === '4290' || code === '5030';
  const first = isCheap
    ? undefined
    : await request.askBeforeRefusing?.().then(
        () => error,
        (earlier: Error) => earlier,
      );
  const told = first ?? error;
  const toldCode = toApiError(told).code;
  await request.server.holdBack(request, toldCode);
  if (reply.raw.destroyed && !isFailure(toldCode)) {
    reply.hijack(); // who has left is answered nothing: many who leave together would hold up those who stay
    return;
  }
  replyWithError(told, request, reply);
  await reply;
}

function replyWithError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const known = toApiError(error);
  if (isFailure(known.code)) request.log.error({ err: error }, 'request failed');
  else if (known.code === '5030') logOutage(error, request);
  request.refusedWith = known.code;
  const { status, headers, body } = answerError(known, request.headers.accept, request.id);
  reply.code(status).header('x-request-id', request.id).headers(headers).serializer(String).send(body);
}

/** What is wrong with the head of a request, wherever it is meant to go. */
function checkHead({ raw, url }: FastifyRequest): void {
  // The parser also takes 0.9 and 2.0, which are written otherwise.
  if (raw.httpVersion !== '1.1' && raw.httpVersion !== '1.0')
    throw new ApiError('4000', 'the request is not valid HTTP: its version must be 1.0 or 1.1');
  if (raw.rawHeaders.length > headersMax * 2)
    throw new ApiError('4310', `a request may have at most ${headersMax} headers`);
  if (Buffer.byteLength(url) > targetBytesMax)
    throw new ApiError('4140', `the request target must have at most ${targetBytesMax} bytes`);
  if (hasTooManyParameters(url))
    throw new ApiError('4140', `the request target must have at most ${parametersMax} parameters`);
  const hosts = headerValues(raw, 'host').length;
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1'))
    throw new ApiError('4000', 'Host must be sent once');
}

/** What is no request of an endpoint. Told behind the gate, as it would else cost nothing to ask for. */
export function refuseStrays(app: FastifyInstance, peers: Peers, basePath: string): void {
  app.addHook('onRequest', async (request) => {
    checkHead(request);
    peers.injectedHeader(request.raw, 'x-request-id');
  });
  explainMissingRoutes(app, basePath);
}

function addHeaders(app: FastifyInstance, basePath: string): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    // By the route, as a target can be spelt in several ways. Errors are never cached anyway.
    const path = (request.routeOptions.url ?? '').slice(basePath.length);
    if (path.startsWith('/web/') || path.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
}

function createEdge() {
  const over: Over[] = [];
  const refusals: ((code: ErrorCode) => void)[] = [];
  const lastWords = new WeakMap<IncomingMessage, ErrorCode>();
  return {
    onOver: (listener: Over) => void over.push(listener),
    onRefusal: (listener: (code: ErrorCode) => void) => void refusals.push(listener),
    lastWord: (request: IncomingMessage) => lastWords.get(request),
    watch(request: FastifyRequest, reply: FastifyReply) {
      reply.raw.once('close', () => {
        for (const tell of over) tell(request, reply);
      });
    },
    refused(code: ErrorCode, request?: IncomingMessage) {
      if (request !== undefined) lastWords.set(request, code);
      else for (const tell of refusals) tell(code);
    },
  };
}

/** The HTTP server and everything about HTTP that holds for every route. */
export function createHttp(options: {
  peers: Peers;
  basePath: string;
  /** Browsers reach the service over https. */
  isHttps?: boolean;
  logger: FastifyBaseLogger;
  timeouts?: HttpTimeouts;
  connections?: Bounds;
}): FastifyInstance {
  const { headersMs, requestMs } = options.timeouts ?? defaultTimeouts;
  const { watch, refused, ...edge } = createEdge();
  const cover = { common: options.isHttps ? strictTransport : {}, refused };
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: (request) => options.peers.requestId(request),
    requestIdHeader: false,
    requestTimeout: 0, // node's own knows no request that may take its time
    return503OnClosing: false,
    http: {
      maxHeaderSize: headBytesMax,
      requireHostHeader: false, // checked in checkHead: node's own answer has no envelope
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.min(1000, requestMs),
    },
    routerOptions: { maxParamLength: targetBytesMax, querystringParser: (text) => new UnreadQuery(text) },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, cover),
    frameworkErrors(error, request, reply) {
      watch(request, reply);
      void refuse(error, request, reply);
    },
  });
  // Bodies, queries and paths are read in the order of the contract by the handlers; schemas describe and serialise.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(serializerOf);
  const { isIdle, expireOldest } = coverServer(app.server, cover, requestMs);
  const asked = { peers: options.peers, log: options.logger, isIdle };
  const open = boundConnections(app.server, asked, options.connections);
  app.decorate('edge', { ...edge, expireOldest, open });
  app.decorateRequest('askBeforeRefusing', undefined);
  app.setErrorHandler(refuse);
  app.addHook('onRequest', (request, reply, done) => {
    watch(request, reply);
    done();
  });
  addHeaders(app, options.basePath);
  acceptJson(app);
  return app;
}
