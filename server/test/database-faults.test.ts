import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openBackground, openDatabase, type Transaction } from '../src/db/database.ts';
import { sql, trusted } from '../src/db/sql.ts';
import { countWaiting, createFolder } from '../src/db/tally.ts';
import { sweep } from '../src/sweep.ts';
import { createDatabase, openSession } from './database.ts';
import { Wire } from './support/wire.ts';
import { openWorld, portalCall, shippedTimes, signIn, type World } from './world.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld({ env: shippedTimes });
  token = await signIn(world);
});
afterAll(() => world.close());

const alter = (setting: string) =>
  world.db.query(trusted(`alter database ${world.database.connection.database} ${setting}`));

/** The same database with the settings that it has now: they reach new connections only. */
const reopen = () =>
  openWorld({
    env: shippedTimes,
    database: world.database,
    masterKey: world.services.config.masterKey as Buffer,
  });

const createKey = (at: World) =>
  portalCall(at, token, { url: '/web/v1/workspaces/WS_DEMO/api-keys', body: { name: 'x' } });
const listFiles = (at: World) =>
  portalCall(at, token, { url: '/web/v1/files/query/list', body: { institutionBizId: 'INST_DEMO' } });

/** A trigger that fails the first writes of a key, as the database would by itself. */
async function failWrites(times: number, code: string): Promise<void> {
  await world.db.query(sql`drop sequence if exists failures cascade`);
  await world.db.query(sql`create sequence failures`);
  await world.db.query(
    trusted(`create or replace function fail() returns trigger language plpgsql as $$ begin
    if nextval('failures') <= ${times} then raise exception 'as wanted' using errcode = '${code}'; end if; return new; end $$`),
  );
  await world.db.query(
    sql`create or replace trigger fail before insert on api_keys for each row execute function fail()`,
  );
}

/**
 * A function that lists call fails the first times. A lock of the session, which no rollback ends, tells that it has: in a
 * transaction that reads only, nothing else is left behind. Gives what makes the function what it was.
 */
async function failReads(times: number, code: string, locks: number): Promise<() => Promise<unknown>> {
  const [found] = await world.db.query<{ text: string }>(
    sql`select pg_get_functiondef('tally_seek'::regproc) as text`,
  );
  await world.db.query(
    trusted(`create or replace function fail_read() returns void language plpgsql as $$ begin
    for lock in ${locks + 1} .. ${locks + times} loop
      if not exists (select from pg_locks where locktype = 'advisory' and objid = lock
        and database = (select oid from pg_database where datname = current_database())) then
        perform pg_advisory_lock(lock);
        raise exception 'as wanted' using errcode = '${code}';
      end if;
    end loop; end $$`),
  );
  const text = found?.text ?? '';
  const failing = text.replace(/\bbegin\b/i, 'begin perform fail_read();');
  expect(failing).not.toBe(text);
  await world.db.query(trusted(failing));
  return () => world.db.query(trusted(text));
}

