import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leftOf, signedUpload, upload } from '../../../test/support/files.ts';
import { createKey, openWorld, tokenOf, type World } from '../../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('an upload that the disk does not take is 503 5030 with Retry-After and one line of log without a stack; the next is kept once it does', async () => {
  const owner = await tokenOf(world, 'ACC_DEMO_OWNER');
  const key = await createKey(world, { scopes: ['files:write'] });
  const { folder } = world.services.config.files;
  const incoming = join(folder, 'incoming');
  mkdirSync(folder, { recursive: true });
  writeFileSync(incoming, 'in the way');
  const before = await leftOf(world);
  const refused = [await upload(world, owner, 'x'), await signedUpload(world, key, Buffer.from('x'))];
  for (const answer of refused)
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
      503,
      '5030',
      '1',
    ]);
  expect(world.logs()).toContain('EEXIST');
  expect(world.logs()).not.toMatch(/"stack"|request failed/);
  expect(await leftOf(world)).toEqual(before);
  rmSync(incoming);
  expect((await upload(world, owner, 'x')).statusCode).toBe(201);
});
