import { readFileSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getPriority } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseDefaults } from '../src/db/database.ts';
import { prepareOnce, sql } from '../src/db/sql.ts';
import { StoreUnavailable } from '../src/db/unavailable.ts';
import { openSession } from './database.ts';
import {
  createKey,
  type Key,
  openWorld,
  portalCall,
  shippedTimes,
  signatureHeaders,
  signedCall,
  signIn,
  type World,
} from './world.ts';

let world: World;
let session: pg.Client;
let locker: pg.Client;
let viewer: string;
let outsider: string;
let key: Key;
beforeAll(async () => {
  world = await openWorld({ env: shippedTimes });
  [viewer, outsider, key] = await Promise.all([
    signIn(world, 'viewer@demo.test'),
    signIn(world, 'outsider@demo.test'),
    createKey(world, {}, 'WS_OTHER', 'outsider@demo.test'),
  ]);
});
afterAll(() => world.close());
beforeEach(async () => {
  [session, locker] = await Promise.all([openSession(world.database), openSession(world.database)]);
});
afterEach(async () => {
  await Promise.all([session.end(), locker.end()]);
});

/** Until the work is done, no statement gets at the table. */
async function withLocked<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  await locker.query(`begin; lock table ${table} in access exclusive mode`);
  try {
    return await work();
  } finally {
    await locker.query('rollback');
  }
}

/** Connections of the service whose statements are under way in the database. */
async function atWork(): Promise<{ pid: number; told: string }[]> {
  const { rows } = await session.query<{ pid: number; told: string }>(
    `select pid, concat_ws(' ', clock_timestamp() - query_start, wait_event_type, wait_event, query) as told
     from pg_stat_activity
     where datname = current_database() and application_name = 'portico' and state = 'active'`,
  );
  return rows;
}
/** Those of them that wait for a lock; lookups come and go beside them. */
const lockedOut = async () =>
  (await atWork()).filter(({ told }) => told.includes(' Lock ')).map(({ pid }) => pid);
const statementsUnderway = async () => (await atWork()).map(({ told }) => told);

/** A slow machine needs its time; nothing here waits for as long. */
const eventually = <Value>(ask: () => Promise<Value>) => expect.poll(ask, { interval: 20 });

const slowUrl = '/web/v1/workspaces/WS_DEMO/transfers?sort=status,asc&sort=amount,desc&page=3';
/** Under way at once: an injected request begins only when somebody waits for it. */
const begun = <Answer>(answer: Promise<Answer>): Promise<Answer> => answer.then((value) => value);
const get = (token: string, url: string) => begun(portalCall(world, token, { method: 'GET', url }));
const slowList = () => get(viewer, slowUrl);
const filesOf = (token: string, institutionBizId: string) =>
  begun(portalCall(world, token, { url: '/web/v1/files/query/list', body: { institutionBizId } }));

const others = () => [
  signedCall(world, key, { url: '/api/v1/ping' }),
  get(outsider, '/web/v1/auth/me'),
  filesOf(outsider, 'INST_OTHER'),
  world.app.inject('/readyz'),
];
const statuses = async (answers: Promise<{ statusCode: number }>[]) =>
  (await Promise.all(answers)).map(({ statusCode }) => statusCode);

/** As the system shows it. */
function policyOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, after = ''] = stat.split(') '); // a name may have spaces
  return after.split(' ')[38] === '5' ? 'idle' : 'other';
}

