import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createStillClock, openWorld, portalCall, tokenOf, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';

const clock = createStillClock();
let world: World;
beforeAll(async () => {
  const env = { PORTICO_TRUSTED_PROXIES: '127.0.0.1', PORTICO_LIMIT_SIGN_IN: '5/5' };
  world = await openWorld({ clock, env });
});
afterAll(() => world.close());
afterEach(async () => {
  await world.db.query(sql`delete from device_codes`);
  clock.advance(3600);
});

const post = (path: string, body: object, address = '203.0.113.1', token?: string) =>
  portalCall(world, token, {
    url: `/web/v1/auth/device${path}`,
    body,
    headers: { 'x-forwarded-for': address },
  });
const start = (address?: string) => post('', {}, address);
const codeOf = async (answer: ReturnType<typeof post>) => (await answer).json().code;

/** Codes that wait, as many as wanted. */
const fill = (address: string, count: number) =>
  world.db.query(sql`
    insert into device_codes (device_hash, user_hash, address_group, created_at, expires_at)
    select sha256((${address} || n)::bytea), sha256(('u' || ${address} || n)::bytea), ${address}, now(), now() + interval '10 years'
    from generate_series(1, ${count}::int) n`);

describe('devices that ask', () => {
  it('are ten a minute from one address, and others are not touched', async () => {
    for (let asked = 0; asked < 10; asked += 1) expect(await codeOf(start())).toBe('2000');
    const refused = await start();
    expect([refused.json().code, refused.headers['retry-after']]).toEqual(['4290', '6']);
    expect(await codeOf(start('203.0.113.2'))).toBe('2000');
    clock.advance(6);
    expect(await codeOf(start())).toBe('2000');
  });

  it('may have 20 that wait from one address, and 200 from one /48', async () => {
    await fill('203.0.113.3', 20);
    expect(await codeOf(start('203.0.113.3'))).toBe('4290');
    expect(await codeOf(start('203.0.113.30'))).toBe('2000');
    await fill('2001:db8:1:1::/64', 19);
    expect(await codeOf(start('2001:db8:1:1::7'))).toBe('2000');
    expect(await codeOf(start('2001:db8:1:1::8'))).toBe('4290');
    for (let home = 2; home <= 11; home += 1) await fill(`2001:db8:1:${home}::/64`, 18);
    expect(await codeOf(start('2001:db8:1:ffff::1'))).toBe('4290');
    expect(await codeOf(start('2001:db8:10:1::1'))).toBe('2000');
  });

  it('are ten thousand in all; one more is 503 5030', async () => {
    await fill('elsewhere', 9_999);
    expect(await codeOf(start('203.0.113.4'))).toBe('2000');
    const refused = await start('203.0.113.5');
    expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([
      503,
      '5030',
      '60',
    ]);
  });
});

describe('polls', () => {
  it('that come too often are told to slow down with 4290, on this code alone', async () => {
    const { data: device } = (await start('203.0.113.6')).json();
    const { data: other } = (await start('203.0.113.6')).json();
    const poll = ({ deviceCode }: { deviceCode: string }) => post('/token', { deviceCode }, '203.0.113.6');
    for (const _early of [1, 2]) expect(await codeOf(poll(device))).toBe('4090');
    const refused = await poll(device);
    expect([refused.json().code, refused.headers['retry-after']]).toEqual(['4290', '5']);
    expect(await codeOf(poll(other))).toBe('4090');
    for (let polled = 0; polled < 5; polled += 1) {
      clock.advance(5);
      expect(await codeOf(poll(device))).toBe('4090');
    }
  });

  it('with codes that are not known are 600 a minute from one address', async () => {
    const codes = new Set<string>();
    for (let polled = 0; polled < 601; polled += 1)
      codes.add(await codeOf(post('/token', { deviceCode: `x${polled}` }, '203.0.113.7')));
    expect([...codes]).toEqual(['4040', '4290']);
  });
});

describe('guesses of user codes', () => {
  const paths = ['/lookup', '/confirm', '/deny'];
  const guess = (index: number, address: string, token: string) =>
    codeOf(post(paths[index % 3] ?? '', { userCode: 'BCDF-GHJK' }, address, token));

  it('are twenty a minute of one account from all addresses, right ones included', async () => {
    const token = await tokenOf(world, 'ACC_DEMO_OWNER');
    const codes: string[] = [];
    for (let guessed = 0; guessed < 21; guessed += 1)
      codes.push(await guess(guessed, `192.0.2.${guessed}`, token));
    expect(codes).toEqual([...Array.from({ length: 20 }, () => '4040'), '4290']);
    const { data } = (await start()).json();
    expect(await codeOf(post('/confirm', data, '192.0.2.99', token))).toBe('4290');
    const viewer = await tokenOf(world, 'ACC_DEMO_VIEWER');
    expect(await codeOf(post('/confirm', data, '192.0.2.99', viewer))).toBe('2000');
  });

  it('are sixty a minute from one address, whatever accounts it has', async () => {
    await world.db.query(sql`
      insert into accounts (biz_id, email, name) select 'ACC_G' || n, 'g' || n || '@demo.test', 'G' from generate_series(0, 3) n`);
    const codes: string[] = [];
    for (let account = 0; account < 4; account += 1) {
      const token = await tokenOf(world, `ACC_G${account}`);
      for (let guessed = 0; guessed < 16; guessed += 1)
        codes.push(await guess(guessed, '192.0.2.200', token));
    }
    expect(codes.indexOf('4290')).toBe(60);
  });
});
