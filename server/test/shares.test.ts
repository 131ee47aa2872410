import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Lane } from '../src/db/pool.ts';
import { openSession } from './database.ts';
import { insertKeys, requestKeys as keys, rowOf, writeRows } from './support/request-rows.ts';
import {
  createKey,
  type Key,
  openWorld,
  portalCall,
  signedCall,
  signIn,
  tokenOf,
  type World,
} from './world.ts';

const overviewUrl = '/web/v1/workspaces/WS_DEMO/overview?days=7';
const requestsUrl = '/web/v1/workspaces/WS_DEMO/requests';

let world: World;
let viewer: string;
beforeAll(async () => {
  world = await openWorld(); // it waits for the database for long: a slow machine is not what fails here
  await insertKeys(world.db);
  viewer = await tokenOf(world, 'ACC_DEMO_VIEWER');
});
afterAll(() => world.close());

/** Under way at once: an injected request begins only when somebody waits for it. */
const get = (url: string, token = viewer) =>
  portalCall(world, token, { method: 'GET', url }).then((answer) => answer);

describe('what an account asks for', () => {
  let asked: string[];
  let restore = () => {};
  beforeEach(() => {
    asked = [];
    const { db } = world.services;
    const { query, transaction } = db;
    db.query = (statement) => {
      asked.push(statement.text);
      return query(statement);
    };
    db.transaction = (work) => {
      asked.push('a transaction');
      return transaction(work);
    };
    restore = () => void Object.assign(db, { query, transaction });
  });
  afterEach(() => restore());

  /** A value that is there for each name in a path; of requests none is. */
  const values: Record<string, string> = {
    workspaceId: 'WS_DEMO',
    apiKeyId: keys.live,
    bizId: 'FILE_0000000001',
  };
  const filled = (path: string) => path.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? 'none');

  it('takes its share of the connections, and never one past all others: every endpoint that is read', async () => {
    const { paths } = (await world.app.inject('/openapi.json')).json();
    const reads = Object.entries<Record<string, { security?: object[] }>>(paths).filter(
      ([path, { get: read }]) => path.startsWith('/web/') && read?.security?.some((each) => 'bearer' in each),
    );
    expect(reads.length).toBeGreaterThan(20);
    for (const [path] of reads) {
      await get(filled(path));
      expect([path, asked]).toEqual([path, []]);
    }
  });

  it.each([
    ['/web/v1/workspaces/WS_DEMO/notifications/read', { eventId: 'EVT_1' }],
    [
      `/web/v1/workspaces/WS_DEMO/api-keys/${keys.live}/simulate`,
      { method: 'GET', path: '/api/v1/ping', ip: '::1' },
    ],
    ['/web/v1/auth/device/lookup', { userCode: 'BCDF-GHJK' }],
    ['/web/v1/invitations/accept', { token: 'x'.repeat(43) }],
    ['/web/v1/auth/logout', { refreshToken: 'x'.repeat(43) }],
    ['/web/v1/auth/logout-everywhere', {}],
  ])('nor at POST %s', async (url, body) => {
    const token = await signIn(world, 'owner@demo.test');
    asked = [];
    const answer = await portalCall(world, token, { url, body });
    expect([200, 404]).toContain(answer.statusCode);
    expect(asked).toEqual([]);
  });
});

describe('overviews of one account that are stuck', () => {
  let locker: pg.Client;
  let outsider: string;
  let key: Key;
  beforeAll(async () => {
    locker = await openSession(world.database);
    outsider = await tokenOf(world, 'ACC_DEMO_OUTSIDER');
    key = await createKey(world, {}, 'WS_OTHER', 'outsider@demo.test');
  });
  afterAll(() => locker.end());

  it('on and on leave connections for pings, sign-ins, lookups and lists of others', async () => {
    const files = { url: '/web/v1/files/query/list', body: { institutionBizId: 'INST_OTHER' } };
    const credentials = { email: 'owner@demo.test', password: 'portico-demo' };
    const waits = async () => {
      const { rows } = await locker.query(`select 1 from pg_stat_activity
        where datname = current_database() and application_name = 'portico' and wait_event_type = 'Lock'`);
      return rows.length;
    };
    let isOver = false;
    const askOn = async () => {
      while (!isOver) await get(overviewUrl);
    };
    await locker.query('begin; lock table request_series in access exclusive mode');
    const stuck = Promise.all(Array.from({ length: 60 }, askOn));
    try {
      await expect.poll(waits, { interval: 20 }).toBeGreaterThan(4);
      for (let round = 0; round < 5; round += 1) {
        const others = await Promise.all([
          signedCall(world, key, { url: '/api/v1/ping' }),
          get('/web/v1/auth/me', outsider),
          portalCall(world, outsider, files),
          portalCall(world, undefined, { url: '/web/v1/auth/login', body: credentials }),
        ]);
        expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
      }
    } finally {
      isOver = true;
      await locker.query('rollback');
      await stuck;
    }
  });
});

describe('a workspace with more series of requests than are soon counted', () => {
  const codes = 600;
  beforeAll(async () => {
    const rows = Array.from({ length: codes }, (_none, index) =>
      rowOf({ apiKeyId: keys.live, code: `4${index}`, status: 400, atMs: world.clock.now() - index * 1000 }),
    );
    await writeRows(world.db, rows);
  });

  const lanesOf = async (url: string) => {
    const taken = new Set<Lane>();
    let isOver = false;
    world.db.watch((lane) => void (isOver || taken.add(lane)));
    const answer = await get(url);
    isOver = true;
    return { lanes: [...taken], data: answer.json().data };
  };

  it('has its list and overview made on the slow lane, with exact totals', async () => {
    const list = await lanesOf(requestsUrl);
    expect(list.lanes).toContain('slow');
    expect([list.data.totalElements, list.data.content.length]).toEqual([codes, 20]);
    const last = await lanesOf(`${requestsUrl}?page=29&sort=occurredAt,asc`);
    expect([last.data.totalElements, last.data.content.length]).toEqual([codes, 20]);
    const overview = await lanesOf(overviewUrl);
    expect(overview.lanes).toContain('slow');
    expect(overview.data.totals.refused).toBe(codes);
  });

  it('of which few are of one key has the list of that key made at once', async () => {
    await writeRows(world.db, [rowOf({ apiKeyId: keys.test, atMs: world.clock.now() })]);
    const list = await lanesOf(`${requestsUrl}?apiKeyId=${keys.test}`);
    expect([list.lanes, list.data.totalElements]).toEqual([['fast'], 1]);
  });
});
