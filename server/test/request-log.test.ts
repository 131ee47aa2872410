import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Queryable } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { startMaintenance } from '../src/maintenance.ts';
import { createRequestLog } from '../src/requests/request-log.ts';
import { insertKeys, rowOf as madeRow, miscounts, requestKeys } from './support/request-rows.ts';
import {
  createKey,
  createStillClock,
  type Key,
  openWorld,
  portalCall,
  signatureHeaders,
  signedCall,
  signIn,
  type World,
} from './world.ts';

type Row = { code: string; status: number; route: string; method: string; address: string | null };

let world: World;
let key: Key;
beforeAll(async () => {
  world = await openWorld({ clock: createStillClock() });
  key = await createKey(world, { scopes: ['transfers:read', 'files:write'], mode: 2 });
});
afterAll(() => world.close());

const flush = () => world.services.requestLog.flush(world.db);

/** The row of an answer, once it is written. */
async function rowOf(response: { headers: Record<string, unknown> }): Promise<Row | undefined> {
  await flush();
  const [row] = await world.db.query<Row>(sql`
    select s.code, r.status, r.route, r.method, r.ip_address as address
    from requests r join request_series s on s.id = r.series_id where r.request_id = ${response.headers['x-request-id']}`);
  return row;
}

const whoami = { url: '/api/v1/whoami' };
const change = async (apiKeyId: string, step: string) =>
  portalCall(world, await signIn(world), { url: `/web/v1/workspaces/WS_DEMO/api-keys/${apiKeyId}/${step}` });

describe('a signed request', () => {
  it('that is served leaves a row of its route, and nothing of what was sent', async () => {
    const secret = randomUUID();
    const url = `/api/v1/transfers/${secret}?page=0`;
    const row = await rowOf(await signedCall(world, key, { url }, { 'x-secret': secret }));
    expect(row).toEqual({
      code: '4000',
      status: 400,
      route: '/api/v1/transfers/{transferId}',
      method: 'GET',
      address: '127.0.0.1',
    });
    expect(await rowOf(await signedCall(world, key, whoami))).toMatchObject({ code: '2000', status: 200 });
    const [kept] = await world.db.query<{ text: string }>(sql`
      select string_agg(r::text || s::text, '') as text from requests r join request_series s on s.id = r.series_id`);
    for (const sent of [secret, key.secret, 'page=0']) expect(kept?.text).not.toContain(sent);
  });

  it('leaves a row whatever refused it, and however early', async () => {
    const nonce = randomUUID();
    await signedCall(world, key, { ...whoami, nonce });
    const wrong = { ...key, secret: `${key.secret}x` };
    const late = { ...whoami, timestamp: 1 };
    const large = Buffer.alloc(2 * 1024 * 1024, 'x').toString();
    const refused: [string, string, Promise<{ headers: Record<string, unknown> }>][] = [
      ['4012', '/api/v1/whoami', signedCall(world, wrong, whoami)],
      ['4013', '/api/v1/whoami', signedCall(world, key, late)],
      ['4014', '/api/v1/whoami', signedCall(world, key, { ...whoami, nonce })],
      ['4011', '/api/v1/whoami', signedCall(world, key, whoami, { 'x-nonce': 'none' })],
      ['4031', '/api/v1/files', signedCall(world, key, { url: '/api/v1/files' })],
      ['4041', 'none', signedCall(world, key, { url: '/api/v1/nothing' })],
      ['4050', 'none', signedCall(world, key, { method: 'DELETE', ...whoami })],
      ['4000', 'none', signedCall(world, key, { url: '/api/v1/%zz' })],
      [
        '4130',
        '/api/v1/transfers',
        signedCall(world, key, { method: 'POST', url: '/api/v1/transfers', body: large }),
      ],
    ];
    for (const [code, route, call] of refused)
      expect(await rowOf(await call)).toMatchObject({ code, route, status: Number(code.slice(0, 3)) });
  });

  it('leaves a row also of a key that may not be used', async () => {
    const other = await createKey(world, { mode: 2, ipWhitelist: ['203.0.113.1'] });
    expect(await rowOf(await signedCall(world, other, whoami))).toMatchObject({ code: '4032' });
    for (const step of ['disable', 'revoke']) {
      await change(other.apiKeyId, step);
      expect(await rowOf(await signedCall(world, other, whoami))).toMatchObject({ code: '4015' });
    }
    const brief = await createKey(world, { mode: 2 });
    await world.db.query(
      sql`update api_keys set expires_at = to_timestamp(${world.clock.now() / 1000 - 1}) where id = ${brief.apiKeyId}`,
    );
    expect(await rowOf(await signedCall(world, brief, whoami))).toMatchObject({ code: '4016' });
  });

  it('leaves none when it names no key that there is, names several, or is none at all', async () => {
    const unknown = { ...key, apiKeyId: `ak_test_${'7'.repeat(26)}` };
    const headers = signatureHeaders(world, key, whoami);
    const several = { ...headers, 'x-api-key': [key.apiKeyId, key.apiKeyId] };
    const others = [
      signedCall(world, unknown, whoami),
      signedCall(world, { ...key, apiKeyId: key.secret }, whoami),
      world.app.inject({ ...whoami, headers: several }),
      world.app.inject(whoami),
      world.app.inject({ url: '/web/v1/errors', headers }),
      world.app.inject({ url: '/nothing', headers }),
    ];
    for (const call of others) expect(await rowOf(await call)).toBeUndefined();
    expect(world.services.requestLog.outcomes().dropped).toBe(0);
  });

  it('leaves a bounded number of rows when it only names a key, and takes none from who has proved it', async () => {
    const stranger = { ...key, secret: 'none' };
    await Promise.all(Array.from({ length: 120 }, () => signedCall(world, stranger, whoami)));
    const { waiting, outcomes } = world.services.requestLog;
    expect([waiting(), outcomes().dropped]).toEqual([50, 70]);
    expect(await rowOf(await signedCall(world, key, whoami))).toMatchObject({ code: '2000' });
  });

  it('has counts that are what the rows say', async () => {
    expect(await miscounts(world.db)).toEqual([]);
  });

  it('that comes while others are written waits for the next time, so that many have one commit', async () => {
    await insertKeys(world.db);
    const log = createRequestLog();
    const note = () => log.note('all', madeRow({ apiKeyId: requestKeys.live, atMs: Date.now() }), true);
    let writes = 0;
    const db: Queryable = {
      query(statement) {
        writes += 1;
        if (writes <= 20) note();
        return world.db.query(statement);
      },
    };
    note();
    await log.flush(db);
    expect({ writes, waiting: log.waiting() }).toEqual({ writes: 1, waiting: 1 });
    const earlier = log.flush(db);
    note();
    await Promise.all([earlier, log.flush(db)]);
    expect({ writes, waiting: log.waiting() }).toEqual({ writes: 3, waiting: 1 });
    expect(log.outcomes()).toEqual({ written: 4, dropped: 0 });
  });

  it('is written down when the service stops', async () => {
    const maintenance = startMaintenance(world.services, world.db, pino({ level: 'silent' }));
    const response = await signedCall(world, key, whoami);
    await maintenance.stop();
    expect(world.services.requestLog.waiting()).toBe(0);
    expect(await rowOf(response)).toBeDefined();
  });
});