describe('what the database cannot do now', () => {
  it.each([
    ['a deadlock', '40P01'],
    ['a lock timeout', '55P03'],
    ['a serialisation failure', '40001'],
  ])('%s is tried once more, and only then 503 5030 with Retry-After', async (_name, code) => {
    await failWrites(1, code);
    expect((await createKey(world)).statusCode).toBe(201);
    await failWrites(2, code);
    const answer = await createKey(world);
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
      503,
      '5030',
      '1',
    ]);
    await world.db.query(sql`drop trigger fail on api_keys`);
  });

  it.each([
    ['a brief list, by a deadlock', '40P01', '?page=1', 4100],
    ['a brief list, by a lock timeout', '55P03', '?page=1', 4200],
    ['a long list, by a deadlock', '40P01', '?page=1&sort=status,asc&sort=amount,desc', 4300],
    ['a long list, by a serialisation failure', '40001', '?page=1&sort=status,asc&sort=amount,desc', 4400],
  ])('%s is read once more, and only then 503 5030', async (_name, code, query, locks) => {
    const list = () =>
      portalCall(world, token, { method: 'GET', url: `/web/v1/workspaces/WS_DEMO/transfers${query}` });
    const undo = await failReads(1, code, locks);
    expect((await list()).statusCode).toBe(200);
    await undo();
    const undoTwo = await failReads(2, code, locks + 50);
    const answer = await list();
    expect([answer.statusCode, answer.json().code]).toEqual([503, '5030']);
    await undoTwo();
  });

  it('statements that a timeout of the operator ends are 503 5030, and his timeout is kept', async () => {
    await alter(`set statement_timeout = '250ms'`);
    const other = await reopen();
    const session = await openSession(world.database);
    await session.query('begin; lock table files in access exclusive mode');
    const answer = await listFiles(other);
    expect([answer.statusCode, answer.json().code]).toEqual([503, '5030']);
    expect(await other.db.query(sql`show statement_timeout`)).toEqual([{ statement_timeout: '250ms' }]);
    await session.end();
    expect((await listFiles(other)).statusCode).toBe(200);
    await alter('reset statement_timeout');
    await other.close();
  });

  it('a demoted database: writes are 503 5030, lists go on, and the probe says what is missing', async () => {
    const other = await reopen();
    const session = await openSession(world.database);
    const become = async (setting: string) => {
      await session.query(`set default_transaction_read_only = off`);
      await session.query(`alter database ${world.database.connection.database} ${setting}`);
      await session.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'portico'`);
    };
    await become('set default_transaction_read_only = on');
    await expect
      .poll(async () => (await other.app.inject('/readyz')).json().message)
      .toBe('the database is read-only');
    const answer = await createKey(other);
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
      503,
      '5030',
      '1',
    ]);
    expect((await listFiles(other)).statusCode).toBe(200);
    await become('reset default_transaction_read_only');
    await expect.poll(async () => (await createKey(other)).statusCode).toBe(201);
    await session.end();
    await other.close();
  });

  it('an outage is one line a second in the log, without a stack for each request', async () => {
    const real = await createDatabase();
    const wire = new Wire(real);
    await wire.open();
    const other = await openWorld({ env: shippedTimes, database: wire.through(real) });
    const own = await signIn(other);
    await wire.cut();
    const list = () =>
      portalCall(other, own, { url: '/web/v1/files/query/list', body: { institutionBizId: 'INST_DEMO' } });
    const begun = performance.now();
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 20 }, list));
    const seconds = Math.ceil((performance.now() - begun) / 1000);
    const lines = other
      .logs()
      .split('\n')
      .filter((line) => line.includes('requests fail'));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(seconds + 1);
    expect(other.logs()).not.toContain('at async');
    await other.close();
    await real.drop();
  });
});

describe('work in the background', () => {
  it('resumes by itself after its connections were lost without a word', async () => {
    const real = await createDatabase();
    const wire = new Wire(real);
    await wire.open();
    const background = openBackground(wire.through(real).connection, { connectMs: 3000, queryMs: 3000 });
    const fold = createFolder(background);
    await fold();
    wire.isHung = true;
    await expect(fold()).rejects.toThrow('database unavailable');
    wire.isHung = false;
    const direct = openDatabase(real.connection, { isPatient: true });
    await direct.query(sql`update files set remark = 'changed', status = 'EXPIRED' where status = 'ACTIVE'`);
    expect(await countWaiting(direct)).toBeGreaterThan(0);
    await expect.poll(async () => fold().then(() => countWaiting(direct))).toBe(0);
    await Promise.all([background.close(), direct.close()]);
    await wire.cut();
    await real.drop();
  });

  it('sweeps each kind by itself: what one fails at keeps no other from its turn', async () => {
    const real = await createDatabase();
    const db = openDatabase(real.connection, { isPatient: true });
    await db.query(sql`alter table api_nonces rename to api_nonces_away`);
    await db.query(sql`
      insert into turnstile_passes (account_id, token_hash, expires_at)
      select id, decode(md5(n::text), 'hex'), now() - interval '1 day' from (select id from accounts limit 1) a, generate_series(1, 3000) n`);
    const tokens = { renewKeys: async () => {} } as World['services']['tokens']; // the sweep asks for no more
    const { files, config } = world.services;
    await expect(sweep({ now: Date.now, tokens, files, config }, db)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('api_nonces') },
    });
    expect(await db.query(sql`select 1 from turnstile_passes`)).toEqual([]);
    await db.close();
    await real.drop();
  });
});

/** What the system waits for on each connection of this machine to the port: 02 is the time to ask for a sign of life. */
function timersTo(port: number): string[] {
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , to, state]) => to === remote && state === '01')
    .map(([, , , , , timer = '']) => (timer.startsWith('02') ? 'keepalive' : timer));
}

describe('connections', () => {
  let db: Database;
  afterAll(() => db.close());

  it.runIf(process.platform === 'linux')(
    'by TCP have a sign of life asked for, in every lane and in the background',
    async () => {
      const wire = new Wire(world.database);
      await wire.open();
      const { connection } = wire.through(world.database);
      const [quiet, background] = [openDatabase(connection, { poolMax: 2 }), openBackground(connection)];
      await quiet.warm();
      await background.query(sql`select 1`);
      expect(timersTo(wire.port).length).toBeGreaterThan(5);
      await expect.poll(() => new Set(timersTo(wire.port))).toEqual(new Set(['keepalive']));
      await Promise.all([quiet.close(), background.close()]);
      await wire.cut();
    },
  );

  it('of all lanes are open once they are warm, and what they do is counted', async () => {
    db = openDatabase(world.database.connection, { poolMax: 3, readersMax: 2, slowMax: 2 });
    const seen: string[] = [];
    db.watch((lane) => seen.push(lane));
    await db.warm();
    const idle = Object.fromEntries(db.lanes().map((lane) => [lane.lane, lane.idle]));
    expect(idle).toEqual({ main: 3, fast: 2, slow: 1, probe: 1 });
    await db.query(sql`select 1`);
    await db.execute(db.prepare(sql`select 1`), {}, { id: 'someone' });
    await db.check();
    expect(seen).toEqual(['main', 'fast', 'probe']);
  });

  it('that were warmed are still open after an hour in which nobody asked', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const quiet = openDatabase(world.database.connection, { poolMax: 3, readersMax: 2, slowMax: 2 });
      await quiet.warm();
      await vi.advanceTimersByTimeAsync(3_600_000);
      const idle = Object.fromEntries(quiet.lanes().map((lane) => [lane.lane, lane.idle]));
      expect(idle).toEqual({ main: 3, fast: 2, slow: 1, probe: 1 });
      await quiet.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('are set up alike in every lane: times in UTC, and limits of time in the server too', async () => {
    const [row] = await db.query(sql`
      select current_setting('timezone') as zone, current_setting('statement_timeout') as "timeout"`);
    expect(row).toEqual({ zone: 'UTC', timeout: '1100ms' });
  });
});

describe('a transaction', () => {
  it('is nothing that a database passes for, and runs no statement after its end', async () => {
    const write = (tx: Transaction) => tx.query(sql`select 1`);
    // @ts-expect-error statements of their own are not kept together
    const looseStatements = () => write(world.db);
    expect(await looseStatements()).toHaveLength(1);
    let kept: Transaction | undefined;
    await world.db.transaction(async (tx) => {
      kept = tx;
      await write(tx);
    });
    await expect(kept?.query(sql`select 1`)).rejects.toThrow('the transaction has ended');
  });

  const rename = sql`update workspaces set name = 'renamed' where biz_id = 'WS_DEMO'`;
  const renamed = () => world.db.query(sql`select 1 from workspaces where name = 'renamed'`);
  const fail = (why: string) => trusted(`do $$ begin raise exception '${why}'; end $$`);

  it('keeps nothing of statements that left together once one fails, and tells of that one', async () => {
    const late = async (work: Promise<unknown>) => {
      for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
      return work.catch(async (error: unknown) => {
        throw await Promise.resolve(error);
      });
    };
    const together = world.db.transaction(async (tx) => {
      const asked = [late(tx.query(rename)), late(tx.query(fail('the first'))), tx.query(fail('the second'))];
      await Promise.all([...asked, tx.query(sql`select 1`)]);
    });
    await expect(together).rejects.toThrow('the first');
    expect(await renamed()).toEqual([]);
  });

  it('keeps nothing, and tells nobody, when what leaves with its commit fails', async () => {
    let isTold = false;
    const lost = world.db.transaction(async (tx) => {
      await tx.query(rename);
      tx.last(fail('as wanted'));
      tx.last(sql`select 1`);
      tx.afterCommit(() => {
        isTold = true;
      });
    });
    await expect(lost).rejects.toThrow('as wanted');
    expect([await renamed(), isTold]).toEqual([[], false]);
    await world.db.transaction(async (tx) => tx.last(rename));
    expect(await renamed()).toHaveLength(1);
  });
});
