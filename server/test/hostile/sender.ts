import type { LightMyRequestResponse } from 'fastify';
import { type Answer, exchange, requestBytes } from '../raw-http.ts';
import { dummyTurnstile, type Key, signatureHeaders, type World } from '../world.ts';
import { spareKey } from './endpoints.ts';
import { type HostileRequest, liveToken, type Signer } from './requests.ts';

export type Senders = {
  world: World;
  port: number;
  keys: readonly Key[];
  /** Bearer tokens by caller. */
  tokens: ReadonlyMap<string, string>;
  refreshToken: string;
  spareKeyId: string;
};

type Pair = [name: string, value: string];

/** Seconds, well-formed, and outside of any window. */
const longAgo = 1_700_000_000;

function signedHeaders({ world, keys }: Senders, request: HostileRequest, signer: Signer): Pair[] {
  const key = keys[signer.key] as Key; // the generator knows how many there are
  const { mistake } = signer;
  const signs = mistake === 'secret' ? { ...key, secret: `${key.secret}x` } : key;
  const call = {
    method: request.method as 'GET', // whatever it is, it is signed as it is sent
    url: request.target,
    nonce: mistake === 'nonce' ? request.hostileText : signer.nonce,
    ...(mistake === 'timestamp' ? { timestamp: request.hostileText } : {}),
    ...(mistake === 'late' ? { timestamp: longAgo } : {}),
    ...(request.body === undefined ? {} : { body: request.body as unknown as string }), // Buffer.from takes both
  };
  const headers = signatureHeaders(world, signs, call);
  if (mistake === 'signature') headers['x-signature'] = request.hostileText;
  if (mistake === 'key') headers['x-api-key'] = request.hostileText;
  const pairs = Object.entries(headers);
  if (mistake === 'missing') pairs.splice(request.hostileText.length % 4, 1);
  if (mistake === 'repeated') pairs.push(...pairs.slice(0, 1));
  return pairs;
}

function headersOf(senders: Senders, request: HostileRequest): Pair[] {
  const named = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const token = senders.tokens.get(request.caller);
  const own: Pair[] = [['X-Turnstile-Token', dummyTurnstile]];
  if (token !== undefined) own.push(['Authorization', `Bearer ${token}`]);
  if (request.signer !== undefined) own.push(...signedHeaders(senders, request, request.signer));
  // On the wire a strange header stands beside the right one; injected, where none can be repeated, in its place.
  return [...own.filter(([name]) => request.onWire || !named.has(name.toLowerCase())), ...request.headers];
}

function fromInjected({ statusCode, headers, body }: LightMyRequestResponse): Answer {
  const lists = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().map(String)]);
  return { status: statusCode, headers: Object.fromEntries(lists), text: body };
}

export async function send(senders: Senders, request: HostileRequest): Promise<Answer> {
  const { method, onWire } = request;
  const target = request.target.replace(spareKey, senders.spareKeyId);
  const live = request.body?.includes(liveToken) === true;
  const body = live
    ? Buffer.from(request.body?.toString().replaceAll(liveToken, senders.refreshToken) ?? '')
    : request.body;
  const headers = headersOf(senders, request);
  if (onWire) {
    const bytes = requestBytes({ method, target, headers, ...(body === undefined ? {} : { body }) });
    return exchange(senders.port, bytes, { toHead: method === 'HEAD' });
  }
  const injected = await senders.world.app.inject({
    method: method as 'GET', // inject passes on whatever it is given
    url: target,
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { payload: body }),
  });
  return fromInjected(injected);
}
