import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../src/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { sql } from '../src/db/sql.ts';
import { verifyTally } from '../src/db/tally.ts';
import { removeHome } from './homes.ts';
import { buildOnce, freePort, makeFolder, removeFolder, Service } from './service-process.ts';
import { dummyTurnstile, type Key, signatureHeaders } from './world.ts';

const count = Number(process.env['TRANSFER_COUNT'] ?? 200);
const clients = 16;
const limitMs = 120_000 + count * 60;
/** What is killed when so much of it is done. */
const kills: [number, ('server' | 'database')[]][] = [
  [0.2, ['server']],
  [0.45, ['database']],
  [0.7, ['database', 'server']],
];

let folder: string;
let home: string;
let postgres: EmbeddedPostgres;
let service: Service;
let env: Record<string, string>;

const start = () => new Service({ cwd: folder, env }).ready(180_000);

/** A database that was started again has its socket elsewhere; the service knows it by one name. */
async function startDatabase(): Promise<void> {
  postgres = await startEmbeddedPostgres({ home });
  rmSync(join(folder, 'database'), { force: true });
  symlinkSync(postgres.connection.host, join(folder, 'database'));
}

function databaseUrl({ port, user, password, database }: EmbeddedPostgres['connection']): string {
  const url = new URL(`postgres://localhost/${database}`);
  Object.assign(url, { username: user, password });
  url.searchParams.set('host', join(folder, 'database'));
  url.searchParams.set('port', String(port));
  return url.href;
}

beforeAll(async () => {
  buildOnce();
  folder = makeFolder();
  home = mkdtempSync(join(tmpdir(), 'portico-crowd-'));
  await startDatabase();
  const port = await freePort();
  env = {
    PORT: String(port),
    DATABASE_URL: databaseUrl(postgres.connection),
    PORTICO_DEMO: '1',
    PORTICO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORTICO_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PORTICO_LIMIT_LIVE: 'off',
  };
  service = await start();
});
afterAll(async () => {
  await removeFolder(folder);
  await postgres.stop();
  removeHome(home);
});

const post = (path: string, headers: Record<string, string>, body: string) =>
  fetch(`${env['PORTICO_PUBLIC_URL']}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-turnstile-token': dummyTurnstile, ...headers },
    body,
    signal: AbortSignal.timeout(15_000),
  });

async function makeKey(): Promise<Key> {
  const login = JSON.stringify({ email: 'owner@demo.test', password: 'portico-demo' });
  const { data } = (await (await post('/web/v1/auth/login', {}, login)).json()) as {
    data: { accessToken: string };
  };
  const wanted = JSON.stringify({ name: 'crowd', scopes: ['transfers:read', 'transfers:write'] });
  const headers = { authorization: `Bearer ${data.accessToken}` };
  const made = await post('/web/v1/workspaces/WS_DEMO/api-keys', headers, wanted);
  return ((await made.json()) as { data: Key }).data;
}

/** As often as it takes, each time signed anew under the same key: what is no answer, and every answer that says to come again. */
async function create(key: Key, name: string): Promise<string> {
  const url = '/api/v1/transfers';
  const body = JSON.stringify({ amount: '12.50', currency: 'EUR', reference: name });
  for (;;) {
    const signed = signatureHeaders({ clock: { now: Date.now } }, key, { method: 'POST', url, body });
    const answer = await post(url, { ...signed, 'idempotency-key': name }, body).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => undefined,
    );
    if (answer?.status === 201) return JSON.parse(answer.text).data.transferId;
    const mayComeAgain =
      answer === undefined || answer.status === 409 || answer.status === 429 || answer.status >= 500;
    if (!mayComeAgain) throw new Error(`${name}: ${answer.status} ${answer.text}`);
    await sleep(50);
  }
}

async function kill(what: 'server' | 'database'): Promise<void> {
  if (what === 'server') {
    await service.stop('SIGKILL');
    service = await start();
    return;
  }
  process.kill(postgres.pid, 'SIGKILL');
  await startDatabase();
}

async function inspect(db: Database) {
  const [rows] = await db.query<{ rows: number; names: number; ids: string[] }>(sql`
    select count(*) as rows, count(distinct reference) as names, array_agg(biz_id order by reference) as ids
    from transfers where reference like 'crowd-%'`);
  const [log] = await db.query<{ records: number; subjects: number }>(sql`
    select count(*) as records, count(distinct subject_id) as subjects from (
      select action, subject_id from audit_log union all select action, subject_id from audit_waiting) r where action = 'transfer.created'`);
  return { ...rows, ...log };
}

it(
  `${count} transfers by ${clients} clients are there once each, though server and database are killed on the way`,
  async () => {
    const key = await makeKey();
    const made = new Map<string, string>();
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count) {
        const name = `crowd-${String(next++).padStart(6, '0')}`;
        const first = await create(key, name);
        made.set(name, first);
        // Whoever did not see its answer sends it again, and so does who is not sure.
        if (next % 7 === 0) expect(await create(key, name)).toBe(first);
      }
    };
    const crowd = Promise.all(Array.from({ length: clients }, work));
    for (const [share, victims] of kills) {
      const reached = expect
        .poll(() => made.size, { timeout: limitMs, interval: 10 })
        .toBeGreaterThanOrEqual(count * share);
      await Promise.race([reached, crowd]); // whoever fails ends the test at once
      for (const victim of victims) await kill(victim);
    }
    await crowd;
    const db = openDatabase(postgres.connection, { isPatient: true });
    const found = await inspect(db);
    const answered = [...made].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, id]) => id);
    expect(found).toEqual({ rows: count, names: count, ids: answered, records: count, subjects: count });
    for (const tally of ['transfers', 'transfers_updated']) expect(await verifyTally(db, tally)).toEqual([]);
    await db.close();
  },
  limitMs,
);