describe('lists that take long', () => {
  it('of one account, however many, take nothing from pings, sign-ins, lists and probes of others', async () => {
    const slow = await withLocked('transfers', async () => {
      const lists = Array.from({ length: 12 }, slowList);
      await eventually(lockedOut).toHaveLength(2);
      expect(await statuses(others())).toEqual([200, 200, 200, 200]);
      expect(await signIn(world, 'owner@demo.test')).toEqual(expect.any(String));
      return { lists };
    });
    const codes = await statuses(slow.lists);
    expect(codes.filter((code) => code === 200)).toHaveLength(6);
    expect(codes.filter((code) => code === 429)).toHaveLength(6);
  });

  it('beyond the share of an account are 429 4290 at once, and say when to try again', async () => {
    const held = await withLocked('transfers', async () => {
      const lists = Array.from({ length: 6 }, slowList);
      const answer = await slowList();
      expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
        429,
        '4290',
        '1',
      ]);
      return { lists };
    });
    await statuses(held.lists);
    await eventually(statementsUnderway).toEqual([]);
  });

  it('are watched on a connection of its own: as many as there are places succeed', async () => {
    // A watch that a slow machine keeps waiting is not the subject.
    const patient = await openWorld({
      database: world.database,
      masterKey: world.services.config.masterKey as Buffer, // every world has one
    });
    const owner = await signIn(patient);
    const lists = await withLocked('transfers', async () => {
      const both = [viewer, viewer, owner, owner].map((token) =>
        begun(portalCall(patient, token, { method: 'GET', url: slowUrl })),
      );
      await eventually(lockedOut).toHaveLength(4);
      await new Promise((resolve) => setTimeout(resolve, 1500)); // the watch looks twice
      return { both };
    });
    expect(await statuses(lists.both)).toEqual([200, 200, 200, 200]);
    await patient.close();
  });

  it.runIf(process.platform === 'linux')(
    'give way to everything else on the machine of the service',
    async () => {
      expect((await slowList()).statusCode).toBe(200);
      const levels = async () => {
        const { rows } = await session.query<{ pid: number }>(
          `select pid from pg_stat_activity where datname = current_database() and application_name = 'portico'`,
        );
        return rows.map(({ pid }) => ({ level: getPriority(pid), policy: policyOf(pid) }));
      };
      // The server may still be ending connections of the service that was closed just before.
      const kinds = async () => new Set((await levels()).map(({ level, policy }) => `${level} ${policy}`));
      await eventually(kinds).toEqual(new Set(['0 other', '15 idle']));
      const low = async () => (await levels()).filter(({ level }) => level === 15).length;
      await eventually(async () => (await low()) <= databaseDefaults.slowMax).toBe(true);
    },
  );

  it('end in the database when their client leaves, and the next one finds their connections', async () => {
    await world.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = world.app.server.address() as AddressInfo; // a TCP server has one
    const open = (): ClientRequest =>
      request({ port, path: slowUrl, headers: { authorization: `Bearer ${viewer}` } })
        .on('error', () => {})
        .end();
    await withLocked('transfers', async () => {
      const clients = [open(), open()];
      await eventually(lockedOut).toHaveLength(2);
      const connections = await lockedOut();
      for (const client of clients) client.destroy();
      await eventually(statementsUnderway).toEqual([]);
      const next = slowList();
      await eventually(lockedOut).toHaveLength(1);
      expect(connections).toEqual(expect.arrayContaining(await lockedOut()));
      return { next };
    }).then(({ next }) => next);
  });

  it('are not begun for a client who has left by then', async () => {
    const { db } = world.services;
    const list = prepareOnce(sql`select id from transfers`, 'long');
    await withLocked('transfers', async () => {
      await expect(db.execute(list, {}, { id: 'gone', leaving: () => AbortSignal.abort() })).rejects.toThrow(
        StoreUnavailable,
      );
      expect(await lockedOut()).toEqual([]);
    });
  });
});

describe('signed calls of one address', () => {
  it('that are stuck, however many, leave connections for lookups and sign-ins of others', async () => {
    const calls = await withLocked('api_nonces', async () => {
      const stuck = Array.from({ length: 30 }, () =>
        begun(
          world.app.inject({
            url: '/api/v1/ping',
            remoteAddress: '198.51.100.1',
            headers: signatureHeaders(world, key, { url: '/api/v1/ping' }),
          }),
        ),
      );
      await eventually(async () => (await lockedOut()).length).toBeGreaterThan(0);
      expect(await statuses([get(outsider, '/web/v1/auth/me'), begun(world.app.inject('/readyz'))])).toEqual([
        200, 200,
      ]);
      expect(await signIn(world, 'owner@demo.test')).toEqual(expect.any(String));
      return { stuck };
    });
    await statuses(calls.stuck);
    await eventually(async () => statuses(others())).toEqual([200, 200, 200, 200]);
  });
});

describe('writes of one account', () => {
  it('that are stuck on and on leave connections for pings, lookups, lists, probes and writes of others', async () => {
    const owner = await signIn(world);
    const wanted = {
      url: '/web/v1/workspaces/WS_DEMO/transfers',
      body: { amount: '12.50', currency: 'USD' },
    };
    let isOver = false;
    const writeOn = async () => {
      while (!isOver) await portalCall(world, owner, wanted);
    };
    const createOther = () =>
      portalCall(world, outsider, { url: '/web/v1/workspaces/WS_OTHER/api-keys', body: { name: 'other' } });
    const writing = await withLocked('transfers', async () => {
      const all = Array.from({ length: 30 }, writeOn);
      await eventually(async () => (await lockedOut()).length).toBeGreaterThanOrEqual(5);
      for (let round = 0; round < 5; round += 1) {
        expect(await statuses([...others(), createOther()])).toEqual([200, 200, 200, 200, 201]);
      }
      return { all };
    }).finally(() => {
      isOver = true;
    });
    await Promise.all(writing.all);
  });
});

