import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Network, networkSet, parseAddress } from './address.ts';
import { ApiError } from './api-error.ts';

const requestIdShape = /^[A-Za-z0-9._-]{1,128}$/;

/** Every value a header was sent with; node joins or drops repeated ones elsewhere. */
export function headerValues(request: IncomingMessage, name: string): readonly string[] {
  const { rawHeaders } = request;
  return rawHeaders.filter(
    (_text, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  );
}

/** What may be believed of who sent a request. */
export type Peers = {
  isTrusted(request: IncomingMessage): boolean;
  isLocal(request: IncomingMessage): boolean;
  /** The client's address; undefined when a trusted proxy names one that cannot be read. */
  clientAddress(request: IncomingMessage): string | undefined;
  requestId(request: IncomingMessage): string;
  /** A header that only a trusted proxy may set: any other copy is ignored. */
  injectedHeader(request: IncomingMessage, name: string): string | undefined;
};

export function createPeers(trustedProxies: readonly Network[]): Peers {
  const proxies = networkSet(trustedProxies);
  const loopback = networkSet([
    { text: '127.0.0.0', family: 'ipv4', prefix: 8 },
    { text: '::1', family: 'ipv6', prefix: 128 },
  ]);
  const peerOf = (request: IncomingMessage) =>
    parseAddress(request.socket.remoteAddress?.replace(/%.*$/, '') ?? '');
  const isTrusted = (request: IncomingMessage) => {
    const peer = peerOf(request);
    return peer !== undefined && proxies.has(peer);
  };
  return {
    isTrusted,
    isLocal(request) {
      const peer = peerOf(request);
      return peer !== undefined && loopback.has(peer);
    },
    clientAddress(request) {
      let client = peerOf(request);
      const hops = headerValues(request, 'x-forwarded-for').join(',').split(',').reverse();
      for (const hop of hops) {
        if (client === undefined || !proxies.has(client)) break;
        if (hop.trim() === '' && hops.length === 1) break;
        client = parseAddress(hop.trim());
      }
      return client?.text;
    },
    requestId(request) {
      const given = isTrusted(request) ? headerValues(request, 'x-request-id') : [];
      return given.length === 1 && given[0] !== undefined && requestIdShape.test(given[0])
        ? given[0]
        : randomUUID();
    },
    injectedHeader(request, name) {
      const given = isTrusted(request) ? headerValues(request, name) : [];
      if (given.length > 1) throw new ApiError('4000', `${name} must be sent once`);
      return given[0];
    },
  };
}
