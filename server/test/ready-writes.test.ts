import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../src/db/migrate.ts';
import { prepareOnce, sql } from '../src/db/sql.ts';
import { urlOf } from './database.ts';
import { removeHome } from './homes.ts';
import { openWorld, shippedTimes, type World } from './world.ts';

/** What a commit waits for is a setting of the whole server, so it is one of its own. */
let home: string;
let postgres: EmbeddedPostgres;
let operator: pg.Client;
let world: World;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'portico-ready-'));
  postgres = await startEmbeddedPostgres({ home, settings: { fsync: 'off', autovacuum: 'off' } });
  const { connection } = postgres;
  await migrate(connection);
  operator = new pg.Client(connection);
  await operator.connect();
  const database = { connection, url: urlOf(connection), drop: async () => {} };
  world = await openWorld({ env: shippedTimes, database });
});
afterAll(async () => {
  await world?.close();
  await operator?.end();
  await postgres?.stop();
  removeHome(home);
});

async function waitFor(standby: string): Promise<void> {
  await operator.query(`alter system set synchronous_standby_names = '${standby}'`);
  await operator.query('select pg_reload_conf()');
}
const probe = async () => (await world.app.inject('/readyz')).json();
/** Every transaction that writes takes the next number. */
const nextNumber = async (): Promise<number> =>
  (await operator.query('select pg_snapshot_xmax(pg_current_snapshot())::text::int as next')).rows[0].next;

describe('/readyz', () => {
  it('is 503 while no commit ends, says what to look for, and keeps no list from its answer', async () => {
    expect((await probe()).status).toBe('ready');
    await waitFor('gone');
    const long = prepareOnce(sql`select pg_sleep(3) is null as "isOver"`, 'long');
    const list = world.db.execute(long, {}, { id: 'someone' });
    try {
      await expect.poll(async () => (await probe()).message).toMatch(/a write does not end: .*standby/);
      await Promise.all(Array.from({ length: 5 }, probe));
      expect(await list).toEqual([{ isOver: false }]);
    } finally {
      await waitFor('');
    }
    await expect.poll(async () => (await probe()).status).toBe('ready');
  });

  it('makes one write a second at most, however many ask', async () => {
    const before = await nextNumber();
    const begun = performance.now();
    for (let round = 0; round < 50; round += 1) await Promise.all([probe(), probe()]);
    const seconds = Math.ceil((performance.now() - begun) / 1000);
    expect((await nextNumber()) - before).toBeLessThanOrEqual(seconds + 1);
  });

  it('makes a write that takes no privileges', async () => {
    const before = await nextNumber();
    await operator.query('create role of_no_privileges; set role of_no_privileges');
    await operator.query(`select pg_logical_emit_message(true, 'portico', 'ready'::text)`);
    await operator.query('reset role');
    expect(await nextNumber()).toBe(before + 2);
  });
});
