import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createDatabase, openSession, type TestDatabase } from '../../server/test/database.ts';
import { buildOnce, freePort } from '../../server/test/service-process.ts';
import { commands } from '../src/catalogue.ts';
import { commandHelp } from '../src/help.ts';
import { type Outcome, Person } from './harness.ts';

let person: Person;
let database: TestDatabase;
beforeAll(async () => {
  buildOnce();
  person = new Person();
  database = await createDatabase('template0');
});
afterAll(async () => {
  await database.drop();
  person.remove();
});

const production = () => ({
  NODE_ENV: 'production',
  DATABASE_URL: database.url,
  PORTICO_PUBLIC_URL: 'https://portal.acme.example',
  PORTICO_BASE_PATH: '/bank',
});
const run = (line: string, env: Record<string, string> = production(), ...more: string[]): Promise<Outcome> =>
  person.perform(['admin', ...line.split(' '), ...more], { env });
const inJson = async (line: string) => {
  const { code, stdout, stderr } = await run(`${line} --json`);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

const ask = async (statement: string, of = database) => {
  const session = await openSession(of);
  const { rows } = await session.query({ text: statement, rowMode: 'array' });
  await session.end();
  return rows;
};
const tables = () =>
  ask(`select count(*)::int from pg_class where relnamespace = 'public'::regnamespace`).then(
    ([row]) => row?.[0],
  );

const names = ['--institution-name', 'Acme Bank', '--workspace-name', 'Acme Workspace'];
const ids = '--institution INST_ACME --workspace WS_ACME';
const bootstrapping = (email: string) => `bootstrap ${ids} --owner-email ${email} --json`;
const bootstrap = (env?: Record<string, string>, email = 'owner@acme.example') =>
  run(bootstrapping(email), env, ...names);

describe('portico admin bootstrap', () => {
  const without = (...left: string[]) =>
    Object.fromEntries(Object.entries(production()).filter(([name]) => !left.includes(name)));

  test.each<[string, () => Promise<Outcome>, RegExp]>([
    [
      'no address',
      () => run(`bootstrap ${ids}`, undefined, ...names),
      /^portico: --owner-email is required\n$/,
    ],
    [
      'a wrong address',
      () => bootstrap(undefined, 'owner'),
      /^portico: --owner-email must be an e-mail address/,
    ],
    [
      'a name that steers the terminal',
      () => run('institution add --institution I', undefined, '--name', 'a\u001b[2Jb'),
      /^portico: --name must not have control characters\n$/,
    ],
    [
      'no public address in production',
      () => bootstrap(without('PORTICO_PUBLIC_URL')),
      /^portico: PORTICO_PUBLIC_URL: must be set outside the demo.*DATABASE_URL, NODE_ENV end/,
    ],
    [
      'a public address without https',
      () => bootstrap({ ...production(), PORTICO_PUBLIC_URL: 'http://portal.acme.example' }),
      /^portico: PORTICO_PUBLIC_URL: must be https/,
    ],
    [
      'a command that is none',
      () => run('institution ad'),
      /there is no command admin institution ad: did you mean/,
    ],
    ['half a command', () => run('member'), /what about admin member\? One of: admin member add, /],
    [
      'another command first',
      () => run('account list'),
      /^portico: the database is not migrated: .*bootstrap\n$/,
    ],
  ])('leaves the database empty and exits with 2: %s', async (_what, attempt, message) => {
    const { code, stdout, stderr } = await attempt();
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
    expect(stderr.split('\n')).toHaveLength(2);
    expect(await tables()).toBe(0);
  });

  it('exits with 3 without a connection', async () => {
    const url = `postgres://u:hunter2@127.0.0.1:${await freePort()}/x`;
    const { code, stderr } = await bootstrap({ ...production(), DATABASE_URL: url });
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^portico: database unavailable: [^\n]*\n$/)]);
    expect(stderr).not.toContain('hunter2');
  });

  it('begins once: of two at once one wins, and the next refuses and changes nothing', async () => {
    const args = ['admin', ...bootstrapping('owner@acme.example').split(' '), ...names];
    const outcomes = await Promise.all([1, 2].map(() => person.run(args, { env: production() })));
    const [won, lost] = outcomes.sort((a, b) => Number(a.code) - Number(b.code));
    expect([won?.code, won?.stderr]).toEqual([0, '']);
    expect(JSON.parse(won?.stdout ?? '')).toEqual({
      institutionId: 'INST_ACME',
      workspaceId: 'WS_ACME',
      invitationId: expect.stringMatching(/^INV_/),
      ownerEmail: 'owner@acme.example',
      expiresAt: expect.stringMatching(/Z$/),
      url: expect.stringMatching(/^https:\/\/portal\.acme\.example\/bank\/invitation#[0-9A-Za-z]{43}$/),
    });
    const refusal = {
      code: 1,
      stdout: '',
      stderr:
        'portico: 4090 the database has institutions or accounts already: bootstrap is for an empty one\n',
    };
    expect(lost).toEqual(refusal);
    const all = `select (select count(*) from institutions) || ' ' || (select count(*) from workspaces) || ' ' ||
      (select count(*) from invitations) || ' ' || (select count(*) from audit_waiting)`;
    expect(await bootstrap()).toEqual(refusal);
    expect(await ask(all)).toEqual([['1 1 1 3']]);
  });

  it('is written down: what was done, and by whom', async () => {
    const records = await ask(
      `select action, subject_type, actor_type::text, actor_id = actor_name and actor_id <> '', institution_id, workspace_id
       from audit_waiting order by id`,
    );
    expect(records).toEqual([
      ['institution.created', 'INSTITUTION', 'OPERATOR', true, 'INST_ACME', null],
      ['workspace.created', 'WORKSPACE', 'OPERATOR', true, 'INST_ACME', 'WS_ACME'],
      ['member.invited', 'INVITATION', 'OPERATOR', true, 'INST_ACME', 'WS_ACME'],
    ]);
  });

  it('refuses a database that has the demo in it', async () => {
    const demo = await createDatabase();
    const before = await ask(
      'select (select max(id) from institutions), (select count(*) from audit_waiting)',
      demo,
    );
    expect((await bootstrap({ ...production(), DATABASE_URL: demo.url })).code).toBe(1);
    expect(
      await ask('select (select max(id) from institutions), (select count(*) from audit_waiting)', demo),
    ).toEqual(before);
    await demo.drop();
  });
});

