import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from './raw-http.ts';
import { createKey, type Key, openWorld, type World } from './world.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-samples-'));
const filename = "Rechnung № 7 (ä) & 'mehr'!.pdf";
const bytes = randomBytes(1_200_000);
const scriptOf = (path: string) => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));

let world: World;
let key: Key;
let url: string;
beforeAll(async () => {
  writeFileSync(join(folder, filename), bytes);
  world = await openWorld();
  url = `http://127.0.0.1:${await listen(world)}`;
  key = await createKey(world, { mode: 2, scopes: ['files:write'] });
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

describe.each([
  ['bash', 'bash', 'bash/upload.sh'],
  ['Python', 'python3', 'python/upload.py'],
  ['Node', process.execPath, 'node/upload.mjs'],
])('the upload in %s', (_name, command, script) => {
  const run = (secret: string) =>
    promisify(execFile)(command, [scriptOf(script), join(folder, filename), '8'], {
      env: {
        PATH: process.env['PATH'] ?? '',
        PORTICO_URL: url,
        PORTICO_KEY_ID: key.apiKeyId,
        PORTICO_SECRET: secret,
      },
    });

  it('keeps the file under its name, and says what is wrong where it cannot', async () => {
    const { data } = JSON.parse((await run(key.secret)).stdout);
    const etag = createHash('sha256').update(bytes).digest('hex');
    expect(data).toMatchObject({ originalFilename: filename, etag, fileCategory: 'INVOICE' });
    const failure = await run(`${key.secret.slice(0, -1)}!`).catch((error: unknown) => error);
    expect(JSON.stringify(failure)).toContain('4012');
  });
});
