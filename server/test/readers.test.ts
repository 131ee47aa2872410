import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { commonConfig } from '../src/db/connection.ts';
import { openReaders } from '../src/db/readers.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('a connection with a long statement is closed once, however many were sent behind it', async () => {
  const settings = { readersMax: 1, queryMs: 60_000 };
  const readers = openReaders(commonConfig(database.connection, 60_000), async () => {}, settings);
  const end = vi.spyOn(pg.Client.prototype, 'end');
  await readers.warm();
  const holder = await openSession(database);
  await holder.query('select pg_advisory_lock(1)');
  const long = readers.run({ text: 'select pg_advisory_lock(1)' }, 'slow');
  const behind = Array.from({ length: 15 }, (_none, n) => readers.run({ text: `select ${n} as n` }, 'other'));
  expect((await Promise.all(behind)).map(({ rows }) => rows[0].n)).toEqual(behind.map((_none, n) => n));
  await holder.query('select pg_advisory_unlock(1)');
  await long;
  await expect.poll(() => readers.state().busy).toBe(0);
  expect(end).toHaveBeenCalledTimes(1);
  await readers.close();
  await holder.end();
});
