import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';
import { buildOnce, freePort, makeFolder, removeFolder, Service } from './service-process.ts';
import { openWorld, patientTimes, portalCall, signIn, type World } from './world.ts';

const url = '/web/v1/workspaces/WS_DEMO/api-keys';
const masterKey = Buffer.alloc(32, 9);

let folder: string;
let database: TestDatabase;
let world: World;
let token: string;
let env: Record<string, string>;

beforeAll(async () => {
  buildOnce();
  folder = makeFolder();
  database = await createDatabase();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  env = {
    PORT: String(port),
    DATABASE_URL: database.url,
    PORTICO_DEMO: '1',
    PORTICO_MASTER_KEY: masterKey.toString('base64'),
    PORTICO_PUBLIC_URL: origin,
    PORTICO_LOG_LEVEL: 'info',
    ...patientTimes,
  };
  world = await openWorld({ database, masterKey, env: { PORTICO_PUBLIC_URL: origin } });
  token = await signIn(world);
});
afterAll(async () => {
  await removeFolder(folder);
  await world?.close();
  await database?.drop();
});

const start = () => new Service({ cwd: folder, env }).ready(180_000);

/** To the server that will be killed: what becomes of it, nobody hears. */
const sendAway = (name: string) =>
  fetch(`${env['PORTICO_PUBLIC_URL']}${url}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': name,
    },
    body: JSON.stringify({ name }),
  }).then(
    ({ status }) => status,
    () => undefined,
  );

/** The same to another instance, as soon as nobody else is at it. */
async function sendAgain(name: string) {
  const again = () =>
    portalCall(world, token, {
      url,
      body: JSON.stringify({ name }),
      headers: { 'idempotency-key': name, 'content-type': 'application/json' },
    });
  let answer = await again();
  await expect
    .poll(async () => {
      if (answer.statusCode === 409) answer = await again();
      return answer.statusCode;
    })
    .toBe(201);
  return answer;
}

async function expectOne(name: string): Promise<void> {
  const keys = await world.db.query<{ id: string; records: number }>(sql`
    select id, (select count(*) from (select subject_id from audit_waiting union all select subject_id from audit_log) r
      where r.subject_id = k.id) as records from api_keys k where name = ${name}`);
  expect(keys).toEqual([{ id: expect.any(String), records: 1 }]);
}

/** The table that a step needs: locked, it holds the command there. */
const steps: [string, string][] = [
  ['its place is asked for', 'workspace_members'],
  ['its idempotency key is asked for', 'idempotency_keys'],
  ['its change', 'api_keys'],
  ['the secret of its change', 'api_key_secrets'],
  ['its record', 'audit_waiting'],
];

it.each(steps)(
  'a server killed before %s leaves nothing, and the key is free',
  async (_step, table) => {
    const service = await start();
    const session = await openSession(database);
    await session.query(`begin; lock table ${table} in access exclusive mode`);
    const lost = sendAway(`killed-${table}`);
    const isWaiting = async () => {
      const waiting = await world.db.query(sql`
      select 1 from pg_locks l where not l.granted and l.relation = ${table}::regclass
        and exists (select 1 from pg_stat_activity a where a.pid = l.pid and a.state = 'active' and a.query not like '%audit_seal%')`);
      return waiting.length;
    };
    await expect.poll(isWaiting).toBeGreaterThan(0);
    await service.stop('SIGKILL');
    expect(await lost).toBeUndefined();
    await session.query('rollback');
    await session.end();
    const answer = await sendAgain(`killed-${table}`);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
    expect(answer.json().data.secret).toMatch(/^sk_live_/);
    await expectOne(`killed-${table}`);
  },
  120_000,
);

it('a server killed after its commit leaves the answer for another, without the secret', async () => {
  const service = await start();
  expect(await sendAway('kept')).toBe(201);
  await service.stop('SIGKILL');
  const answer = await sendAgain('kept');
  expect([answer.headers['idempotent-replayed'], answer.json().data.secret]).toEqual(['true', null]);
  await expectOne('kept');
});
