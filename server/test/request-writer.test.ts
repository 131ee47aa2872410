import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Queryable } from '../src/db/database.ts';
import { openDatabase } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { StoreUnavailable } from '../src/db/unavailable.ts';
import { createRequestLog } from '../src/requests/request-log.ts';
import { dropRequestDay, makeRequestDays } from '../src/requests/retention.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';
import { insertKeys, requestKeys as keys, miscounts, rowOf, writeRows } from './support/request-rows.ts';

const dayMs = 86_400_000;
const todayMs = Date.UTC(2026, 5, 15, 12);

let database: TestDatabase;
let db: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  database = await createDatabase();
  db = openDatabase(database.connection, { isPatient: true });
  await insertKeys(db);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() =>
  db.query(sql`truncate requests, request_minutes, request_hours, request_days, request_series`),
);

const count = async () => {
  const [row] = await db.query<{ count: number }>(sql`select count(*) as count from requests`);
  return row?.count;
};
const days = async () =>
  (await db.query<{ day: string }>(sql`select day::text from request_kept_days() order by 1`)).map(
    ({ day }) => day,
  );

describe('the writer of requests', () => {
  it('of several instances at once writes each row once, with exact counts', async () => {
    const codes = ['2000', '4031', '4012', '5030'];
    const instances = Array.from({ length: 4 }, () => createRequestLog());
    for (const [index, log] of instances.entries())
      for (let n = 0; n < 2500; n += 1)
        log.note(
          'all',
          {
            ...rowOf({
              apiKeyId: n % 3 === 0 ? keys.live : keys.test,
              atMs: todayMs + n * 997,
              durationMs: n,
            }),
            code: codes[(n + index) % 4] as string, // four of them
          },
          true,
        );
    await Promise.all(instances.map((log) => log.flush(db)));
    expect(await count()).toBe(10_000);
    expect(await miscounts(db)).toEqual([]);
    expect(instances.map((log) => log.outcomes())).toEqual(Array(4).fill({ written: 2500, dropped: 0 }));
  });

  it('whose answer was lost sends the same again, and nothing counts twice', async () => {
    const log = createRequestLog();
    for (let n = 0; n < 1500; n += 1)
      log.note('all', rowOf({ apiKeyId: keys.live, atMs: todayMs + n }), true);
    const losing: Queryable = {
      async query(statement) {
        await db.query(statement);
        throw new StoreUnavailable('the answer was lost');
      },
    };
    await expect(log.flush(losing)).rejects.toThrow('lost');
    expect(log.waiting()).toBe(1500);
    await log.flush(db);
    expect([await count(), log.waiting()]).toEqual([1500, 0]);
    expect(await miscounts(db)).toEqual([]);
  });

  it('that is killed in the middle of a batch leaves nothing of it, and all of it when it is sent again', async () => {
    const log = createRequestLog();
    for (let n = 0; n < 200; n += 1) log.note('all', rowOf({ apiKeyId: keys.live, atMs: todayMs + n }), true);
    const holder = await openSession(database);
    await holder.query('begin; lock table request_hours in access exclusive mode');
    const flushed = log.flush(db).then(
      () => 'written',
      () => 'failed',
    );
    const killed = () =>
      db.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where query like 'select request_write%' and wait_event_type = 'Lock' and datname = current_database()`);
    try {
      await expect.poll(async () => (await killed()).length).toBe(1);
    } finally {
      await holder.end();
    }
    expect([await flushed, await count()]).toEqual(['failed', 0]);
    await log.flush(db);
    expect(await count()).toBe(200);
    expect(await miscounts(db)).toEqual([]);
  });

  it('keeps a bounded number while the database is away, and of one with many loses its own alone', async () => {
    const log = createRequestLog();
    const away: Queryable = { query: () => Promise.reject(new StoreUnavailable('away')) };
    log.note('first', rowOf({ apiKeyId: keys.live, atMs: todayMs }), true);
    await expect(log.flush(away)).rejects.toThrow('away');
    for (let n = 0; n < 50_000; n += 1) log.note('busy', rowOf({ apiKeyId: keys.live, atMs: todayMs }), true);
    for (let n = 0; n < 20; n += 1) log.note('quiet', rowOf({ apiKeyId: keys.other, atMs: todayMs }), true);
    expect(log.waiting()).toBeLessThanOrEqual(20_001);
    const { dropped } = log.outcomes();
    expect(dropped + log.waiting()).toBe(50_021);
    await log.flush(db);
    const [quiet] = await db.query<{ n: number }>(
      sql`select n from request_series where api_key_id = ${keys.other}`,
    );
    expect([quiet?.n, log.outcomes().written]).toEqual([20, 50_021 - dropped]);
  });

  it('gives up a batch that the database refuses, counts it, and goes on with the next', async () => {
    const log = createRequestLog();
    log.note('all', { ...rowOf({ apiKeyId: keys.live, atMs: todayMs }), route: 'a\0b' }, true);
    await expect(log.flush(db)).rejects.toThrow();
    log.note('all', rowOf({ apiKeyId: keys.live, atMs: todayMs }), true);
    await log.flush(db);
    expect([await count(), log.outcomes()]).toEqual([1, { written: 1, dropped: 1 }]);
  });

  it('keeps days for as long as it is told, and takes the others away with their counts', async () => {
    for (const ago of [0, 1, 2, 3, 10])
      await writeRows(db, [
        rowOf({ apiKeyId: keys.live, atMs: todayMs - ago * dayMs }),
        rowOf({ apiKeyId: ago > 2 ? keys.test : keys.live, code: '4012', atMs: todayMs - ago * dayMs }),
      ]);
    await makeRequestDays(db, todayMs);
    while (await dropRequestDay(db, todayMs, 2));
    expect(await days()).toEqual(['2026-06-13', '2026-06-14', '2026-06-15', '2026-06-16']);
    expect(await count()).toBe(6);
    expect(await miscounts(db)).toEqual([]);
    expect(await db.query(sql`select 1 from request_series where api_key_id = ${keys.test}`)).toEqual([]);
    expect(await db.query(sql`select to_regclass('request_minutes_20260612') as name`)).toEqual([
      { name: null },
    ]);
  });

  it('takes a day away only when nobody holds it, and waits for nobody for long', async () => {
    await writeRows(db, [rowOf({ apiKeyId: keys.live, atMs: todayMs - 40 * dayMs })]);
    const reader = await openSession(database);
    await reader.query('begin; select count(*) from requests');
    await expect(dropRequestDay(db, todayMs, 30)).rejects.toThrow(StoreUnavailable);
    await writeRows(db, [rowOf({ apiKeyId: keys.live, atMs: todayMs })]);
    await reader.query('commit');
    await reader.end();
    expect(await dropRequestDay(db, todayMs, 30)).toBe(true);
    expect(await miscounts(db)).toEqual([]);
  });

  it('makes a day once when several begin it together', async () => {
    const atMs = todayMs + 20 * dayMs;
    const logs = Array.from({ length: 5 }, () => createRequestLog());
    for (const log of logs) log.note('all', rowOf({ apiKeyId: keys.live, atMs }), true);
    await Promise.all(logs.map((log) => log.flush(db)));
    expect(await count()).toBe(5);
  });
});
