import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Address, addressGroup, loopback, type Network, networkSet, parseAddress } from './address.ts';
import { ApiError } from './api-error.ts';
import { attachedTo } from './attached.ts';

const requestIdShape = /^[A-Za-z0-9._-]{1,128}$/;

/** Every value a header was sent with; node joins or drops repeated ones elsewhere. */
export function headerValues(request: IncomingMessage, name: string): readonly string[] {
  const { rawHeaders } = request;
  let values = none;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] as string; // names and values alternate
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    if (values === none) values = [];
    values.push(rawHeaders[index + 1] as string);
  }
  return values;
}

const none: string[] = [];

const relayHeaders = ['x-forwarded-for', 'forwarded', 'via'];

/** What may be believed of who sent a request. */
export type Peers = {
  /** The client itself is on this machine, and not just a proxy that speaks for it. */
  isLocalClient(request: IncomingMessage): boolean;
  /** Who has opened a connection, as far as addresses tell; undefined for a trusted proxy, which opens them for many. */
  openerOf(socket: Socket): string | undefined;
  /** The client's address; undefined when a trusted proxy names one that cannot be read. */
  clientAddress(request: IncomingMessage): string | undefined;
  requestId(request: IncomingMessage): string;
  /** A header that only a trusted proxy may set: any other copy is ignored. */
  injectedHeader(request: IncomingMessage, name: string): string | undefined;
};

type Peer = { address: Address | undefined; isTrusted: boolean };

export function createPeers(trustedProxies: readonly Network[]): Peers {
  const proxies = networkSet(trustedProxies);
  /** A connection has one peer, and asking about it costs as much as the rest of a short request. */
  const peers = attachedTo<Socket, Peer>();
  const peerOf = (socket: Socket): Peer => {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    const address = parseAddress(socket.remoteAddress?.replace(/%.*$/, '') ?? '');
    const peer = { address, isTrusted: address !== undefined && proxies.has(address) };
    peers.set(socket, peer);
    return peer;
  };
  const isTrusted = ({ socket }: IncomingMessage) => peerOf(socket).isTrusted;
  const clientAddress = (request: IncomingMessage): string | undefined => {
    const peer = peerOf(request.socket);
    if (!peer.isTrusted) return peer.address?.text;
    const hops = headerValues(request, 'x-forwarded-for').join(',');
    if (hops.trim() === '') return peer.address?.text;
    let client = peer.address;
    // From behind, and no further than is believed: what stands before was sent by anyone, at any length.
    for (let end = hops.length; end >= 0 && client !== undefined && proxies.has(client); ) {
      const start = hops.lastIndexOf(',', end - 1) + 1;
      client = parseAddress(hops.slice(start, end).trim());
      end = start - 1;
    }
    return client?.text;
  };
  return {
    isLocalClient(request) {
      // A proxy that nobody named as such still tells that it is one.
      const isRelayed =
        !isTrusted(request) && relayHeaders.some((name) => headerValues(request, name).length > 0);
      const client = parseAddress(clientAddress(request) ?? '');
      return !isRelayed && client !== undefined && loopback.has(client);
    },
    openerOf(socket) {
      const { isTrusted, address } = peerOf(socket);
      return isTrusted ? undefined : addressGroup(address?.text);
    },
    clientAddress,
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
