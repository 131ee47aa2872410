import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Address, type Network, networkSet, parseAddress } from '../contract/address.ts';

/** NAT64: what is sent there arrives at the IPv4 address in its last 32 bits. */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** All that was given to networks so far. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** The address that a packet arrives at: of IPv6 that only carries an IPv4 address, the latter. */
function arrivalOf(text: string): Address | undefined {
  const address = parseAddress(text);
  if (address?.family !== 'ipv6') return address;
  const parsed = ipaddr.IPv6.parse(address.text);
  return parsed.match(translated)
    ? { text: parsed.toByteArray().slice(12).join('.'), family: 'ipv4' }
    : address;
}

/** By the registries of special addresses: whatever they name is nobody's on the internet. */
function isPublic({ text, family }: Address): boolean {
  if (family === 'ipv4') return ipaddr.IPv4.parse(text).range() === 'unicast';
  const address = ipaddr.IPv6.parse(text);
  return address.range() === 'unicast' && address.match(globalUnicast);
}

export class Unreachable extends Error {}

const notPublic = 'must not lead to an address that is not public';
const notHttps = 'must be https';

/** What an operator allows may be reached by plain http too; everything else by https, and only if it is public. */
function refuseAddress(text: string, isPlain: boolean, allowed: readonly Network[]): string | undefined {
  const address = arrivalOf(text);
  if (address === undefined) return notPublic;
  if (networkSet(allowed).has(address)) return undefined;
  if (!isPublic(address)) return notPublic;
  return isPlain ? notHttps : undefined;
}

/** The address that a URL names instead of a host. WHATWG URLs write all spellings of one alike. */
function literalOf({ hostname }: URL): string | undefined {
  const text = hostname.replace(/^\[(.*)\]$/, '$1');
  return parseAddress(text) && text;
}

/** What is wrong with a URL as such; a name is judged by the addresses that it has when it is connected to. */
export function refuseTarget(text: string, allowed: readonly Network[]): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol))
    return 'must be a URL that begins with https://';
  if (url.username !== '' || url.password !== '' || /^[^/?#]*\/\/[^/?#]*@/.test(text))
    return 'must not hold a user or a password';
  if (text.includes('#')) return 'must not have a fragment';
  if (url.port === '0') return 'must not have port 0';
  const isPlain = url.protocol === 'http:';
  const literal = literalOf(url);
  if (literal !== undefined) return refuseAddress(literal, isPlain, allowed);
  return isPlain && allowed.length === 0 ? notHttps : undefined;
}

export type Resolve = (name: string) => Promise<string[]>;

/**
 * Asks name servers itself: the system's lookup would hold one of few threads, and a name whose servers never answer
 * all of them. A name below localhost is this machine's, and no server is asked for it.
 */
export function createResolve({ timeoutMs, tries } = { timeoutMs: 2000, tries: 2 }): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  return async (name) => {
    if (/^(.+\.)?localhost\.?$/i.test(name)) return ['127.0.0.1', '::1'];
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new Unreachable('its name has no address');
    return addresses;
  };
}

type Way = { isPlain: boolean; allowed: readonly Network[]; resolve: Resolve };

/** Resolves a name for one connection, and gives the socket nothing but addresses that it may have. Nobody resolves it again. */
export function createLookup({ isPlain, allowed, resolve }: Way): LookupFunction {
  const find = async (name: string) => {
    const judged = (await resolve(name)).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
      refusal: refuseAddress(address, isPlain, allowed),
    }));
    const reachable = judged.filter(({ refusal }) => refusal === undefined);
    if (reachable.length === 0) throw new Unreachable(`its URL ${judged[0]?.refusal ?? notPublic}`);
    return reachable.map(({ address, family }) => ({ address, family }));
  };
  return (name, { all }, callback) => {
    find(name).then(
      (found) => {
        if (all === true) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}