describe('a statement that is given up', () => {
  it('ends in the database, and its connection serves the next request', async () => {
    await withLocked('workspace_members', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => get(outsider, '/web/v1/auth/me')));
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([503]));
      await eventually(statementsUnderway).toEqual([]);
    });
    expect(await statuses(others())).toEqual([200, 200, 200, 200]);
  });

  it('of those that share a connection ends alone: lists of others are answered', async () => {
    await withLocked('transfers', async () => {
      const stuck = get(viewer, '/web/v1/workspaces/WS_DEMO/transfers');
      await eventually(async () => (await lockedOut()).length).toBeGreaterThan(0);
      const lists = await statuses(Array.from({ length: 60 }, () => filesOf(outsider, 'INST_OTHER')));
      expect(new Set(lists)).toEqual(new Set([200]));
      expect((await stuck).statusCode).toBe(503);
    });
    await eventually(statementsUnderway).toEqual([]);
  });

  it('again and again by one account leaves connections for the lists of others', async () => {
    await withLocked('transfers', async () => {
      const stuck = Array.from({ length: 30 }, () => get(viewer, '/web/v1/workspaces/WS_DEMO/transfers'));
      await eventually(async () => (await lockedOut()).length).toBeGreaterThan(0);
      expect(await statuses([filesOf(outsider, 'INST_OTHER')])).toEqual([200]);
      expect(new Set(await statuses(stuck))).toEqual(new Set([503]));
      expect(await statuses([filesOf(outsider, 'INST_OTHER')])).toEqual([200]);
    });
  });
});

describe('lists that are stuck on and on, of more callers than there are connections', () => {
  it('share one connection after their first: lists of others are answered', async () => {
    const keys = await Promise.all(Array.from({ length: 6 }, () => createKey(world)));
    let isOver = false;
    const askOn = async (own: Key) => {
      while (!isOver) await signedCall(world, own, { url: '/api/v1/transfers' });
    };
    const asking = await withLocked('transfers', async () => {
      const all = keys.map(askOn);
      await eventually(async () => (await lockedOut()).length).toBeGreaterThan(0);
      const lists = async () => statuses(Array.from({ length: 5 }, () => filesOf(outsider, 'INST_OTHER')));
      await eventually(lists).toEqual([200, 200, 200, 200, 200]);
      for (let round = 0; round < 20; round += 1) expect(await lists()).toEqual([200, 200, 200, 200, 200]);
      isOver = true;
      return { all };
    });
    await Promise.all(asking.all);
  });
});

describe('a service that was held up', () => {
  it('reads the answers that came meanwhile, instead of giving them up', async () => {
    const isAsked = () => world.db.lanes().some(({ lane, busy }) => lane === 'fast' && busy > 0);
    /** One may be answered between two looks: then it is asked for again. */
    const askedFor = async () => {
      for (;;) {
        let isAnswered = false;
        const list = filesOf(outsider, 'INST_OTHER').finally(() => {
          isAnswered = true;
        });
        for (; !isAnswered; await turn()) if (isAsked()) return { list };
      }
    };
    for (let round = 0; round < 3; round += 1) {
      const { list } = await askedFor();
      const endMs = performance.now() + 2 * databaseDefaults.queryMs;
      while (performance.now() < endMs);
      expect((await list).statusCode).toBe(200);
    }
  });
});

/** As a failover does: every connection of the service is ended by the server. */
async function terminate(): Promise<number> {
  const { rowCount } = await session.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'portico'`,
  );
  return rowCount ?? 0;
}

describe('connections that the database ends', () => {
  it('while they are lent fail their own request alone, and the process goes on', async () => {
    const slow = await withLocked('transfers', async () => {
      const lists = [slowList(), slowList()];
      await eventually(lockedOut).toHaveLength(2);
      expect(await terminate()).toBeGreaterThan(2);
      return { lists };
    });
    expect(await statuses(slow.lists)).toEqual([503, 503]);
    await eventually(async () => statuses(others())).toEqual([200, 200, 200, 200]);
  });

  it('while lists share them are replaced, and the lists are read again', async () => {
    for (let round = 0; round < 10; round += 1) {
      const lists = Array.from({ length: 20 }, () => filesOf(outsider, 'INST_OTHER'));
      await terminate();
      expect(new Set(await statuses(lists))).toEqual(new Set([200]));
    }
  });
});
