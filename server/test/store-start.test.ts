import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { type Environment, loadConfig } from '../src/config.ts';
import { startServer } from '../src/server.ts';
import { createDatabase } from './database.ts';
import { givesUpWithin } from './support/giving-up.ts';

const home = mkdtempSync(join(tmpdir(), 'portico-no-store-'));
const database = await createDatabase();
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await database.drop();
});

const start = (env: Environment, signal?: AbortSignal) =>
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
    signal,
  );

const storeAt = (port: number) =>
  JSON.stringify({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'x',
    bucket: 'bucket',
    accessKeyId: 'id',
    secretAccessKey: 's3cret',
  });

it('a store that cannot be used ends the start with one line that names its setting and no secret', async () => {
  writeFileSync(join(home, 'files'), 'in the way');
  await expect(start({})).rejects.toThrow(/^PORTICO_HOME: the store of files cannot be used: [^\n]+$/);
  // Node's own way to make a folder with those above it tries for ever here.
  await expect(start({ PORTICO_HOME: '/proc/nowhere' })).rejects.toThrow(
    /^PORTICO_HOME: the store of files cannot be used: [^\n]+ENOENT[^\n]+$/,
  );
  const refused = await start({ PORTICO_S3: storeAt(1) }).catch((error: Error) => error.message);
  expect(refused).toMatch(/^PORTICO_S3: the store of files cannot be used: [^\n]+$/);
  expect(refused).not.toContain('s3cret');
});

it('a start that waits for a store that never answers is given up when it is told to stop', async () => {
  const held = new Set<Socket>();
  const mute = createServer((socket) => void held.add(socket)).listen(0, '127.0.0.1');
  await expect.poll(() => mute.listening).toBe(true);
  const { port } = mute.address() as AddressInfo; // it listens on TCP
  const stopping = new AbortController();
  const starting = start({ PORTICO_S3: storeAt(port) }, stopping.signal);
  starting.catch(() => {});
  await expect.poll(() => held.size).toBeGreaterThan(0);
  stopping.abort(new Error('told to stop'));
  await expect(givesUpWithin(2, () => starting)).rejects.toThrow('told to stop');
  for (const socket of held) socket.destroy();
  mute.close();
});
