import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addressesMax } from '../src/auth/portal/failed-sign-ins.ts';
import { sql } from '../src/db/sql.ts';
import { createSealer } from '../src/log/sealer.ts';
import { createStillClock, openWorld, portalCall, type World } from './world.ts';

const clock = createStillClock();
const password = 'portico-demo';
let world: World;
let after: number;

type Record = {
  action: string;
  actorType: string;
  actorId: string;
  actorName: string;
  subjectId: string;
  changes: string;
  ipAddress: string | null;
  workspaceId: string | null;
  occurredAt: string;
};

/** What was written down since a test began. */
async function records(): Promise<Record[]> {
  await createSealer(world.db)();
  return world.db.query(sql`
    select action, actor_type::text as "actorType", actor_id as "actorId", actor_name as "actorName", subject_id as "subjectId", changes,
      ip_address as "ipAddress", workspace_id as "workspaceId", occurred_at as "occurredAt"
    from audit_log where sequence > ${after} order by sequence`);
}

const begin = async () => {
  await createSealer(world.db)();
  const [head] = await world.db.query<{ sequence: number }>(sql`select sequence from log_heads`);
  after = head?.sequence ?? 0;
};

beforeAll(async () => {
  world = await openWorld({ clock, env: { PORTICO_TRUSTED_PROXIES: '127.0.0.1' } });
  await begin();
});
afterEach(async () => {
  await world.services.failedSignIns.flush(world.db, true);
  await begin();
});
afterAll(() => world.close());

const post = (path: string, body: object, token?: string, address = '203.0.113.1') =>
  portalCall(world, token, { url: `/web/v1/auth/${path}`, body, headers: { 'x-forwarded-for': address } });

const logIn = async (): Promise<{ accessToken: string; refreshToken: string }> =>
  (await post('login', { email: 'owner@demo.test', password })).json().data;

const fail = async (address?: string, email = 'owner@demo.test') => {
  const response = await post('login', { email, password: 'wrong' }, undefined, address);
  expect(response.statusCode).toBe(401);
};

const brief = ({ action, subjectId, changes, ipAddress }: Record) => [action, subjectId, changes, ipAddress];
const owner = 'ACC_DEMO_OWNER';

