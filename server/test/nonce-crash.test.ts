import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../src/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../src/db/migrate.ts';
import { loadDemoWorld } from '../src/demo/demo-world.ts';
import { urlOf } from './database.ts';
import { removeHome } from './homes.ts';
import { createKey, type Key, openWorld, signatureHeaders, type World } from './world.ts';

const url = '/api/v1/transfers';
const env = { PORTICO_MASTER_KEY: Buffer.alloc(32, 5).toString('base64') };
const callers = 64;
const enough = 400;

type Headers = Record<string, string>;
type Sent = { headers: Headers; code: string };

const openOn = ({ connection }: EmbeddedPostgres): Promise<World> =>
  openWorld({ database: { connection, url: urlOf(connection), drop: async () => {} }, env });

const send = async ({ app }: World, headers: Headers) =>
  (await app.inject({ url, headers })).json().code as string;

/** Calls on and on, with a nonce of its own each time, until one fails. */
async function callOn(world: World, key: Key, sent: Sent[]): Promise<void> {
  for (let code = '2000'; code === '2000'; ) {
    const headers = signatureHeaders(world, key, { url });
    code = await send(world, headers);
    sent.push({ headers, code });
  }
}

it('nonces that were claimed together are spent after kill -9 of the database, whenever their request was answered', async () => {
  const home = mkdtempSync(join(tmpdir(), 'portico-crash-'));
  const first = await startEmbeddedPostgres({ home });
  await migrate(first.connection);
  const loading = openDatabase(first.connection, { isPatient: true });
  await loadDemoWorld(loading, Date.now());
  await loading.close();
  const before = await openOn(first);
  const key = await createKey(before);
  const sent: Sent[] = [];
  const calling = Array.from({ length: callers }, () => callOn(before, key, sent));
  await expect.poll(() => sent.length).toBeGreaterThan(enough);
  process.kill(first.pid, 'SIGKILL');
  await Promise.all(calling);
  await before.close();

  const second = await startEmbeddedPostgres({ home });
  const after = await openOn(second);
  const again = await Promise.all(sent.map(async ({ headers }) => send(after, headers)));
  const passed = sent.map(({ code }, index) => [code, again[index]].filter((each) => each === '2000').length);
  expect(sent.filter(({ code }) => code !== '2000')).not.toEqual([]);
  expect(sent.filter(({ code }, index) => code === '2000' && again[index] !== '4014')).toEqual([]);
  expect(Math.max(...passed)).toBe(1);
  const third = await Promise.all(sent.map(async ({ headers }) => send(after, headers)));
  expect(new Set(third)).toEqual(new Set(['4014']));
  await after.close();
  await second.stop();
  removeHome(home);
});
