import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commonConfig, settler } from '../src/db/connection.ts';
import { openPool } from '../src/db/pool.ts';
import { openSlowLane, type SlowTurns } from '../src/db/slow-lane.ts';
import { StoreUnavailable } from '../src/db/unavailable.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';

let database: TestDatabase;
let session: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  session = await openSession(database);
});
afterAll(async () => {
  await session.end();
  await database.drop();
});

const minuteMs = 60_000;
const lanes = { slowMax: 4, slowMs: minuteMs };
const callers = ['one', 'two', 'three', 'four'];

function open(turn: SlowTurns, { slowMax, slowMs } = lanes) {
  const config = { ...commonConfig(database.connection, minuteMs), max: slowMax };
  const pool = openPool('slow', config, settler([]), () => {});
  return { pool, lane: openSlowLane(pool, { slowMax, slowMs }, turn, async () => {}) };
}

async function withLane(
  turn: SlowTurns,
  work: (run: (text: string) => Promise<pg.QueryResult>[]) => Promise<void>,
) {
  const { lane } = open(turn);
  try {
    await work((text) => callers.map((id) => lane.run({ text }, { id })));
  } finally {
    await lane.close();
  }
}

describe('statements of the slow lane that have turns', () => {
  it('begin when the one before is over', async () => {
    await withLane({ max: () => 1, ms: minuteMs }, async (run) => {
      const answers = await Promise.all(
        run('select clock_timestamp()::text as begun, pg_sleep(0.05), clock_timestamp()::text as ended'),
      );
      const times = answers.flatMap(({ rows }) => rows as { begun: string; ended: string }[]);
      times.sort((a, b) => a.begun.localeCompare(b.begun));
      const inOrder = times.flatMap(({ begun, ended }) => [begun, ended]);
      expect(inOrder).toEqual([...inOrder].sort());
    });
  });

  it('do not wait for one that takes longer than a turn', async () => {
    await withLane({ max: () => 1, ms: 1 }, async (run) => {
      await session.query('select pg_advisory_lock(1)');
      const answers = run('select pg_advisory_lock_shared(1), pg_advisory_unlock_shared(1)');
      const waiting = async () => {
        const { rows } = await session.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
        );
        return rows.length;
      };
      await expect.poll(waiting, { interval: 20 }).toBe(lanes.slowMax);
      await session.query('select pg_advisory_unlock(1)');
      await Promise.all(answers);
    });
  });
});

describe('a statement of the slow lane', () => {
  const onlyOne = { slowMax: 1, slowMs: 200 };
  const turn = { max: () => 1, ms: minuteMs };
  const rowsOf = async (answer: Promise<pg.QueryResult>) => (await answer).rows;

  it('whose time is over is ended by the server, and its connection serves the next', async () => {
    const { lane } = open(turn, onlyOne);
    const ask = (text: string) => rowsOf(lane.run({ text }, { id: 'one' }));
    const own = await ask('select pg_backend_pid() as pid');
    await expect(ask('select pg_sleep(60)')).rejects.toThrow(StoreUnavailable);
    expect(await ask('select pg_backend_pid() as pid')).toEqual(own);
    await lane.close();
  });

  it('has bounds of time and of what it writes to disk, which its connection has no more afterwards', async () => {
    const { lane, pool } = open(turn, onlyOne);
    const text = `select current_setting('statement_timeout') as time, current_setting('temp_file_limit') as disk,
      current_setting('transaction_read_only') as "isReadOnly", pg_backend_pid() as pid`;
    const [within] = await rowsOf(lane.run({ text }, { id: 'one' }));
    const [after] = await rowsOf(pool.lend((lent) => lent.query(text)));
    const { pid } = within as { pid: number };
    expect(within).toEqual({ time: '200ms', disk: '1GB', isReadOnly: 'on', pid });
    expect(after).toEqual({ time: '0', disk: '-1', isReadOnly: 'off', pid });
    await lane.close();
  });
});
