import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkSet, parseAddress, parseNetwork } from '../contract/address.ts';
import { ApiError } from '../contract/api-error.ts';
import { bodyBytesMax } from '../contract/body.ts';
import { findApiKey, type Mode, type StoredKey, secretOwner } from './api-key-lookup.ts';
import { newSecret } from './key-material.ts';
import { refuseIfLimited } from './limits.ts';
import type { Scope } from './scopes.ts';
import type { Services } from './services.ts';
import { signatureMatches, stringToSign } from './signature.ts';
import {
  checkTime,
  readSignatureHeaders,
  type SignatureHeaders,
  windowSeconds,
} from './signature-headers.ts';

export type Caller = { apiKeyId: string; workspaceId: number; mode: Mode; scopes: string[] };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope a key must have. */
    scope?: Scope;
  }
  interface FastifyRequest {
    apiKey: Caller;
  }
}

async function readBody(payload: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of payload) {
    length += chunk.length;
    if (length > bodyBytesMax) throw new ApiError('4130', `the body must have at most ${bodyBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Does the same work for a key that does not exist, with a secret nobody has. */
function createVerifier({ vault, db }: Services) {
  const nobody: StoredKey = {
    apiKeyId: 'nobody',
    workspaceId: 0,
    mode: 'LIVE',
    status: 'REVOKED',
    scopes: [],
    ipWhitelist: [],
    expiresAt: null,
    secrets: [{ version: 1, sealed: vault.seal(newSecret('live'), secretOwner('nobody', 1)) }],
  };
  return async (headers: SignatureHeaders, text: string): Promise<StoredKey | undefined> => {
    const found = await findApiKey(db, headers.apiKeyId);
    const key = found ?? nobody;
    const matches = key.secrets.map(({ sealed, version }) =>
      signatureMatches(vault.open(sealed, secretOwner(key.apiKeyId, version)), text, headers.signature),
    );
    return matches.includes(true) ? found : undefined;
  };
}

function checkStatus({ status, expiresAt }: StoredKey, nowMs: number): void {
  if (status !== 'ACTIVE') throw new ApiError('4015', `the API key is ${status.toLowerCase()}`);
  if (expiresAt !== null && Date.parse(expiresAt) <= nowMs)
    throw new ApiError('4016', 'the API key has expired');
}

function checkAddress({ ipWhitelist }: StoredKey, client: string | undefined): void {
  const address = client === undefined ? undefined : parseAddress(client);
  if (address === undefined) throw new ApiError('4032', 'the client address cannot be read');
  if (ipWhitelist.length === 0) return;
  const networks = ipWhitelist.map(parseNetwork).filter((network) => network !== undefined);
  if (!networkSet(networks).has(address))
    throw new ApiError('4032', `the address ${address.text} is not on the IP whitelist of the API key`);
}

function checkScope({ scopes }: StoredKey, scope: Scope): void {
  if (!scopes.includes(scope)) throw new ApiError('4031', `the API key does not have the scope ${scope}`);
}

/** What every signed endpoint passes, in the order in which it is told. */
export function guardOpenChain(app: FastifyInstance, services: Services): void {
  const { config, now, peers, limits, nonces } = services;
  const verify = createVerifier(services);
  app.addHook('onRoute', ({ url, config: route }) => {
    if (route?.scope === undefined) throw new Error(`${url} must declare a scope`);
  });

  const authenticate = async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    const headers = readSignatureHeaders(request.raw);
    checkTime(headers.timestamp, now());
    const body = await readBody(payload);
    const [path = '', query = ''] = split(request.raw.url ?? '', '?');
    const text = stringToSign({
      ...headers,
      method: request.method,
      path: path.slice(config.basePath.length),
      query,
      body,
    });
    const client = peers.clientAddress(request.raw);
    const key = await verify(headers, text);
    if (key === undefined) {
      refuseIfLimited(await limits.take('badSignature', `${headers.apiKeyId}:${client}`), 'wrong signatures');
      throw new ApiError('4012', 'the API key is unknown or the signature does not match');
    }
    const expiresAtMs = (Number(headers.timestamp) + windowSeconds + 1) * 1000;
    if (!(await nonces.claim(key.apiKeyId, headers.nonce, expiresAtMs))) {
      throw new ApiError('4014', 'X-Nonce was used before with this API key');
    }
    return { key, client, body };
  };

  app.addHook('preParsing', async (request, _reply, payload) => {
    const { key, client, body } = await authenticate(request, payload);
    checkStatus(key, now());
    checkAddress(key, client);
    checkScope(key, request.routeOptions.config.scope as Scope); // declared, or onRoute had thrown
    refuseIfLimited(await limits.take(key.mode === 'LIVE' ? 'live' : 'test', key.apiKeyId), 'requests');
    request.apiKey = key;
    return Object.assign(Readable.from(body.length === 0 ? [] : [body]), {
      receivedEncodedLength: body.length,
    });
  });
}

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
