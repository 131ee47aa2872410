import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressGroup } from '../../contract/address.ts';
import { ApiError } from '../../contract/api-error.ts';
import { bodyBytesMax, readBytes } from '../../contract/body.ts';
import { refuseUnknownParameters } from '../../contract/unknown-names.ts';
import { refuseIfLimited } from '../../limits/limits.ts';
import type { Services } from '../services.ts';
import { createAdmission } from './admission.ts';
import type { StoredKey } from './api-key-lookup.ts';
import type { RequiredScope } from './key-checks.ts';
import { type SignedParts, stringToSign } from './signature.ts';
import {
  checkTime,
  otherContent,
  readSignatureHeaders,
  readStatedHash,
  type SignatureHeaders,
  windowSeconds,
} from './signature-headers.ts';
import { createVerifier, explainedMax, type Signed } from './verify-signature.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope a key must have; any: at least one, whichever. */
    scope?: RequiredScope;
  }
  interface FastifyRequest {
    /** The hash that was signed of a body whose bytes the handler takes. It has to be what it reads. */
    statedHash: string | undefined;
  }
}

const empty = Buffer.alloc(0);

/** The request as its caller should have signed it. */
function partsOf(
  request: FastifyRequest,
  basePath: string,
  headers: SignatureHeaders,
  { body, statedHash }: Pick<SignedParts, 'body' | 'statedHash'>,
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
    statedHash,
  };
}

const mustState = () =>
  new ApiError(
    '4130',
    `a body of more than ${bodyBytesMax} bytes must state its SHA-256 in X-Content-Sha256`,
  );

/** A body that has to be whole before its signature can be judged. */
async function readSignedBody({ headers, routeOptions }: FastifyRequest, payload: Readable): Promise<Buffer> {
  const { takesBytes } = routeOptions.config;
  if (takesBytes && Number(headers['content-length'] ?? 0) > bodyBytesMax) throw mustState();
  const body = await readBytes(payload);
  if (body instanceof ApiError) throw takesBytes && body.code === '4130' ? mustState() : body;
  return body;
}

const asPayload = (body: Buffer) =>
  Object.assign(Readable.from(body.length === 0 ? [] : [body]), { receivedEncodedLength: body.length });

/** The body of a request whose signature holds: as it was signed, or as its handler reads it. */
async function admitBody(request: FastifyRequest, statedHash: string, payload: Readable): Promise<Readable> {
  if (request.routeOptions.config.takesBytes) {
    request.statedHash = statedHash;
    return payload;
  }
  const body = await readSignedBody(request, payload);
  const found = createHash('sha256').update(body).digest('hex');
  if (found !== statedHash) throw otherContent(statedHash, found);
  return asPayload(body);
}

/** A short body that nobody had to read yet, for who explains what is wrong with its signature. */
async function withBody(signed: Signed, { headers }: FastifyRequest, payload: Readable): Promise<Signed> {
  const length = Number(headers['content-length'] ?? 0);
  if (signed.parts.statedHash === undefined || length === 0 || length > explainedMax.bodyBytes) return signed;
  const body = await readBytes(payload);
  return body instanceof ApiError ? signed : { ...signed, parts: { ...signed.parts, body } };
}

/** What every signed endpoint passes, in the order in which it is told. */
export function guardOpenChain(app: FastifyInstance, services: Services): void {
  const { config, now, peers, limits, usage, signedRoutes } = services;
  const verifier = createVerifier(services, app.log);
  app.decorateRequest('identity', undefined);
  app.decorateRequest('statedHash', undefined);
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

  app.addHook('preParsing', async (request, reply, given) => {
    const payload = given as Readable; // an IncomingMessage
    const headers = readSignatureHeaders(request.raw);
    const statedHash = readStatedHash(request.raw);
    checkTime(headers.timestamp, now());
    const body = statedHash === undefined ? await readSignedBody(request, payload) : empty;
    const parts = partsOf(request, config.basePath, headers, { body, statedHash });
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
    if ('refused' in admission)
      throw await refuse(admission.refused, await withBody(signed, request, payload), request);
    const { key, version, address, verdict } = admission;
    reply.headers(verdict.headers);
    usage.note(key.apiKeyId, version, address, now());
    request.identity = { ...key, type: 'key', address, requestId: request.id };
    return statedHash === undefined ? asPayload(body) : admitBody(request, statedHash, payload);
  });
  app.addHook('preHandler', refuseUnknownParameters);
}
