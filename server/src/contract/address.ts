import { BlockList, isIPv4, isIPv6 } from 'node:net';

type Family = 'ipv4' | 'ipv6';
export type Address = { text: string; family: Family };
export type Network = Address & { prefix: number };

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const mappedHex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i;

function foldMapped(text: string): string {
  const dotted = mapped.exec(text)?.[1];
  if (dotted !== undefined) return dotted;
  const hex = mappedHex.exec(text);
  if (hex === null) return text;
  const [high, low] = [Number.parseInt(hex[1] ?? '', 16), Number.parseInt(hex[2] ?? '', 16)];
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** The shortest spelling of an IPv6 address, so that every way to write a mapped address is recognised. */
function compress(text: string): string {
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

/** Four decimal octets without leading zeros, or IPv6 without a zone; an IPv4-mapped address folds to IPv4. */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return { text, family: 'ipv4' };
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const folded = foldMapped(compress(text));
  return { text: folded, family: isIPv4(folded) ? 'ipv4' : 'ipv6' };
}

/** An address or a CIDR block. Host bits are allowed and do not matter. */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/');
  const base = slash === -1 ? text : text.slice(0, slash);
  const address = parseAddress(base);
  if (address === undefined) return undefined;
  const width = isIPv4(base) ? 32 : 128;
  const digits = slash === -1 ? String(width) : text.slice(slash + 1);
  if (!/^(0|[1-9][0-9]{0,2})$/.test(digits) || Number(digits) > width) return undefined;
  const prefix = Number(digits);
  if (width === 32 || address.family === 'ipv6') return { ...address, prefix };
  return prefix >= 96
    ? { ...address, prefix: prefix - 96 }
    : { text: compress(base), family: 'ipv6', prefix };
}

export type NetworkSet = { has(address: Address): boolean };

export function networkSet(networks: readonly Network[]): NetworkSet {
  // Two lists, as one list would let an IPv6 rule such as ::/0 admit IPv4 addresses in their mapped form.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const { text, prefix, family } of networks) lists[family].addSubnet(text, prefix, family);
  return { has: ({ text, family }) => lists[family].check(text, family) };
}

/** Whether every address of one network is in the other. */
export function isWithin(inner: Network, outer: Network): boolean {
  return inner.family === outer.family && inner.prefix >= outer.prefix && networkSet([outer]).has(inner);
}

export const loopback = networkSet([
  { text: '127.0.0.0', family: 'ipv4', prefix: 8 },
  { text: '::1', family: 'ipv6', prefix: 128 },
]);

/** The first so many of the eight numbers of an IPv6 address. */
function prefixOf(text: string, numbers: number): string {
  const [head = '', tail = ''] = text.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === '' ? [] : tail.split(':');
  const zeros = text.includes('::') ? Array.from({ length: 8 - front.length - back.length }, () => '0') : [];
  return `${[...front, ...zeros, ...back].slice(0, numbers).join(':')}::/${numbers * 16}`;
}

/** One household's share of addresses: an IPv4 address, or the /64 of an IPv6 one. */
export function addressGroup(text: string | undefined): string {
  return text === undefined || isIPv4(text) ? (text ?? 'unknown') : prefixOf(text, 4);
}

/** What one site has of IPv6: a /48, with 65,536 households to send from. */
export function addressSite(text: string | undefined): string | undefined {
  return text === undefined || isIPv4(text) ? undefined : prefixOf(text, 3);
}
