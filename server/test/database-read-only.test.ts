import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openBackground, openDatabase } from '../src/db/database.ts';
import { prepareOnce, sql } from '../src/db/sql.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';
import { openWorld, portalCall, shippedTimes, signIn, type World } from './world.ts';

let database: TestDatabase;
let operator: pg.Client;
beforeEach(async () => {
  database = await createDatabase();
  operator = await openSession(database);
});
afterEach(async () => {
  await operator.end();
  await database.drop();
});

const services = `datname = current_database() and application_name = 'portico'`;

/** As a failover does it: what is open is ended, and what is opened from then on has the setting. */
async function become(
  setting: 'set default_transaction_read_only = on' | 'reset default_transaction_read_only',
) {
  await operator.query('set default_transaction_read_only = off');
  await operator.query(`alter database ${database.connection.database} ${setting}`);
}
const endSessions = () =>
  operator.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${services}`);

type Asked = { isReadOnly: boolean };
const question = sql`select current_setting('transaction_read_only')::boolean as "isReadOnly"`;

/** What a connection of each lane says, opened where none is. */
function lanesOf(db: Database, background: ReturnType<typeof openBackground>) {
  const brief = db.prepare(question);
  const long = prepareOnce(question, 'long');
  const asker = { id: 'someone' };
  const of = (rows: Asked[]) => rows[0]?.isReadOnly;
  return {
    main: () => db.query<Asked>(question).then(of),
    fast: () => db.execute<Asked>(brief, {}, asker).then(of),
    background: () => background.query<Asked>(question).then(of),
    probe: () => db.check().then(({ isReadOnly }) => isReadOnly),
    slow: () => db.execute<Asked>(long, {}, asker).then(() => 'reads only by itself'),
  };
}

describe('a database that was read-only and is no more', () => {
  it('keeps no connection of any lane that was opened meanwhile', async () => {
    await become('set default_transaction_read_only = on');
    const db = openDatabase(database.connection, { poolMax: 3 });
    const background = openBackground(database.connection);
    const lanes = Object.entries(lanesOf(db, background));
    await db.warm();
    for (const [lane, ask] of lanes)
      expect([lane, await ask()]).toEqual([lane, lane === 'slow' ? 'reads only by itself' : true]);
    const pids = async (): Promise<number[]> =>
      (await operator.query(`select pid from pg_stat_activity where ${services}`)).rows.map(({ pid }) => pid);
    const before = await pids();
    expect(before.length).toBeGreaterThan(6);
    await become('reset default_transaction_read_only');
    for (const [lane, ask] of lanes)
      await expect
        .poll(async () => [lane, await ask()])
        .toEqual([lane, lane === 'slow' ? expect.anything() : false]);
    await expect
      .poll(async () => {
        await Promise.all(lanes.flatMap(([, ask]) => [ask(), ask(), ask()]));
        return (await pids()).filter((pid) => before.includes(pid));
      })
      .toEqual([]);
    await Promise.all([db.close(), background.close()]);
  });

  it('is ready again, and takes writes, without a restart', async () => {
    const world: World = await openWorld({ env: shippedTimes, database });
    const token = await signIn(world);
    const createKey = () =>
      portalCall(world, token, { url: '/web/v1/workspaces/WS_DEMO/api-keys', body: { name: 'x' } });
    await become('set default_transaction_read_only = on');
    await endSessions();
    const probe = async () => (await world.app.inject('/readyz')).json();
    await expect.poll(async () => (await probe()).message).toBe('the database is read-only');
    expect((await createKey()).statusCode).toBe(503);
    await become('reset default_transaction_read_only');
    await expect.poll(async () => (await probe()).status).toBe('ready');
    await expect.poll(async () => (await createKey()).statusCode).toBe(201);
    await world.close();
  });
});

describe('a database that stays read-only', () => {
  it('is not connected to again and again, however many reads and writes it is asked', async () => {
    await become('set default_transaction_read_only = on');
    const db = openDatabase(database.connection, { poolMax: 2, readersMax: 1, slowMax: 1 });
    await db.warm();
    const opened = new Set<number>();
    const whoAsks = sql`select pg_backend_pid() as pid`;
    const write = () => db.query(sql`update workspaces set name = name`).catch(() => undefined);
    const asker = { id: 'someone' };
    const brief = db.prepare(whoAsks);
    const begun = performance.now();
    for (let round = 0; round < 200; round += 1) {
      await Promise.all([write(), write()]);
      for (const ask of [
        () => db.query<{ pid: number }>(whoAsks),
        () => db.execute<{ pid: number }>(brief, {}, asker),
      ])
        opened.add((await ask())[0]?.pid ?? 0);
    }
    const seconds = Math.ceil((performance.now() - begun) / 1000);
    expect(opened.size).toBeLessThanOrEqual(3 * (seconds + 1));
    await db.close();
  });
});
