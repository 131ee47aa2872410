import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { ApiError } from './api-error.ts';
import { acceptJson, bodyBytesMax } from './body.ts';
import { answerClientError, coverServer, headBytesMax, targetBytesMax } from './edge.ts';
import { answerError, toApiError } from './error-answer.ts';
import { explainMissingRoutes } from './not-found.ts';
import type { Peers } from './peer.ts';

export type HttpTimeouts = { headersMs: number; requestMs: number };

const defaultTimeouts: HttpTimeouts = { headersMs: 15_000, requestMs: 30_000 };

function replyWithError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const known = toApiError(error);
  if (known.code.startsWith('5')) request.log.error({ err: error }, 'request failed');
  const { status, headers, body } = answerError(known, request.headers.accept, request.id);
  reply.code(status).header('x-request-id', request.id).headers(headers).serializer(String).send(body);
}

function addHeaders(app: FastifyInstance, basePath: string): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    const path = request.url.slice(basePath.length);
    if (path.startsWith('/web/') || path.startsWith('/api/')) reply.header('cache-control', 'no-store');
    if (Buffer.byteLength(request.url) > targetBytesMax) {
      throw new ApiError('4140', `the request target must have at most ${targetBytesMax} bytes`);
    }
  });
}

/** The HTTP server and everything about HTTP that holds for every route. */
export function createHttp(options: {
  peers: Peers;
  basePath: string;
  logger: FastifyBaseLogger;
  timeouts?: HttpTimeouts;
}): FastifyInstance {
  const { headersMs, requestMs } = options.timeouts ?? defaultTimeouts;
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: (request) => options.peers.requestId(request),
    requestIdHeader: false,
    bodyLimit: bodyBytesMax,
    requestTimeout: requestMs,
    return503OnClosing: false,
    http: {
      maxHeaderSize: headBytesMax,
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.min(1000, requestMs),
    },
    routerOptions: { maxParamLength: targetBytesMax },
    clientErrorHandler: answerClientError,
    frameworkErrors: replyWithError,
  });
  // Bodies, queries and paths are read in the order of the contract by the handlers; schemas describe and serialise.
  app.setValidatorCompiler(() => () => true);
  app.setErrorHandler(replyWithError);
  coverServer(app.server);
  addHeaders(app, options.basePath);
  acceptJson(app);
  explainMissingRoutes(app);
  return app;
}