describe('the audit log of sign-ins', () => {
  it('has sign-in and sign-out, by whom, when and from where, for the operator alone', async () => {
    const { accessToken, refreshToken } = await logIn();
    await post('logout', { refreshToken }, accessToken);
    const common = {
      actorType: 'ACCOUNT',
      actorId: owner,
      actorName: 'Demo Owner',
      subjectId: owner,
      ipAddress: '203.0.113.1',
      workspaceId: null,
      occurredAt: new Date(clock.now()).toISOString(),
    };
    expect(await records()).toEqual([
      { ...common, action: 'account.signed-in', changes: '{}' },
      { ...common, action: 'account.signed-out', changes: '{"signIns":{"from":1,"to":0}}' },
    ]);
  });

  it('has one record of a sign-out everywhere, and none of one that ended nothing', async () => {
    const { accessToken, refreshToken } = await logIn();
    await logIn();
    await post('logout-everywhere', {}, accessToken);
    await post('logout-everywhere', {}, accessToken);
    await post('logout', { refreshToken }, accessToken);
    await post('logout', { refreshToken: 'rt_unknown' }, accessToken);
    const [first, second, ...outs] = await records();
    expect([first?.action, second?.action]).toEqual(['account.signed-in', 'account.signed-in']);
    expect(outs.map(brief)).toEqual([
      ['account.signed-out', owner, '{"signIns":{"from":2,"to":0}}', '203.0.113.1'],
    ]);
  });

  it('has the reuse of a refresh token, which ends its sign-in', async () => {
    const { refreshToken } = await logIn();
    await post('refresh', { refreshToken });
    clock.advance(11);
    expect((await post('refresh', { refreshToken }, undefined, '198.51.100.9')).statusCode).toBe(401);
    expect((await records()).map(brief)).toEqual([
      ['account.signed-in', owner, '{}', '203.0.113.1'],
      ['account.refresh-token-reused', owner, '{}', '198.51.100.9'],
    ]);
  });

  it('has the first failed sign-in of an address at once, and the rest of its minute in one record', async () => {
    await fail();
    const first = ['account.sign-in-failed', owner, '{"attempts":{"from":null,"to":1}}', '203.0.113.1'];
    expect((await records()).map(brief)).toEqual([first]);
    for (let left = 4; left > 0; left -= 1) await fail();
    await world.services.failedSignIns.flush(world.db);
    expect(await records()).toHaveLength(1);
    clock.advance(60);
    await world.services.failedSignIns.flush(world.db);
    await world.services.failedSignIns.flush(world.db);
    const rest = ['account.sign-in-failed', owner, '{"attempts":{"from":null,"to":4}}', '203.0.113.1'];
    expect((await records()).map(brief)).toEqual([first, rest]);
    await fail();
    expect((await records()).map(brief)).toEqual([first, rest, first]);
    clock.advance(60);
    await world.services.failedSignIns.flush(world.db);
    expect(await records()).toHaveLength(3);
  });

  it('does not keep what was typed as an e-mail address of no account, and says so of several', async () => {
    await fail(undefined, 'my-secret-password');
    await fail(undefined, 'viewer@demo.test');
    await fail(undefined, 'another-secret');
    await world.services.failedSignIns.flush(world.db, true);
    const found = await records();
    expect(found.map(({ subjectId }) => subjectId)).toEqual(['(unknown)', '(several)']);
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  it('is bounded by the minute, from however many addresses sign-ins fail', async () => {
    const attempts = addressesMax + 20;
    for (let turn = 0; turn < 2; turn += 1)
      for (let at = 0; at < attempts; at += 1) await fail(`198.51.100.${at}`);
    expect(await records()).toHaveLength(addressesMax);
    clock.advance(60);
    await world.services.failedSignIns.flush(world.db);
    const found = await records();
    expect(found).toHaveLength(2 * addressesMax + 1);
    const counted = found.map(({ changes }) => Number(/"to":(\d+)/.exec(changes)?.[1]));
    expect(counted.reduce((sum, each) => sum + each, 0)).toBe(2 * attempts);
    expect(found.at(-1)).toMatchObject({ ipAddress: null, changes: '{"attempts":{"from":null,"to":40}}' });
  });

  it('counts addresses of one IPv6 network as one', async () => {
    await fail('2001:db8:1:2::1');
    await fail('2001:db8:1:2::2');
    expect(await records()).toHaveLength(1);
  });

  it('keeps its count when the database was away as it should be written', async () => {
    await fail();
    await fail();
    const away = { query: world.db.query, transaction: () => Promise.reject(new Error('away')) };
    await expect(world.services.failedSignIns.flush(away, true)).rejects.toThrow('away');
    await world.services.failedSignIns.flush(world.db, true);
    expect((await records()).map(({ changes }) => changes)).toEqual([
      '{"attempts":{"from":null,"to":1}}',
      '{"attempts":{"from":null,"to":1}}',
    ]);
  });
});

describe('a sign-in whose account is meanwhile', () => {
  const ofOwner = sql`email = 'owner@demo.test'`;
  const traces = () =>
    world.db.query(sql`
      select last_sign_in_at, password_hash, status, (select count(*) from sign_ins) as "signIns",
        (select count(*) from refresh_tokens) as tokens, (select count(*) from sign_in_addresses) as addresses
      from accounts where ${ofOwner}`);

  it.each([
    ['disabled', sql`status = 'DISABLED'`, sql`status = 'ACTIVE'`],
    [
      'given another password',
      sql`password_hash = password_hash || ' '`,
      sql`password_hash = rtrim(password_hash)`,
    ],
  ])('%s is refused, and leaves nothing behind', async (_what, change, undo) => {
    const before = await traces();
    const { late } = await world.db.transaction(async (tx) => {
      await tx.query(sql`update accounts set ${change} where ${ofOwner}`);
      const answer = post('login', { email: 'owner@demo.test', password }, undefined, '203.0.113.77');
      await expect
        .poll(
          () =>
            world.db.query(sql`
            select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
          { timeout: 10_000 },
        )
        .toHaveLength(1);
      return { late: answer };
    });
    expect((await late).json().code).toBe('4017');
    await world.db.query(sql`update accounts set ${undo} where ${ofOwner}`);
    expect(await traces()).toEqual(before);
    expect(await records()).toEqual([]);
  });
});
