import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopeCodes } from '../src/auth/signed/scopes.ts';
import type { Sample } from '../src/contract/signed-samples.ts';
import { createKey, type Key, openWorld, type World } from './world.ts';

const run = promisify(execFile);
let world: World;
let key: Key;
let folder: string;
beforeAll(async () => {
  world = await openWorld();
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  key = await createKey(world, { scopes: scopeCodes });
  folder = mkdtempSync(join(tmpdir(), 'portico-samples-'));
  writeFileSync(join(folder, 'passport.pdf'), '%PDF-1.7\n');
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

type Operation = { security?: object[]; 'x-codeSamples'?: Sample[] };

/** What the description says of each signed operation, by its name. */
async function samples(): Promise<Map<string, Sample[] | undefined>> {
  const { paths } = (await world.app.inject('/openapi.json')).json();
  const items = Object.entries(paths as Record<string, Record<string, Operation>>); // held by openapi.test.ts
  const operations = items.flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  );
  const isSigned = ({ security = [] }: Operation) => security.some((each) => 'signature' in each);
  for (const [name, operation] of operations)
    expect([name, operation['x-codeSamples'] !== undefined]).toEqual([name, isSigned(operation)]);
  return new Map(operations.map(([name, operation]) => [name, operation['x-codeSamples']]));
}

const paste = async (source: string) => {
  const env = {
    ...process.env,
    PORTICO_URL: world.app.listeningOrigin,
    PORTICO_KEY_ID: key.apiKeyId,
    PORTICO_SECRET: key.secret,
  };
  return (await run('bash', ['-euc', source], { cwd: folder, env })).stdout;
};

describe('the samples of signed requests', () => {
  it('are signed rightly, each as it is pasted, and name no secret', async () => {
    const told = new Map<string, string>();
    for (const [name, found] of await samples()) {
      const source = found?.[0]?.source;
      if (source === undefined) continue;
      expect(source).not.toMatch(/sk_|YOUR_/);
      const answer = await paste(source);
      told.set(name, answer.startsWith('{') ? JSON.parse(answer).code : answer.slice(0, 4));
    }
    expect(Object.fromEntries(told)).toEqual({
      'get /api/v1/channel-types': '2000',
      'get /api/v1/events': '2000',
      'get /api/v1/files': '2000',
      'post /api/v1/files': '2000',
      'get /api/v1/files/{bizId}': '2000',
      'delete /api/v1/files/{bizId}': '2000',
      // Deleted by the sample before.
      'get /api/v1/files/{bizId}/content': '4040',
      'get /api/v1/ping': '2000',
      'get /api/v1/transfers': '2000',
      'post /api/v1/transfers': '2000',
      'get /api/v1/transfers/{transferId}': '2000',
      // On its way already.
      'post /api/v1/transfers/{transferId}/cancel': '4091',
      'get /api/v1/whoami': '2000',
    });
  });

  it('of the command line name the same request', async () => {
    const all = await samples();
    const [, portico] = all.get('post /api/v1/transfers') ?? [];
    expect(portico?.source).toMatch(/^portico call POST '\/api\/v1\/transfers' --body '\{"amount":/);
    expect(all.get('get /api/v1/transfers')?.[1]?.source).toBe("portico call GET '/api/v1/transfers?size=5'");
    expect(all.get('post /api/v1/files')).toHaveLength(1);
  });
});
