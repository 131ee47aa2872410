import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { type Environment, loadConfig } from '../src/config.ts';
import { startServer } from '../src/server.ts';
import { createDatabase } from './database.ts';

const home = mkdtempSync(join(tmpdir(), 'portico-no-store-'));
const database = await createDatabase();
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await database.drop();
});

const start = (env: Environment) =>
  startServer(
    loadConfig({
      PORT: '0',
      PORTICO_DEMO: '1',
      PORTICO_HOME: home,
      PORTICO_MASTER_KEY: Buffer.alloc(32).toString('base64'),
      DATABASE_URL: database.url,
      ...env,
    }),
    pino({ level: 'silent' }),
  );

it('a store that cannot be used ends the start with one line that names its setting and no secret', async () => {
  writeFileSync(join(home, 'files'), 'in the way');
  await expect(start({})).rejects.toThrow(/^PORTICO_HOME: the store of files cannot be used: [^\n]+$/);
  const store = {
    endpoint: 'http://127.0.0.1:1',
    region: 'x',
    bucket: 'bucket',
    accessKeyId: 'id',
    secretAccessKey: 's3cret',
  };
  const refused = await start({ PORTICO_S3: JSON.stringify(store) }).catch((error: Error) => error.message);
  expect(refused).toMatch(/^PORTICO_S3: the store of files cannot be used: [^\n]+$/);
  expect(refused).not.toContain('s3cret');
});
