import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressGroup } from '../contract/address.ts';
import { ApiError } from '../contract/api-error.ts';
import { readBytes } from '../contract/body.ts';
import type { KeyFacts, StoredKey } from './api-key-lookup.ts';
import { checkAddress, checkScope, checkStatus, type RequiredScope } from './key-checks.ts';
import { refuseIfLimited } from './limits.ts';
import type { Services } from './services.ts';
import type { SignedParts } from './signature.ts';
import {
  checkTime,
  readSignatureHeaders,
  type SignatureHeaders,
  windowSeconds,
} from './signature-headers.ts';
import { createVerifier } from './verify-signature.ts';

export type Caller = KeyFacts & { address: string };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope a key must have; any: at least one, whichever. */
    scope?: RequiredScope;
  }
  interface FastifyRequest {
    apiKey: Caller;
  }
}

/** The request as its caller should have signed it. */
function partsOf(
  request: FastifyRequest,
  basePath: string,
  headers: SignatureHeaders,
  body: Buffer,
): SignedParts {
  const target = request.raw.url ?? '';
  const queryAt = target.indexOf('?');
  const whole = queryAt === -1 ? target : target.slice(0, queryAt);
  // By the number of its segments, as the router takes an encoded spelling of the base path and of /api too.
  const segments = whole.replace(/^https?:\/\/[^/]*/i, '').split('/');
  const path = ['', ...segments.slice(basePath.split('/').length)].join('/');
  return {
    ...headers,
    method: request.method,
    path,
    query: queryAt === -1 ? '' : target.slice(queryAt + 1),
    body,
  };
}

async function readSignedBody(payload: Readable): Promise<Buffer> {
  const body = await readBytes(payload);
  if (body instanceof ApiError) throw body;
  return body;
}

/** What every signed endpoint passes, in the order in which it is told. */
export function guardOpenChain(app: FastifyInstance, services: Services): void {
  const { config, now, peers, limits, usage, signedRoutes } = services;
  const { admit, refusal } = createVerifier(services);
  app.addHook('onRoute', ({ url, method, config: route }) => {
    if (route?.scope === undefined) throw new Error(`${url} must declare a scope`);
    const path = url.slice(config.basePath.length);
    for (const each of [method].flat()) signedRoutes.push({ method: each, path, scope: route.scope });
  });

  /** Judged only once a signature has failed, so that a right one is never refused for the wrong ones of others. */
  const refuse = async (key: StoredKey, parts: SignedParts, given: string, request: FastifyRequest) => {
    const from = addressGroup(peers.clientAddress(request.raw));
    refuseIfLimited(await limits.take('badSignature', `${parts.apiKeyId}:${from}`), 'wrong signatures');
    // An explanation costs a thousand hashes: unknown key ids must not buy them without end.
    const { allowed: mayExplain } = await limits.take('badSignature', `explained:${from}`);
    return refusal(key, parts, given, { host: request.headers.host ?? '', mayExplain });
  };

  const authenticate = async (request: FastifyRequest, payload: Readable) => {
    const headers = readSignatureHeaders(request.raw);
    checkTime(headers.timestamp, now());
    const body = await readSignedBody(payload);
    const parts = partsOf(request, config.basePath, headers, body);
    const client = peers.clientAddress(request.raw);
    const expiresAtMs = (Number(headers.timestamp) + windowSeconds + 1) * 1000;
    const admission = await admit(parts, headers.signature, expiresAtMs);
    if (admission.kind === 'refused') throw await refuse(admission.key, parts, headers.signature, request);
    if (admission.kind === 'replayed')
      throw new ApiError('4014', 'X-Nonce was used before with this API key');
    return { ...admission, client, body };
  };

  app.addHook('preParsing', async (request, reply, payload) => {
    const { key, version, client, body } = await authenticate(request, payload as Readable); // an IncomingMessage
    checkStatus(key, now());
    const address = checkAddress(key, client);
    checkScope(key, request.routeOptions.config.scope as RequiredScope); // declared, or onRoute had thrown
    const verdict = await limits.take(key.mode === 'LIVE' ? 'live' : 'test', key.apiKeyId);
    reply.headers(verdict.headers);
    refuseIfLimited(verdict, 'requests');
    usage.note(key.apiKeyId, version, address, now());
    request.apiKey = { ...key, address };
    return Object.assign(Readable.from(body.length === 0 ? [] : [body]), {
      receivedEncodedLength: body.length,
    });
  });
}
