import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { type Sql, sql } from '../src/db/sql.ts';
import {
  createKey,
  createStillClock,
  type Key,
  openWorld,
  signatureHeaders,
  signedCall,
  type World,
} from './world.ts';

const url = '/api/v1/transfers';

let world: World;
afterEach(() => world.close());

const setKey = (key: Key, change: Sql) =>
  world.db.query(sql`update api_keys set ${change} where id = ${key.apiKeyId}`);
const nonces = async (key: Key) =>
  (await world.db.query(sql`select 1 from api_nonces where api_key_id = ${key.apiKeyId}`)).length;
const codeOf = async (key: Key, nonce: string = randomUUID()) =>
  (await signedCall(world, key, { url, nonce })).json().code;

/** What may be wrong with a key whose signature holds, with the code that tells it, in the order in which it is judged. */
const wrongs: [string, Sql][] = [
  ['4031', sql`scopes = '{files:read}'`],
  ['4032', sql`ip_whitelist = '{203.0.113.1}'`],
  ['4016', sql`expires_at = '2020-01-01'`],
  ['4015', sql`status = 'REVOKED'`],
];

describe('a key that may not work here', () => {
  it('leaves no nonce behind, however often it calls, whether it was known before or not', async () => {
    world = await openWorld();
    for (const isKnown of [true, false]) {
      for (const [code, change] of wrongs) {
        const key = await createKey(world);
        if (isKnown) expect(await codeOf(key)).toBe('2000');
        await setKey(key, change);
        for (let calls = 0; calls < 3; calls += 1) expect(await codeOf(key)).toBe(code);
        expect([code, isKnown, await nonces(key)]).toEqual([code, isKnown, isKnown ? 1 : 0]);
      }
    }
  });

  it('is told status, address and scope in this order, and each before a nonce that was used', async () => {
    world = await openWorld();
    const key = await createKey(world);
    const nonce = randomUUID();
    expect(await codeOf(key, nonce)).toBe('2000');
    expect(await codeOf(key, nonce)).toBe('4014');
    for (const [code, change] of wrongs) {
      await setKey(key, change);
      expect([code, await codeOf(key, nonce)]).toEqual([code, code]);
    }
  });

  it('works again by the next request once it may, and with what it may by then', async () => {
    world = await openWorld();
    const key = await createKey(world);
    expect(await codeOf(key)).toBe('2000');
    for (const [code, change] of wrongs) {
      await setKey(key, change);
      expect(await codeOf(key)).toBe(code);
      await setKey(
        key,
        sql`scopes = '{transfers:read}', ip_whitelist = '{127.0.0.0/8}', expires_at = now() + interval '1 day', status = 'ACTIVE'`,
      );
      expect(await codeOf(key)).toBe('2000');
    }
  });

  it('is refused with 4290 beyond the limit of bad signatures, which a right request never meets', async () => {
    world = await openWorld({ clock: createStillClock(), env: { PORTICO_LIMIT_BAD_SIGNATURE: '1/3' } });
    for (const [code, change] of wrongs) {
      const key = await createKey(world);
      await setKey(key, change);
      const codes = [];
      for (let calls = 0; calls < 4; calls += 1) codes.push(await codeOf(key));
      expect(codes).toEqual([code, code, code, '4290']);
      expect(await codeOf({ ...key, secret: 'sk_live_wrong' })).toBe('4290');
      await setKey(
        key,
        sql`scopes = '{transfers:read}', ip_whitelist = '{}', expires_at = null, status = 'ACTIVE'`,
      );
      expect(await codeOf(key)).toBe('2000');
    }
  });
});

describe('a key beyond its rate', () => {
  const openLimited = async () => {
    world = await openWorld({ clock: createStillClock(), env: { PORTICO_LIMIT_LIVE: '1/5' } });
    return createKey(world);
  };

  it('leaves as many nonces behind as its rate lets requests pass, also when they come at once', async () => {
    const key = await openLimited();
    const codes = await Promise.all(Array.from({ length: 12 }, () => codeOf(key)));
    expect(codes.filter((code) => code === '2000')).toHaveLength(5);
    expect(codes.filter((code) => code === '4290')).toHaveLength(7);
    expect(await nonces(key)).toBe(5);
  });

  it('is told of a nonce that was used before it is told of its rate, by every instance', async () => {
    const key = await openLimited();
    const nonce = randomUUID();
    expect(await codeOf(key, nonce)).toBe('2000');
    for (let calls = 0; calls < 4; calls += 1) expect(await codeOf(key)).toBe('2000');
    expect([await codeOf(key, nonce), await codeOf(key)]).toEqual(['4014', '4290']);
    const other = await openWorld({
      clock: world.clock,
      database: world.database,
      env: { PORTICO_LIMIT_LIVE: '1/1' },
    });
    expect((await signedCall(other, key, { url })).statusCode).toBe(200);
    expect((await signedCall(other, key, { url, nonce })).json().code).toBe('4014');
    expect((await signedCall(other, key, { url })).json().code).toBe('4290');
    await other.close();
  });

  it('may send a request again that was refused for its rate', async () => {
    world = await openWorld({ clock: createStillClock(), env: { PORTICO_LIMIT_LIVE: '1/1' } });
    const key = await createKey(world);
    expect(await codeOf(key)).toBe('2000');
    const headers = signatureHeaders(world, key, { url });
    const send = async () => (await world.app.inject({ url, headers })).json().code;
    expect(await send()).toBe('4290');
    world.clock.advance(2);
    expect([await send(), await send()]).toEqual(['2000', '4014']);
  });

  it('loses none of it to requests that are sent again', async () => {
    const key = await openLimited();
    const nonce = randomUUID();
    expect(await codeOf(key, nonce)).toBe('2000');
    const replays = await Promise.all(Array.from({ length: 8 }, () => codeOf(key, nonce)));
    expect(new Set(replays)).toEqual(new Set(['4014']));
    for (let calls = 0; calls < 4; calls += 1) expect(await codeOf(key)).toBe('2000');
    expect(await codeOf(key)).toBe('4290');
  });
});
