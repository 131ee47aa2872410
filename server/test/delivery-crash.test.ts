import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { instant, sql } from '../src/db/sql.ts';
import { appendRecords } from '../src/log/append.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';
import { buildOnce, freePort, makeFolder, removeFolder, Service } from './service-process.ts';
import { addChannel, type TestChannel } from './support/channels.ts';
import { type Answering, ok, type Receiver, startReceiver } from './support/receiver.ts';
import { openWorld, patientTimes, type World } from './world.ts';

const masterKey = Buffer.alloc(32, 5);

let folder: string;
let database: TestDatabase;
let world: World;
let env: Record<string, string>;
let receiver: Receiver;
let channel: TestChannel;
let service: Service;

beforeAll(async () => {
  buildOnce();
  folder = makeFolder();
  database = await createDatabase();
  const port = await freePort();
  env = {
    PORT: String(port),
    DATABASE_URL: database.url,
    PORTICO_DEMO: '1',
    PORTICO_MASTER_KEY: masterKey.toString('base64'),
    PORTICO_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PORTICO_LOG_LEVEL: 'info',
    ...patientTimes,
  };
  world = await openWorld({ database, masterKey });
  receiver = await startReceiver();
  channel = await addChannel(world, receiver.url, { eventTypes: ['transfer.created', 'transfer.failed'] });
  await start();
});
afterAll(async () => {
  await removeFolder(folder);
  await receiver?.close();
  await world?.close();
  await database?.drop();
});

const start = async () => {
  service = await new Service({ cwd: folder, env }).ready(180_000);
};

/** Commits one, as a command does. */
const commit = (subjectId: string) =>
  world.db.transaction(async (tx) => {
    const [place] = await tx.query<{ workspaceId: number; institutionId: number }>(
      sql`select id as "workspaceId", institution_id as "institutionId" from workspaces where biz_id = 'WS_DEMO'`,
    );
    if (place === undefined) throw new Error('there is no demo world');
    const actor = { type: 'SYSTEM', id: 'test', name: 'Test', address: null, requestId: null } as const;
    const event = { mode: 'LIVE', data: { transferId: subjectId } } as const;
    const record = { action: 'transfer.created', actor, ...place, subjectId, changes: {}, event } as const;
    await appendRecords(tx, [{ ...record, occurredAtMs: Date.now() }]);
  });

const idsOf = (subjectId: string) =>
  receiver.received
    .filter(({ body }) => JSON.parse(body).data.transferId === subjectId)
    .map(({ headers }) => headers['webhook-id']);

const statuses = async () => {
  const rows = await world.db.query<{ status: string }>(
    sql`select distinct status::text as status from deliveries where channel_id = ${channel.id}`,
  );
  return rows.map(({ status }) => status);
};

/** As if the time of a lease had passed. */
async function endLeases(): Promise<void> {
  const past = instant(Date.now() - 1000);
  await world.db.query(sql`update deliveries set next_attempt_at = ${past} where status = 'PENDING'`);
  await world.db.query(sql`update channel_turns set due_at = ${past}`);
}

/**
 * Every event arrives, however often, under one id; and nothing is left to do. What a process that is gone had asked for may still
 * be carried out, and lease a delivery to nobody: such leases are ended too.
 */
async function expectAll(subjects: readonly string[]): Promise<void> {
  const left = async () => {
    await endLeases();
    return subjects.filter((subject) => idsOf(subject).length === 0);
  };
  const rarely = { interval: 2000 };
  await expect.poll(left, rarely).toEqual([]);
  const unsettled = async () => {
    const found = await statuses();
    if (found.includes('PENDING')) await endLeases();
    return found;
  };
  await expect.poll(unsettled, rarely).toEqual(['SUCCEEDED']);
  for (const subject of subjects) expect(new Set(idsOf(subject)).size).toBe(1);
}

describe('a server that is killed', () => {
  /** Locked, each holds the service at one of its steps. */
  it.each([
    ['before an event is sealed', 'log_heads', 'audit_seal'],
    ['before it is handed to its channel', 'event_cursors', 'delivery_dispatch'],
    ['before it is claimed', 'channel_turns', 'delivery_claim'],
  ])(
    '%s: it is delivered all the same',
    async (step, table, statement) => {
      const session = await openSession(database);
      onTestFinished(() => session.end());
      await session.query(`begin; lock table ${table} in access exclusive mode`);
      const subjects = [1, 2, 3].map((nth) => `${table}-${nth}`);
      for (const subject of subjects) await commit(subject);
      const isWaiting = async () => {
        await session.query('select pg_stat_clear_snapshot()'); // kept for a whole transaction
        const { rows } = await session.query(
          `select 1 from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.query like '%${statement}%'`,
        );
        return rows.length;
      };
      await expect.poll(isWaiting).toBeGreaterThan(0);
      await service.stop('SIGKILL');
      await session.query('rollback');
      expect([step, subjects.flatMap(idsOf)]).toEqual([step, []]);
      await start();
      await expectAll(subjects);
    },
    240_000,
  );

  it('while receivers have not answered: what they were sent comes again, under the same id', async () => {
    const silent: Answering = () => {};
    receiver.answerWith(silent);
    const subjects = [1, 2, 3, 4].map((nth) => `silent-${nth}`);
    for (const subject of subjects) await commit(subject);
    await expect.poll(() => subjects.flatMap(idsOf).length).toBe(4);
    await service.stop('SIGKILL');
    receiver.answerWith(ok);
    await start();
    await expectAll(subjects);
    for (const subject of subjects) expect(idsOf(subject).length).toBeGreaterThanOrEqual(2);
  });

  it('before what became of deliveries is kept, or wherever it is at the moment: nothing is missing', async () => {
    const subjects = Array.from({ length: 40 }, (_, nth) => `moment-${nth}`);
    let answered = 0;
    receiver.answerWith((response, received) => {
      answered += 1;
      ok(response, received);
      if (answered === 5) void service.stop('SIGKILL');
    });
    await Promise.all(subjects.map(commit));
    await service.exited;
    receiver.answerWith(ok);
    await start();
    await expectAll(subjects);
  });
});
