import { describe, expect, it } from 'vitest';
import { networks } from '../config/values.ts';
import { createLookup, createResolve, refuseTarget, Unreachable } from './reach.ts';

const notPublic = 'must not lead to an address that is not public';

const refusedAddresses = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::8.8.8.8',
  '64:ff9b:1:0:a:0:100::',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:808:808::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];
const publicAddresses = ['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'];
const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address);

describe('the target of a channel', () => {
  it.each(refusedAddresses)('is refused at %s', (address) => {
    expect(refuseTarget(`https://${inUrl(address)}/hooks`, [])).toBe(notPublic);
    expect(refuseTarget(`https://${inUrl(address)}:8443/`, networks('192.168.77.0/24'))).toBe(notPublic);
  });

  it.each(publicAddresses)('may be %s, by https alone', (address) => {
    expect(refuseTarget(`https://${inUrl(address)}/hooks`, [])).toBeUndefined();
    expect(refuseTarget(`http://${inUrl(address)}/hooks`, networks('127.0.0.0/8'))).toBe('must be https');
  });

  it.each([
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://127.1/',
    'https://017700000001/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
    'https://127。0。0。1/',
    'https://①②⑦.0.0.1/',
    'https://0xa9fea9fe/latest/meta-data',
    'https://2852039166/',
    'https://[0:0:0:0:0:ffff:7f00:1]/',
    'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
    'https://[::FFFF:127.0.0.1]/',
  ])('is refused however it spells its address: %s', (url) => {
    expect(refuseTarget(url, [])).toBe(notPublic);
  });

  it.each([
    ['ftp://partner.example/', 'must be a URL that begins with https://'],
    ['file:///etc/passwd', 'must be a URL that begins with https://'],
    ['partner.example/hooks', 'must be a URL that begins with https://'],
    ['https://', 'must be a URL that begins with https://'],
    ['https://name:password@partner.example/', 'must not hold a user or a password'],
    ['https://name@partner.example/', 'must not hold a user or a password'],
    ['https://@partner.example/', 'must not hold a user or a password'],
    ['https://:@partner.example/', 'must not hold a user or a password'],
    ['https://partner.example/#', 'must not have a fragment'],
    ['https://partner.example/hooks#part', 'must not have a fragment'],
    ['https://partner.example:0/', 'must not have port 0'],
    ['https://partner.example:00/', 'must not have port 0'],
    ['https://[fe80::1%25eth0]/', 'must be a URL that begins with https://'],
    ['http://partner.example/', 'must be https'],
  ])('is refused as %s: %s', (url, refusal) => {
    expect(refuseTarget(url, [])).toBe(refusal);
  });

  it('may have an @ in its path, and is judged later when it is a name', () => {
    expect(refuseTarget('https://partner.example/@me?to=a@b', [])).toBeUndefined();
    expect(refuseTarget('https://localhost/', [])).toBeUndefined();
    expect(refuseTarget('http://localhost/', networks('127.0.0.0/8'))).toBeUndefined();
  });

  it('may be what an operator allows, by http too, in every spelling and in NAT64', () => {
    const allowed = networks('127.0.0.0/8,::1/128,10.1.0.0/16,fd00:1::/32');
    for (const host of [
      '127.0.0.1',
      '0x7f.1',
      '[::1]',
      '[::ffff:10.1.2.3]',
      '[64:ff9b::10.1.2.3]',
      '[fd00:1::5]',
    ])
      for (const protocol of ['http', 'https'])
        expect([host, refuseTarget(`${protocol}://${host}:9/`, allowed)]).toEqual([host, undefined]);
    expect(refuseTarget('https://10.2.0.1/', allowed)).toBe(notPublic);
    expect(refuseTarget('http://10.2.0.1/', allowed)).toBe(notPublic);
  });
});

describe('a name that is connected to', () => {
  const look = (addresses: string[], { isPlain = false, allow = '' } = {}) => {
    const lookup = createLookup({ isPlain, allowed: networks(allow), resolve: async () => addresses });
    return new Promise((resolve, reject) =>
      lookup('partner.example', { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
    );
  };

  it.each(refusedAddresses)('never leads to %s', async (address) => {
    await expect(look([address])).rejects.toThrow(Unreachable);
    expect(await look([address, '8.8.8.8'])).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });

  it('leads to public addresses by https alone', async () => {
    expect(await look(['8.8.8.8', '2606:4700::1111'])).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
    await expect(look(['8.8.8.8'], { isPlain: true, allow: '127.0.0.0/8' })).rejects.toThrow('must be https');
  });

  it('leads to what an operator allows, and of a mixture to that alone', async () => {
    const allow = '127.0.0.0/8';
    expect(await look(['8.8.8.8', '127.0.0.1', '::1'], { isPlain: true, allow })).toEqual([
      { address: '127.0.0.1', family: 4 },
    ]);
  });

  it('is this machine below localhost, whatever name servers say', async () => {
    const resolve = createResolve();
    for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost'])
      expect(await resolve(name)).toEqual(['127.0.0.1', '::1']);
  });
});
