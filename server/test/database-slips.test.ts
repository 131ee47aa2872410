import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { trusted } from '../src/db/sql.ts';
import { createDatabase, openSession, type TestDatabase, urlOf } from './database.ts';
import { openWorld, portalCall, shippedTimes, signIn, type World } from './world.ts';

/** What the service is let do, and no more, so that it can be taken away. */
const role = `slips_${randomBytes(6).toString('hex')}`;
const password = 'as-it-was';

let real: TestDatabase;
let database: TestDatabase;
let operator: pg.Client;
let name: string;
let world: World;
let token: string;

const tables = 'all tables in schema public';

beforeAll(async () => {
  real = await createDatabase();
  name = real.connection.database;
  const owner = await openSession(real);
  await owner.query(`create role ${role} login password '${password}'; grant usage on schema public to ${role};
    grant all on ${tables} to ${role}; grant all on all sequences in schema public to ${role};
    revoke connect on database ${name} from public; grant connect, temporary on database ${name} to ${role}`);
  await owner.end();
  // From another database: nobody may be left in this one when it gets another name.
  operator = new pg.Client(inject('connection'));
  await operator.connect();
  const connection = { ...real.connection, user: role, password };
  database = { ...real, connection, url: urlOf(connection) };
  world = await openWorld({ env: shippedTimes, database });
  token = await signIn(world);
});
afterAll(async () => {
  await world.close();
  const owner = await openSession(real);
  await owner.query(`drop owned by ${role}`);
  await owner.end();
  await real.drop();
  await operator.query(`drop role ${role}`);
  await operator.end();
});

/** In the database itself, as its owner. */
async function inside(statement: string): Promise<void> {
  const owner = await openSession(real);
  await owner.query(statement);
  await owner.end();
}

const endSessions = () =>
  operator.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${role}'`);

const transfers = '/web/v1/workspaces/WS_DEMO/transfers?page=1';

/** Each lane: a short list, a long one, a write, and a sign-in. */
const calls = () => [
  portalCall(world, token, { method: 'GET', url: transfers }),
  portalCall(world, token, { method: 'GET', url: `${transfers}&sort=status,asc&sort=amount,desc` }),
  portalCall(world, token, {
    url: '/web/v1/workspaces/WS_DEMO/api-keys',
    body: { name: 'x', ipWhitelist: ['192.0.2.1'] },
  }),
  portalCall(world, undefined, {
    url: '/web/v1/auth/login',
    body: { email: 'owner@demo.test', password: 'portico-demo' },
  }),
];
const probe = () => world.app.inject('/readyz');

async function expectWell(): Promise<void> {
  const worst = async () =>
    Math.max(...(await Promise.all([...calls(), probe()])).map((each) => each.statusCode));
  await expect.poll(worst).toBeLessThan(300);
}

/** None of a key that the tests make is left: there are at most so many. */
beforeEach(async () => {
  await expectWell();
  await inside('delete from api_keys where name = $$x$$');
});

/** In a line of the log, which may be a second off when the one before said the same. */
async function expectTold(from: number, code: string): Promise<Record<string, unknown>> {
  const lines = () => world.logs().slice(from).split('\n');
  const told = () => lines().find((line) => line.includes(`"code":"${code}"`)) ?? '{}';
  await expect.poll(() => Promise.all(calls()).then(told)).toContain('requests fail');
  return JSON.parse(told());
}

type Slip = { make(): Promise<unknown>; undo(): Promise<unknown>; says: RegExp; code: string };

const settingOf = (setting: string): Pick<Slip, 'make' | 'undo'> => ({
  make: () => operator.query(`alter role ${role} in database ${name} set ${setting}`).then(endSessions),
  undo: () => operator.query(`alter role ${role} in database ${name} reset all`),
});