describe('a line of the log', () => {
  const lineOf = ({ headers }: { headers: Record<string, unknown> }) =>
    world
      .logs()
      .split('\n')
      .filter((line) => line.includes(String(headers['x-request-id'])))
      .map((line) => JSON.parse(line))
      .find(({ msg }) => msg === 'request');

  it('tells code, key, address and route of a signed request', async () => {
    expect(lineOf(await signedCall(world, key, { url: '/api/v1/files' }))).toMatchObject({
      code: '4031',
      apiKeyId: key.apiKeyId,
      address: '127.0.0.1',
      route: '/api/v1/files',
      status: 403,
    });
    expect(lineOf(await signedCall(world, key, whoami))).not.toHaveProperty('code');
  });

  it('tells the account of a person', async () => {
    const call = { method: 'GET', url: '/web/v1/errors' } as const;
    expect(lineOf(await portalCall(world, await signIn(world), call))).toMatchObject({
      account: 'ACC_DEMO_OWNER',
      address: '127.0.0.1',
    });
    const refused = lineOf(await portalCall(world, 'none', call));
    expect([refused.code, refused.account]).toEqual(['4010', undefined]);
  });

  it('tells of a target that no router reads, and of a secret in place of its key nothing', async () => {
    expect(lineOf(await world.app.inject('/api/v1/%zz'))).toMatchObject({ code: '4000', route: 'none' });
    await signedCall(world, { ...key, apiKeyId: key.secret }, whoami);
    expect(world.logs()).not.toContain(key.secret);
  });
});
