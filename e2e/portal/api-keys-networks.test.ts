import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isNetwork, readNetworks } from '../../portal/src/pages/api-keys/networks.ts';
import { parseNetwork } from '../../server/src/contract/address.ts';

const octet = fc.oneof(fc.nat(300).map(String), fc.constantFrom('0', '00', '01', '', '255'));
const ipv4 = fc.array(octet, { minLength: 3, maxLength: 5 }).map((octets) => octets.join('.'));
const group = fc.oneof(
  fc.nat(0x1ffff).map((each) => each.toString(16)),
  fc.constantFrom('', '0', '0000', 'FFFF'),
);
const ipv6 = fc.oneof(
  fc.ipV6(),
  fc.array(group, { minLength: 1, maxLength: 9 }).map((groups) => groups.join(':')),
  fc
    .tuple(fc.constantFrom('::', '::ffff:', '1:2:3:4:5:6:', '64:ff9b::'), ipv4)
    .map((parts) => parts.join('')),
);
const noise = fc.string({ unit: fc.constantFrom(...'0123456789abf.:/% []@?#'), maxLength: 20 });
const prefix = fc.oneof(
  fc.constant(''),
  fc.nat(140).map((bits) => `/${bits}`),
  fc.constantFrom('/', '/08', '/+8', '/8/8', '/ 8', '/1e1'),
);
const entry = fc.tuple(fc.oneof(ipv4, ipv6, noise), prefix).map((parts) => parts.join(''));

it('calls the same lines wrong as the service does', () => {
  fc.assert(
    fc.property(entry, (text) => isNetwork(text) === (parseNetwork(text) !== undefined)),
    { numRuns: 5000 },
  );
});

it('names the lines that are wrong, and counts them', () => {
  expect(readNetworks(' 10.0.0.1 \n\n::1/64')).toEqual({ entries: ['10.0.0.1', '::1/64'], problems: [] });
  expect(readNetworks('\nhere').problems).toEqual([
    'Line 2: “here” is not an IPv4 or IPv6 address or CIDR block',
  ]);
  const many = Array.from({ length: 101 }, () => '10.0.0.1').join('\n');
  expect(readNetworks(many).problems).toEqual(['At most 100 lines, not 101']);
});
