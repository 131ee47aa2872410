import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clusterOf, clusterProcesses } from '../src/db/embedded/cluster.ts';
import type { Connection } from '../src/db/embedded/connect.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { removeHome } from './homes.ts';

let home: string;
let told: string[];
const started: EmbeddedPostgres[] = [];

beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'portico-revival-'));
  told = [];
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((database) => database.stop()));
  removeHome(home);
});

async function start(settings: Record<string, string> = { fsync: 'off' }): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({ home, settings, tell: (line) => void told.push(line) });
  started.push(database);
  return database;
}

async function query(connection: Connection, sql: string) {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

const kept = (connection: Connection) =>
  query(connection, 'select answer from kept').then(
    ({ rows }) => rows[0]?.answer,
    () => 'away',
  );

async function processes(): Promise<number[]> {
  return (await clusterProcesses(await clusterOf(join(home, 'database')))).map(({ pid }) => pid);
}

const settingsFile = () => join(home, 'database', 'postgresql.auto.conf');
/** Refused at the start, as a full disk would be. */
const breakSettings = () => fs.writeFileSync(settingsFile(), `work_mem = 'too little'\n`);
const mendSettings = () => fs.writeFileSync(settingsFile(), '');

const kill = (pid: number) => spawnSync('kill', ['-9', String(pid)]);

describe('a database of the service that ends by itself', () => {
  it('by kill -9 while a backend lives on, and once more: is started again where its clients look for it, with its data and lock', async () => {
    const database = await start();
    const { connection, pid } = database;
    await query(connection, 'create table kept as select 42 as answer');
    // It notices nothing of the end of the others. Left behind by a test that is killed, it ends by itself.
    const loop = `do $$ begin while clock_timestamp() < now() + interval '2 minutes' loop end loop; end $$`;
    const busy = query(connection, loop).catch(() => 'lost');
    const looping = `select pid from pg_stat_activity where state = 'active' and query like 'do %'`;
    await expect.poll(async () => (await query(connection, looping)).rowCount).toBe(1);
    const lines = [
      'the embedded database has ended: it is started again',
      'the embedded database runs again',
    ];
    kill(pid);
    await expect.poll(() => told).toEqual(lines);
    await expect(busy).resolves.toBe('lost');
    expect(await kept(connection)).toBe(42);
    kill(database.pid);
    await expect.poll(() => told).toEqual([...lines, ...lines]);
    expect(await kept(connection)).toBe(42);
    const holders = `select pid from pg_locks where locktype = 'advisory'`;
    expect((await query(connection, holders)).rowCount).toBe(1);
    await database.stop();
    expect(await processes()).toEqual([]);
  });

  it('and cannot be started is tried after ever longer pauses, told in one line each, until it can', async () => {
    const { connection, pid } = await start();
    await query(connection, 'create table kept as select 42 as answer');
    breakSettings();
    kill(pid);
    await expect.poll(() => told.length).toBeGreaterThan(3);
    mendSettings();
    await expect.poll(() => kept(connection)).toBe(42);
    const failures = told.filter((line) => line.includes('tried again in'));
    for (const line of failures)
      expect(line).toMatch(/^the embedded database ended at its start: FATAL: [^\n]+$/);
    expect(failures.slice(0, 3).map((line) => /(\d+) s$/.exec(line)?.[1])).toEqual(['1', '2', '4']);
  });

  it.each([
    ['is cleared away', async () => expect.poll(() => told.length).toBeGreaterThan(0)],
    [
      'has a new process',
      async (old: number) =>
        expect.poll(async () => (await processes()).some((pid) => pid !== old), { interval: 1 }).toBe(true),
    ],
    ['cannot be started', async () => expect.poll(() => told.length).toBeGreaterThan(1)],
  ])('and is stopped while what is left of it %s: leaves no process', async (what, reached) => {
    const database = await start();
    if (what === 'cannot be started') breakSettings();
    const ended = new Set(await processes());
    kill(database.pid);
    await expect.poll(async () => (await processes()).filter((pid) => ended.has(pid))).toEqual([]);
    await reached(database.pid);
    await database.stop();
    expect(await processes()).toEqual([]);
    expect(fs.existsSync(database.connection.host)).toBe(false);
  });

  it('is left to another server that has started it meanwhile', async () => {
    const settings: Record<string, string> = { fsync: 'off' };
    const first = await start(settings);
    await query(first.connection, 'create table kept as select 42 as answer');
    settings['work_mem'] = 'too little'; // so that the other one is faster
    kill(first.pid);
    await expect.poll(() => told.length).toBeGreaterThan(1);
    const second = await start();
    await expect.poll(() => told.at(-1)).toMatch(/is in use by another running server/);
    expect(await kept(second.connection)).toBe(42);
    await first.stop();
    expect(await kept(second.connection)).toBe(42);
  });
});
