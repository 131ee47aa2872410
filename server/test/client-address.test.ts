import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  addressGroup,
  addressSite,
  type Network,
  networkSet,
  parseAddress,
  parseNetwork,
} from '../src/contract/address.ts';
import { createPeers } from '../src/contract/peer.ts';

describe('an address', () => {
  it.each(['0.0.0.0', '1.2.3.4', '255.255.255.255', '192.168.0.10'])('%s is IPv4', (text) => {
    expect(parseAddress(text)).toEqual({ text, family: 'ipv4' });
  });

  it.each([
    ['::', '::'],
    ['::1', '::1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['fe80::1', 'fe80::1'],
    ['::1.2.3.4', '::102:304'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['::ffff:0:1.2.3.4', '::ffff:0:102:304'],
    ['1::ffff:102:304', '1::ffff:102:304'],
  ])('%s is IPv6', (text, shortest) => {
    expect(parseAddress(text)).toEqual({ text: shortest, family: 'ipv6' });
  });

  it.each([
    '::ffff:1.2.3.4',
    '::FFFF:1.2.3.4',
    '::ffff:102:304',
    '::ffff:0102:0304',
    '0:0:0:0:0:ffff:1.2.3.4',
    '0000:0000:0000:0000:0000:ffff:0102:0304',
    '0::ffff:1.2.3.4',
    '::0:ffff:102:304',
    '0:0::0:ffff:1.2.3.4',
  ])('%s folds to IPv4', (text) => {
    expect(parseAddress(text)).toEqual({ text: '1.2.3.4', family: 'ipv4' });
  });

  it.each([
    '',
    ' ',
    ' 1.2.3.4',
    '1.2.3.4 ',
    '1.2.3.4\n',
    '01.2.3.4',
    '1.2.3.04',
    '1.2.3.00',
    '0x1.2.3.4',
    '0x01020304',
    '16909060',
    '1.2.3',
    '1.2.772',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.-4',
    '1.2.3.4:80',
    '１.２.３.４',
    '1。2。3。4',
    '1.2.3.4/32',
    'localhost',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    'g::',
    '[::1]',
    '[::1]:80',
    '::1%lo',
    'fe80::1%eth0',
    'fe80::1%25eth0',
    '::ffff:01.2.3.4',
    '::ffff:1.2.3',
    '::ffff:1.2.3.256',
    '::ffff:1.2.3.4%eth0',
    '\0',
    '1.2.3.4\0',
  ])('%j is none', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

const setOf = (...texts: string[]) => networkSet(texts.map((text) => parseNetwork(text) as Network)); // a bad one would throw inside

const admits = (network: string, address: string) => {
  const parsed = parseAddress(address);
  return parsed !== undefined && setOf(network).has(parsed);
};

describe('a network', () => {
  it.each([
    ['0.0.0.0/0', '203.0.113.9'],
    ['9.9.9.9/0', '1.2.3.4'],
    ['1.2.3.4', '1.2.3.4'],
    ['1.2.3.4/32', '1.2.3.4'],
    ['10.0.0.0/8', '10.255.255.255'],
    ['10.1.2.3/8', '10.9.9.9'],
    ['192.168.1.129/25', '192.168.1.255'],
    ['1.2.3.4/31', '1.2.3.5'],
    ['1.2.3.4', '::ffff:1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.0/120', '1.2.3.200'],
    ['::ffff:102:304/128', '1.2.3.4'],
    ['::/0', '2001:db8::1'],
    ['ffff::/0', '::1'],
    ['2001:db8::/32', '2001:db8:ffff::1'],
    ['2001:db8:1:2:3:4:5:6/64', '2001:db8:1:2:ffff::'],
    ['2001:DB8::1', '2001:db8:0::1'],
    ['::1/128', '0:0:0:0:0:0:0:1'],
    ['::1/127', '::'],
  ])('%s admits %s', (network, address) => {
    expect(admits(network, address)).toBe(true);
  });

  it.each([
    ['1.2.3.4', '1.2.3.5'],
    ['1.2.3.4/31', '1.2.3.6'],
    ['192.168.1.129/25', '192.168.1.127'],
    ['0.0.0.0/0', '::1'],
    ['0.0.0.0/0', '2001:db8::1'],
    ['::/0', '1.2.3.4'],
    ['::/0', '::ffff:1.2.3.4'],
    ['::ffff:0:0/95', '1.2.3.4'],
    ['::/1', '127.0.0.1'],
    ['::1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.0/120', '1.2.4.1'],
    ['2001:db8::/32', '2001:db9::1'],
    ['::1/128', '::2'],
  ])('%s does not admit %s', (network, address) => {
    expect(admits(network, address)).toBe(false);
  });

  it.each([
    '1.2.3.4/33',
    '1.2.3.4/08',
    '1.2.3.4/00',
    '1.2.3.4/-1',
    '1.2.3.4/+8',
    '1.2.3.4/',
    '1.2.3.4/ ',
    '1.2.3.4/ 8',
    '1.2.3.4/8 ',
    '1.2.3.4/8/8',
    '1.2.3.4//8',
    '1.2.3.4/8.0',
    '1.2.3.4/0x8',
    '1.2.3.4/1e1',
    '1.2.3.4/255.255.255.0',
    '1.2.3.4/٨',
    '1.2.3.4/999999999999999999999',
    '/',
    '/8',
    '1.2.3/8',
    '01.2.3.4/8',
    '::/129',
    '::/064',
    '::1%lo/128',
    '::1/64%lo',
    '::ffff:1.2.3.4/129',
    '*',
    '1.2.3.*',
    '1.2.3.4-1.2.3.9',
    '',
  ])('%j is none', (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });

  it('an empty set admits nobody', () => {
    expect(setOf().has({ text: '127.0.0.1', family: 'ipv4' })).toBe(false);
  });
});

describe('a household', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3:4::', '1:2:3:4::/64'],
    [undefined, 'unknown'],
  ])('of %s is %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });

  it.each([
    ['1.2.3.4', undefined],
    [undefined, undefined],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::6', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
  ])('of %s is of the site %s', (address, site) => {
    expect(addressSite(address)).toBe(site);
  });
});

function requestFrom(remoteAddress: string | undefined, ...forwarded: string[]): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  request.rawHeaders.push(...forwarded.flatMap((value) => ['X-Forwarded-For', value]));
  return request;
}

const proxies = ['10.0.0.0/8', '2001:db8:aaaa::/48'].map((text) => parseNetwork(text) as Network); // both are valid
const clientOf = (remote: string | undefined, ...forwarded: string[]) =>
  createPeers(proxies).clientAddress(requestFrom(remote, ...forwarded));

describe('the client address', () => {
  it.each([
    ['an untrusted peer is the client', '203.0.113.9', [], '203.0.113.9'],
    ['an untrusted peer cannot forge one', '203.0.113.9', ['1.1.1.1'], '203.0.113.9'],
    ['nor by saying that it came through a proxy', '203.0.113.9', ['1.1.1.1, 10.0.0.1'], '203.0.113.9'],
    ['a trusted proxy names the client', '10.0.0.1', ['1.1.1.1'], '1.1.1.1'],
    ['what stands left of the first untrusted is forged', '10.0.0.1', ['9.9.9.9, 1.1.1.1'], '1.1.1.1'],
    ['a chain of proxies is walked', '10.0.0.1', ['9.9.9.9, 1.1.1.1, 10.0.0.3, 10.0.0.2'], '1.1.1.1'],
    ['headers are one list', '10.0.0.1', ['9.9.9.9', '1.1.1.1, 10.0.0.2'], '1.1.1.1'],
    ['a proxy that only knows proxies', '10.0.0.1', ['10.0.0.2, 10.0.0.3'], '10.0.0.2'],
    ['a proxy that says nothing is the client', '10.0.0.1', [], '10.0.0.1'],
    ['a proxy that says nothing in a header', '10.0.0.1', [''], '10.0.0.1'],
    ['spaces do not matter', '10.0.0.1', [' \t1.1.1.1\t'], '1.1.1.1'],
    ['a mapped peer is IPv4', '::ffff:203.0.113.9', [], '203.0.113.9'],
    ['a mapped proxy is trusted', '::ffff:10.0.0.1', ['1.1.1.1'], '1.1.1.1'],
    ['a mapped client is IPv4', '10.0.0.1', ['::FFFF:101:101'], '1.1.1.1'],
    ['an IPv6 proxy is trusted', '2001:db8:aaaa::1', ['2001:db8::9'], '2001:db8::9'],
    ['the zone of a peer is its own affair', 'fe80::1%eth0', [], 'fe80::1'],
  ] as [string, string, string[], string][])('%s', (_name, remote, forwarded, client) => {
    expect(clientOf(remote, ...forwarded)).toBe(client);
  });

  it.each([
    ['nonsense', ['nonsense']],
    ['unknown', ['1.1.1.1, unknown']],
    ['an address with a port', ['1.1.1.1:80']],
    ['leading zeros', ['01.1.1.1']],
    ['a zone', ['fe80::1%eth0']],
    ['nothing after a comma', ['1.1.1.1,']],
    ['nothing between commas', ['1.1.1.1,,10.0.0.2']],
    ['an obfuscated name', ['_hidden']],
    ['quotes', ['"1.1.1.1"']],
    ['an empty header after one', ['1.1.1.1', '']],
  ])('of a trusted proxy that says %s cannot be read', (_name, forwarded) => {
    expect(clientOf('10.0.0.1', ...forwarded)).toBeUndefined();
  });

  it('of a peer that is gone cannot be read', () => {
    expect(clientOf(undefined)).toBeUndefined();
    expect(clientOf(undefined, '1.1.1.1')).toBeUndefined();
  });

  it('trusts nobody unless told', () => {
    const peers = createPeers([]);
    expect(peers.clientAddress(requestFrom('127.0.0.1', '1.1.1.1'))).toBe('127.0.0.1');
  });

  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['128.0.0.1', false],
    ['::2', false],
    ['10.0.0.1', false],
  ])('%s is local: %s', (remote, isLocal) => {
    expect(createPeers([]).isLocalClient(requestFrom(remote))).toBe(isLocal);
  });

  it('behind a proxy on this machine is not local, whether or not the proxy is known', () => {
    const loopback: Network = { text: '127.0.0.0', family: 'ipv4', prefix: 8 };
    for (const peers of [createPeers([]), createPeers([loopback])])
      expect(peers.isLocalClient(requestFrom('127.0.0.1', '203.0.113.9'))).toBe(false);
  });
});
