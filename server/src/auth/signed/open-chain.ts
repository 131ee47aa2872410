import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressGroup } from '../../contract/address.ts';
import { ApiError } from '../../contract/api-error.ts';
import { readBytes } from '../../contract/body.ts';
import { refuseUnknownParameters } from '../../contract/unknown-names.ts';
import { refuseIfLimited } from '../../limits/limits.ts';
import type { Services } from '../services.ts';
import { createAdmission } from './admission.ts';
import type { StoredKey } from './api-key-lookup.ts';
import type { RequiredScope } from './key-checks.ts';
import { type SignedParts, stringToSign } from './signature.ts';
import {
  checkTime,
  readSignatureHeaders,
  type SignatureHeaders,
  windowSeconds,
} from './signature-headers.ts';
import { createVerifier, type Signed } from './verify-signature.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope a key must have; any: at least one, whichever. */
    scope?: RequiredScope;
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
  const verifier = createVerifier(services, app.log);
  app.decorateRequest('identity', undefined);
  app.addHook('onRoute', ({ url, method, config: route }) => {
    if (route?.scope === undefined) throw new Error(`${url} must declare a scope`);
    const path = url.slice(config.basePath.length);
    for (const each of [method].flat()) signedRoutes.push({ method: each, path, scope: route.scope });
  });

  /** Judged only of a request that is refused anyway, so that a right one is never refused for the wrong ones of others. */
  const limitRefusals = async (apiKeyId: string, client: string | undefined) => {
    const name = `${apiKeyId}:${addressGroup(client)}`;
    refuseIfLimited(await limits.take('badSignature', name), 'requests that were refused');
  };
  const admit = createAdmission(services, verifier, async (refusal, { parts, use }) => {
    await limitRefusals(parts.apiKeyId, use.client);
    return refusal;
  });
  const refuse = async (key: StoredKey, signed: Signed, request: FastifyRequest) => {
    const client = peers.clientAddress(request.raw);
    await limitRefusals(signed.parts.apiKeyId, client);
    // An explanation costs a thousand hashes: unknown key ids must not buy them without end.
    const { allowed: mayExplain } = await limits.take('badSignature', `explained:${addressGroup(client)}`);
    return verifier.refusal(key, signed, { host: request.headers.host ?? '', mayExplain });
  };

  app.addHook('preParsing', async (request, reply, payload) => {
    const headers = readSignatureHeaders(request.raw);
    checkTime(headers.timestamp, now());
    const body = await readSignedBody(payload as Readable); // an IncomingMessage
    const parts = partsOf(request, config.basePath, headers, body);
    const client = peers.clientAddress(request.raw);
    const from = addressGroup(client);
    const signed = { parts, text: stringToSign(parts), given: headers.signature, from };
    const admission = await admit({
      ...signed,
      expiresAtMs: (Number(headers.timestamp) + windowSeconds + 1) * 1000,
      use: {
        client,
        scope: request.routeOptions.config.scope as RequiredScope, // declared, or onRoute had thrown
      },
    });
    if ('refused' in admission) throw await refuse(admission.refused, signed, request);
    const { key, version, address, verdict } = admission;
    reply.headers(verdict.headers);
    usage.note(key.apiKeyId, version, address, now());
    request.identity = { ...key, type: 'key', address, requestId: request.id };
    return Object.assign(Readable.from(body.length === 0 ? [] : [body]), {
      receivedEncodedLength: body.length,
    });
  });
  app.addHook('preHandler', refuseUnknownParameters);
}