describe('portico admin', () => {
  it('prints records for people, and JSON for programs', async () => {
    const plain = await person.run(['admin', 'institution', 'list'], { env: production() });
    expect(plain).toEqual({ code: 0, stdout: 'institutionId  name\nINST_ACME      Acme Bank\n', stderr: '' });
    expect(await inJson('institution list')).toEqual([{ institutionId: 'INST_ACME', name: 'Acme Bank' }]);
    expect(await inJson('account list')).toEqual([]);
    const added = await run('account add --email ada@acme.example', undefined, '--name', 'Ada Lovelace');
    expect([added.code, added.stderr]).toEqual([0, '']);
    expect(added.stdout).toMatch(
      /^url +https:\/\/portal\.acme\.example\/bank\/reset-password#[0-9A-Za-z]{43}$/m,
    );
    await ask(`insert into accounts (biz_id, email, name)
      select 'ACC_' || n, n || '@acme.example', 'N' from generate_series(1, 2345) n`);
    const listed = await run('account list --json');
    expect(listed.stdout.split('\n')).toHaveLength(2346 + 2);
    expect(JSON.parse(listed.stdout)).toHaveLength(2346);
  });

  it('refuses with 1 and the code of the API, and changes nothing', async () => {
    await run('member add --workspace WS_ACME --account ada@acme.example --role OWNER');
    const last = await run('member set-role --workspace WS_ACME --account ada@acme.example --role VIEWER');
    const text = 'this is the last active owner of the workspace; make someone else an owner first';
    expect(last).toEqual({ code: 1, stdout: '', stderr: `portico: 4094 ${text}\n` });
    const [member] = await inJson('member list --workspace WS_ACME');
    expect(member).toMatchObject({ email: 'ada@acme.example', role: 'OWNER', status: 'ACTIVE' });
    const unknown = await run('account disable --account nobody@acme.example');
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      'portico: 4040 there is no account nobody@acme.example\n',
    ]);
  });

  it('rotates the signing key with the master key of the server alone', async () => {
    const missing = await run('signing-key rotate');
    expect([missing.code, missing.stderr]).toEqual([
      2,
      'portico: PORTICO_MASTER_KEY: must be set when DATABASE_URL is (base64 of 32 random bytes)\n',
    ]);
    const env = { ...production(), PORTICO_MASTER_KEY: randomBytes(32).toString('base64') };
    expect((await run('signing-key rotate', env)).code).toBe(0);
    const another = { ...production(), PORTICO_MASTER_KEY: randomBytes(32).toString('base64') };
    const wrong = await run('signing-key rotate', another);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('another master key')]);
    expect(await inJson('signing-key list')).toHaveLength(1);
  });

  it('explains each of its commands, with examples that begin with it', () => {
    const own = commands.filter(({ name }) => name.startsWith('admin '));
    expect(own.length).toBeGreaterThan(20);
    for (const command of own) {
      const help = commandHelp(command);
      expect(help).toContain(`usage: portico ${[command.name, ...command.positionals].join(' ')} [options]`);
      expect(help.split('examples:\n')[1]).toContain(`portico ${command.name}`);
      expect(help).toContain('--json');
    }
  });

  it('explains its groups', async () => {
    const [all, members] = await Promise.all([run('--help'), run('member --help')]);
    expect(all.stdout).toContain('admin signing-key rotate');
    expect(members.stdout).toContain('usage: portico admin member COMMAND [options]');
    expect(members.stdout).not.toContain('admin account');
  });
});
