import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { commonConfig } from '../src/db/connection.ts';
import { openReaders } from '../src/db/readers.ts';
import { Standing } from '../src/db/standing.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('a connection with a long statement is closed once, however many were sent behind it', async () => {
  const settings = { readersMax: 1, queryMs: 60_000 };
  const readers = openReaders(
    commonConfig(database.connection, 60_000),
    async () => new Standing(),
    settings,
  );
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

it('a statement goes out at once on a connection at rest, and the next ones together at the end of the turn', async () => {
  const settings = { readersMax: 1, queryMs: 60_000 };
  const readers = openReaders(
    commonConfig(database.connection, 60_000),
    async () => new Standing(),
    settings,
  );
  await readers.warm();
  await readers.run({ text: 'select 0' }, 'first');
  const sockets = Socket.prototype as unknown as { _writeGeneric(): void }; // all that node hands to the system passes here
  const write = vi.spyOn(sockets, '_writeGeneric');
  const ask = (n: number) => readers.run({ text: `select ${n} as n` }, 'one');
  const turnIsOver = turn();
  const answers = [ask(1)];
  await new Promise(process.nextTick);
  await new Promise(process.nextTick);
  answers.push(ask(2), ask(3));
  await turnIsOver;
  expect(write).toHaveBeenCalledTimes(1);
  await turn();
  expect(write).toHaveBeenCalledTimes(2);
  expect((await Promise.all(answers)).map(({ rows }) => rows[0].n)).toEqual([1, 2, 3]);
  write.mockRestore();
  await readers.close();
});

it('a statement whose connection the server ends while it is opened is sent on another', async () => {
  let opened = 0;
  const settle = async (client: pg.ClientBase) => {
    opened += 1;
    if (opened === 1) await client.query('select pg_terminate_backend(pg_backend_pid())');
    return new Standing();
  };
  const settings = { readersMax: 1, queryMs: 60_000 };
  const readers = openReaders(commonConfig(database.connection, 60_000), settle, settings);
  const { rows } = await readers.run({ text: 'select 1 as n' }, 'one');
  expect([rows, opened]).toEqual([[{ n: 1 }], 2]);
  await readers.close();
});
