import { randomBytes } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastRecord, recorded, rowsOf, run, toolsOf } from '../../test/support/operator.ts';
import { openWorld, portalCall, signIn, type World } from '../../test/world.ts';
import { createVault } from '../auth/secrets/vault.ts';

let world: World;
let other: World;
beforeAll(async () => {
  world = await openWorld();
  other = await openWorld({ database: world.database, clock: world.clock });
});
afterAll(async () => {
  await other.close();
  await world.close();
});

describe('the signing key', () => {
  const kidOf = (token: string) => decodeProtectedHeader(token).kid;
  const isGood = async (at: World, token: string) =>
    (await portalCall(at, token, { method: 'GET', url: '/web/v1/auth/me' })).statusCode === 200;

  it('is rotated while instances run: old tokens hold, new ones carry the new key and hold everywhere', async () => {
    const old = await signIn(world);
    const { kid, previousKid } = await run(world, 'rotateSigningKey');
    expect(previousKid).toBe(kidOf(old));
    const changes = { kid: { from: previousKid, to: kid } };
    expect(await lastRecord(world)).toEqual(recorded('signing-key.rotated', String(kid), changes));
    await world.services.tokens.renewKeys(); // what the sweep does every minute
    const fresh = await signIn(world);
    expect(kidOf(fresh)).toBe(kid);
    world.clock.advance(10); // an instance looks for unknown keys every five seconds
    for (const at of [world, other])
      for (const token of [old, fresh]) expect(await isGood(at, token)).toBe(true);
    await other.services.tokens.renewKeys();
    expect(kidOf(await signIn(other))).toBe(kid);
    const [newest, before] = await rowsOf(world, 'signingKeys');
    expect(newest).toEqual({ kid, status: 'SIGNING', createdAt: expect.stringMatching(/\.\d{3}Z$/) });
    expect(before).toMatchObject({ kid: previousKid, status: 'VERIFYING' });
  });

  it('is not rotated under a master key that the instances do not have', async () => {
    const before = await rowsOf(world, 'signingKeys');
    const stranger = { ...toolsOf(world), vault: () => createVault(randomBytes(32)) };
    const rotation = run(world, 'rotateSigningKey', {}, stranger);
    await expect(rotation).rejects.toThrow('PORTICO_MASTER_KEY: the database holds secrets under another');
    expect(await rowsOf(world, 'signingKeys')).toEqual(before);
  });
});