const slips: { [what: string]: Slip } = {
  'the role may not log in': {
    make: () => operator.query(`alter role ${role} nologin`).then(endSessions),
    undo: () => operator.query(`alter role ${role} login`),
    says: /does not let the role of the service log in/,
    code: '28000',
  },
  'the password is another one': {
    make: () => operator.query(`alter role ${role} password 'another'`).then(endSessions),
    undo: () => operator.query(`alter role ${role} password '${password}'`),
    says: /refuses the password of the service/,
    code: '28P01',
  },
  'the database allows no connections': {
    make: () => operator.query(`alter database ${name} allow_connections false`).then(endSessions),
    undo: () => operator.query(`alter database ${name} allow_connections true`),
    says: /does not let the service in/,
    code: '55000',
  },
  'the database has another name': {
    make: () => endSessions().then(() => operator.query(`alter database ${name} rename to ${name}_away`)),
    undo: () => operator.query(`alter database ${name}_away rename to ${name}`),
    says: /not there under its name/,
    code: '3D000',
  },
  'the role may not connect': {
    make: () => operator.query(`revoke connect on database ${name} from ${role}`).then(endSessions),
    undo: () => operator.query(`grant connect on database ${name} to ${role}`),
    says: /lacks privileges/,
    code: '42501',
  },
  'the role has no privileges on tables': {
    make: () => inside(`revoke all on ${tables} from ${role}`),
    undo: () => inside(`grant all on ${tables} to ${role}`),
    says: /lacks privileges/,
    code: '42501',
  },
  'the role may not use the schema': {
    make: () => inside(`revoke usage on schema public from ${role}, public`).then(endSessions),
    undo: () => inside(`grant usage on schema public to ${role}, public`),
    says: /shows no tables of the service: .*search_path/,
    code: '42P01',
  },
  'search_path of the role leads elsewhere': {
    ...settingOf('search_path = elsewhere'),
    says: /shows no tables of the service: .*search_path/,
    code: '42P01',
  },
};

describe('a slip of the operator at the database', () => {
  it.each(Object.entries(slips))(
    '%s: 503 5030 with Retry-After, told once a second, and all is well after its undo',
    async (_what, { make, undo, says, code }) => {
      const before = world.logs().length;
      const begun = performance.now();
      await make();
      try {
        for (let round = 0; round < 5; round += 1)
          for (const answer of await Promise.all([...calls(), probe()]))
            expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
              503,
              '5030',
              '1',
            ]);
        const said = (await probe()).json().message as string;
        expect(said).toMatch(says);
        expect(said).not.toMatch(new RegExp(`${role}|${name}|${password}`));
        await expectTold(before, code);
      } finally {
        await undo();
      }
      await expectWell();
      const seconds = Math.ceil((performance.now() - begun) / 1000);
      const logs = world.logs().slice(before);
      const lines = logs.split('\n').filter((line) => line.includes('requests fail'));
      // One of what is refused, and one of connections that were ended.
      expect(lines.length).toBeLessThanOrEqual(3 * (seconds + 1));
      expect(logs).not.toContain('"stack"');
      expect(logs).not.toContain(password);
    },
  );

  it('array_nulls off for the role changes nothing', async () => {
    const { make, undo } = settingOf('array_nulls = off');
    await make();
    await expectWell();
    const read = trusted(`select current_setting('array_nulls') as "isOn"`);
    expect(await world.db.query(read)).toEqual([{ isOn: 'on' }]);
    await undo();
  });
});

describe('a statement that is wrong', () => {
  it('is told with its code, message and route beside an outage, and not hidden by one', async () => {
    const before = world.logs().length;
    await inside('alter table transfers rename column reference to reference_away');
    await endSessions();
    const told = await expectTold(before, '42703');
    await inside('alter table transfers rename column reference_away to reference');
    expect(told).toMatchObject({
      level: 50,
      cause: expect.stringContaining('reference'),
      route: '/web/v1/workspaces/:workspaceId/transfers',
    });
  });
});
