import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createVault } from '../src/auth/secrets/vault.ts';
import { sql } from '../src/db/sql.ts';
import { createDatabase } from './database.ts';
import { newChannel } from './suites/command-targets.ts';
import { channelsUrl } from './support/deliveries.ts';
import { type Call, createKey, openWorld, portalCall, signedCall, signIn, type World } from './world.ts';

const key = (fill: number) => Buffer.alloc(32, fill);

describe('the vault', () => {
  const vault = createVault(key(1));

  it('opens what it sealed, for the same owner alone', () => {
    const sealed = vault.seal('sk_live_s3cret – ü', 'a');
    expect(vault.open(sealed, 'a')).toBe('sk_live_s3cret – ü');
    expect(() => vault.open(sealed, 'b')).toThrow();
  });

  it('seals the same secret differently each time', () => {
    expect(vault.seal('x', 'a').equals(vault.seal('x', 'a'))).toBe(false);
  });

  it('refuses sealed bytes with any bit changed', () => {
    const sealed = vault.seal('secret', 'a');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => vault.open(changed, 'a')).toThrow();
    }
  });

  it('opens with a former key what that key sealed, and not without it', () => {
    const old = createVault(key(2)).seal('x', 'a');
    expect(createVault(key(1), [key(2)]).open(old, 'a')).toBe('x');
    expect(() => vault.open(old, 'a')).toThrow('not configured');
  });
});

const done = async (world: World, token: string, call: Call) =>
  (await portalCall(world, token, call)).json().data;

describe('the master key', () => {
  it('can be rotated: keys and tokens go on working, and the old key is then needed no more', async () => {
    const database = await createDatabase();
    const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    const before = await openWorld({ database, env: { PORTICO_MASTER_KEY: first } });
    const apiKey = await createKey(before);
    const token = await signIn(before);
    const { channelId } = await done(before, token, { url: channelsUrl, body: newChannel });
    await before.close();

    const during = await openWorld({
      database,
      env: { PORTICO_MASTER_KEY: second, PORTICO_MASTER_KEY_PREVIOUS: first },
    });
    expect((await signedCall(during, apiKey, { url: '/api/v1/transfers' })).statusCode).toBe(200);
    await during.close();

    const after = await openWorld({ database, env: { PORTICO_MASTER_KEY: second } });
    expect((await signedCall(after, apiKey, { url: '/api/v1/transfers' })).statusCode).toBe(200);
    expect((await portalCall(after, token, { method: 'GET', url: '/web/v1/auth/me' })).statusCode).toBe(200);
    const [row] = await after.db.query<{ count: number }>(sql`
      select count(*) as count from api_key_secrets where substring(sealed from 1 for 8) = ${createVault(Buffer.from(first, 'base64')).keyId}`);
    expect(row?.count).toBe(0);
    const rotated = await done(after, token, { url: `${channelsUrl}/${channelId}/rotate-secret` });
    expect(rotated.secret).toMatch(/^whsec_/);
    await after.close();
    await database.drop();
  });

  it('that does not open what the database holds stops the start with one line', async () => {
    const database = await createDatabase();
    const world = await openWorld({ database });
    await world.close();
    const other = { PORTICO_MASTER_KEY: randomBytes(32).toString('base64') };
    await expect(openWorld({ database, env: other })).rejects.toThrow(
      /^PORTICO_MASTER_KEY: the database holds secrets under another master key/,
    );
    await database.drop();
  });
});
