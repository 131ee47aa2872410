import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commonConfig, settler } from '../src/db/connection.ts';
import { openPool } from '../src/db/pool.ts';
import { openSlowLane, type SlowTurns } from '../src/db/slow-lane.ts';
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

async function withLane(
  turn: SlowTurns,
  work: (run: (text: string) => Promise<pg.QueryResult>[]) => Promise<void>,
) {
  const config = { ...commonConfig(database.connection, minuteMs), max: lanes.slowMax };
  const pool = openPool('slow', config, settler([]), () => {});
  const lane = openSlowLane(pool, lanes, turn, async () => {});
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
