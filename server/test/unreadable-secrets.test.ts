import { afterEach, describe, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { createKey, type Key, openWorld, signedCall, type World } from './world.ts';

const url = '/api/v1/transfers';
const unknown = 'the API key is unknown or the signature does not match';

let world: World;
afterEach(() => world.close());

const damages = {
  'is cut off': sql`''::bytea`,
  'was changed': sql`set_byte(sealed, length(sealed) - 1, get_byte(sealed, length(sealed) - 1) # 1)`,
  'is of another master key': sql`set_byte(sealed, 0, get_byte(sealed, 0) # 1)`,
};

async function damage(key: Key, sealed: (typeof damages)[keyof typeof damages]): Promise<void> {
  await world.db.query(sql`update api_key_secrets set sealed = ${sealed} where api_key_id = ${key.apiKeyId}`);
}

const notices = (key: Key) =>
  world
    .logs()
    .split('\n')
    .filter((line) => line.includes('cannot be read') && line.includes(key.apiKeyId));

describe.each(Object.entries(damages))('a sealed secret that %s', (_how, sealed) => {
  it('leaves unknown key ids what they are, also when it is the only one or the first of all', async () => {
    world = await openWorld();
    const key = await createKey(world);
    await damage(key, sealed);
    for (const apiKeyId of ['ak_live_unknown', 'ak_test_unknown']) {
      const response = await signedCall(world, { apiKeyId, secret: key.secret }, { url });
      expect([response.statusCode, response.json().message]).toEqual([401, expect.stringContaining(unknown)]);
    }
  });

  it('refuses its own key with 4012, is logged once, and keeps every other key as it was', async () => {
    world = await openWorld();
    const [broken, whole] = [await createKey(world), await createKey(world)];
    await damage(broken, sealed);
    for (let calls = 0; calls < 3; calls += 1) {
      const response = await signedCall(world, broken, { url });
      expect([response.statusCode, response.json().code]).toEqual([401, '4012']);
    }
    expect((await signedCall(world, whole, { url })).statusCode).toBe(200);
    expect(notices(broken)).toHaveLength(1);
    expect(JSON.parse(notices(broken)[0] ?? '')).toMatchObject({ level: 50, apiKeyId: broken.apiKeyId });
    expect(notices(whole)).toEqual([]);
  });

  it('of a LIVE key does not keep a TEST key of its workspace from being told its mistake', async () => {
    world = await openWorld();
    await damage(await createKey(world), sealed);
    const live = await createKey(world);
    const test = await createKey(world, { mode: 2 });
    const response = await signedCall(world, { ...test, secret: live.secret }, { url });
    expect([response.statusCode, response.json().message]).toEqual([
      401,
      'the signature does not match: the secret is that of a LIVE key',
    ]);
  });
});
