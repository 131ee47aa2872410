import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { createDatabase, openSession, type TestDatabase } from '../../server/test/database.ts';
import { buildOnce, freePort } from '../../server/test/service-process.ts';
import { addFactor } from '../../server/test/support/own-account.ts';
import { openWorld, portalCall, signIn, type World } from '../../server/test/world.ts';
import { type Outcome, Person } from './harness.ts';

const masterKey = randomBytes(32);

let person: Person;
let database: TestDatabase;
let world: World;
let ownersLink: string;
beforeAll(async () => {
  buildOnce();
  person = new Person();
  database = await createDatabase('template0');
  const names = ['--institution-name', 'Acme Bank', '--workspace-name', 'Acme Workspace'];
  const ids = '--institution INST_ACME --workspace WS_ACME';
  ownersLink = (await done(`bootstrap ${ids} --owner-email owner@acme.example`, ...names)).url;
  world = await openWorld({ database, masterKey });
});
afterAll(async () => {
  await world.close();
  await database.drop();
  person.remove();
});

const production = () => ({
  NODE_ENV: 'production',
  DATABASE_URL: database.url,
  PORTICO_MASTER_KEY: masterKey.toString('base64'),
  PORTICO_PUBLIC_URL: 'https://portal.acme.example',
});
const run = (line: string, ...more: string[]): Promise<Outcome> =>
  person.perform(['admin', ...line.split(' '), ...more], { env: production() });
const done = async (line: string, ...more: string[]) => {
  const { code, stdout, stderr } = await run(`${line} --json`, ...more);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

const codeOf = async (url: string, body?: object, token?: string) =>
  (await portalCall(world, token, { method: body ? 'POST' : 'GET', url, body })).json().code;
const setPassword = (link: string, newPassword: string) =>
  codeOf('/web/v1/auth/password-reset/confirm', { token: link.split('#')[1], newPassword });

const email = 'ada@acme.example';
const logIn = (password: string) => codeOf('/web/v1/auth/login', { email, password });

describe('the link of the first owner', () => {
  it('makes the account that owns the workspace, once', async () => {
    const accept = { token: ownersLink.split('#')[1], name: 'First Owner', password: 'correct horse' };
    expect(await codeOf('/web/v1/invitations/accept', accept)).toBe('2000');
    expect(await codeOf('/web/v1/invitations/accept', accept)).toBe('4040');
    expect(await done('member list --workspace WS_ACME')).toMatchObject([
      { email: 'owner@acme.example', name: 'First Owner', role: 'OWNER', status: 'ACTIVE' },
    ]);
    const last = await run('account disable --account owner@acme.example');
    expect([last.code, last.stdout]).toEqual([1, '']);
    expect(last.stderr).toMatch(/^portico: 4094 this is the last active owner of WS_ACME; [^\n]*\n$/);
    const forced = await done('account disable --account owner@acme.example --force');
    expect(forced).toMatchObject({ status: 'DISABLED' });
    const owner = { email: 'owner@acme.example', password: 'correct horse' };
    expect(await codeOf('/web/v1/auth/login', owner)).toBe('4017');
  });
});

describe('a channel type', () => {
  it('is enabled, configured by a schema in a file, and disabled', async () => {
    expect(await done('channel-type enable SLACK')).toMatchObject({
      typeCode: 'SLACK',
      typeStatus: 'ENABLED',
    });
    const properties = { url: { type: 'string', writeOnly: true }, team: { type: 'string' } };
    const file = join(person.folder, 'slack.json');
    writeFileSync(file, JSON.stringify({ type: 'object', required: ['url'], properties }));
    expect(await done(`channel-type configure SLACK ${file}`)).toMatchObject({ typeCode: 'SLACK' });
    const [row] = await world.db.query<{ properties: object }>(sql`
      select extra_config -> 'configSchema' -> 'properties' as properties from channel_types where type_code = 'SLACK'`);
    expect(row?.properties).toEqual(properties);
    expect(await done('channel-type disable SLACK')).toMatchObject({ typeStatus: 'DISABLED' });
  });
});

describe('an account of the command line', () => {
  it('sets its password by the link that is printed, once, and signs in', async () => {
    const { url, accountId } = await done(`account add --email ${email}`, '--name', 'Ada Lovelace');
    expect(await logIn('first password')).toBe('4017');
    expect(await setPassword(url, 'first password')).toBe('2000');
    expect(await setPassword(url, 'another password')).toBe('4040');
    expect(await logIn('first password')).toBe('2000');
    await done(`member add --workspace WS_ACME --account ${accountId} --role OWNER`);
    const token = await signIn(world, email, 'first password');
    const key = await portalCall(world, token, {
      url: '/web/v1/workspaces/WS_ACME/api-keys',
      body: { name: 'first' },
    });
    expect(key.statusCode).toBe(201);
  });

  it('is out as soon as it is disabled or signed out, and comes back when it may', async () => {
    const me = (token: string) => codeOf('/web/v1/auth/me', undefined, token);
    const token = await signIn(world, email, 'first password');
    expect(await me(token)).toBe('2000');
    await done('account enable --account owner@acme.example');
    expect(await done(`account disable --account ${email}`)).toMatchObject({ status: 'DISABLED' });
    expect([await me(token), await logIn('first password')]).toEqual(['4010', '4017']);
    await done(`account enable --account ${email}`);
    const again = await signIn(world, email, 'first password');
    expect([await me(token), await me(again)]).toEqual(['4010', '2000']);
    expect(await done(`account sign-out --account ${email}`)).toMatchObject({ endedSignIns: 1 });
    expect([await me(again), await logIn('first password')]).toEqual(['4010', '2000']);
  });

  it('gets in again without its second factor, and with a new password', async () => {
    await addFactor(world, await signIn(world, email, 'first password'));
    expect(await logIn('first password')).toBe('4018');
    const left = await done(`account remove-second-factor --account ${email}`);
    expect(left).toMatchObject({ hasSecondFactor: false });
    expect(await logIn('first password')).toBe('2000');
    const { url } = await done(`account reset-password --account ${email}`);
    expect(await setPassword(url, 'second password')).toBe('2000');
    expect([await logIn('first password'), await logIn('second password')]).toEqual(['4017', '2000']);
  });

  it('is bound, shown, changed, unbound', async () => {
    const outside = '--issuer https://id.acme.example --subject 248289761001';
    await done(`account bind --account ${email} ${outside}`);
    const plain = await run(`account show --account ${email.toUpperCase()}`);
    expect(plain.stdout).toMatch(
      /^identities +\[\{"issuer":"https:\/\/id\.acme\.example","subject":"248289761001"\}\]$/m,
    );
    const other = await done('account add --email other@acme.example --name Other');
    const twice = await run(`account bind --account ${other.accountId} ${outside}`);
    expect([twice.code, twice.stderr.split(' ')[1]]).toEqual([1, '4090']);
    await done(`account change --account ${email} --name Ada --locale zh-CN`);
    await done(`account unbind --account ${email} ${outside}`);
    expect(await done(`account show --account ${email}`)).toMatchObject({
      name: 'Ada',
      locale: 'zh-CN',
      identities: [],
      openSignIns: 0,
      workspaces: [{ workspaceId: 'WS_ACME', role: 'OWNER' }],
    });
  });

  it('leaves a record of everything, with the operator, and of nothing secret', async () => {
    const session = await openSession(database);
    const { rows } = await session.query(
      `select action, changes::text as changes from audit_waiting where actor_type = 'OPERATOR' order by id`,
    );
    await session.end();
    expect(rows.map(({ action }) => action)).toEqual([
      'institution.created',
      'workspace.created',
      'member.invited',
      'account.disabled',
      'channel-type.enabled',
      'channel-type.changed',
      'channel-type.disabled',
      'account.created',
      'member.added',
      'account.enabled',
      'account.disabled',
      'account.enabled',
      'account.signed-out',
      'account.second-factor-removed',
      'account.password-reset-requested',
      'account.bound',
      'account.created',
      'account.changed',
      'account.unbound',
    ]);
    expect(rows.map(({ changes }) => changes).join()).not.toMatch(/#|password"?:\s*"(?!\(secret\))/);
  });
});

describe('what is wrong is told in one line, and nothing is half done', () => {
  const state = async () => {
    const session = await openSession(database);
    const counts = [
      'institutions',
      'workspaces',
      'accounts',
      'workspace_members',
      'invitations',
      'audit_waiting',
    ];
    const { rows } = await session.query(
      `select ${counts.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`,
    );
    await session.end();
    return rows;
  };

  test.each<[number, string, string[], RegExp]>([
    [
      1,
      'institution add --institution INST_ACME --name X',
      [],
      /4090 there is an institution INST_ACME already/,
    ],
    [
      1,
      'workspace add --workspace WS_ACME --institution INST_ACME --name X',
      [],
      /4090 there is a workspace/,
    ],
    [
      1,
      'workspace add --workspace WS_2 --institution INST_X --name X',
      [],
      /4040 there is no institution INST_X/,
    ],
    [1, 'workspace list --institution INST_X', [], /4040 there is no institution INST_X/],
    [1, 'member list --workspace WS_X --json', [], /4040 there is no workspace WS_X/],
    [
      1,
      'member add --workspace WS_ACME --role OWNER --account',
      ["x' or '1'='1"],
      /4040 there is no account x' or/,
    ],
    [1, 'account add --name X --email ADA@acme.example', [], /4090 there is an account with the address/],
    [
      1,
      'invitation revoke --workspace WS_ACME --invitation INV_X',
      [],
      /4040 the workspace has no invitation/,
    ],
    [2, 'institution add --name X --institution', ['../../etc'], /--institution must be 1 to 64/],
    [2, 'institution add --name X --institution', ['ＩＤ'], /--institution must be 1 to 64/],
    [2, 'institution add --name X --institution', ['x'.repeat(65)], /--institution must be 1 to 64/],
    [2, 'institution rename --institution INST_ACME --name', ['two\nlines'], /--name must not have control/],
    [
      2,
      'institution rename --institution INST_ACME --name',
      ['x'.repeat(100_000)],
      /--name must have at most 128/,
    ],
    [2, 'institution rename --institution INST_ACME --name=', [], /--name must not be blank/],
    [
      2,
      'account add --name X --email',
      ['a@b.example\r\nBcc: c@d.example'],
      /--email must be an e-mail address/,
    ],
    [2, 'account add --name X --email', [`${'x'.repeat(300)}@acme.example`], /--email must /],
    [2, `account change --account ${email}`, [], /nothing to change: give --email, --name or --locale/],
    [
      2,
      `member add --workspace WS_ACME --account ${email} --role owner`,
      [],
      /--role must be one of OWNER, MEMBER/,
    ],
    [2, 'member invite --workspace WS_ACME', [], /--email is required; --role is required/],
    [2, 'account disable --acount x', [], /has no option --acount: did you mean --account\?/],
    [2, `account reset-password --account ${email} --mail`, [], /PORTICO_SMTP_URL: must be set/],
    [2, 'account disable someone', [], /takes no more than 0 arguments/],
    [2, 'account grant-operator', [], /ID\|EMAIL is missing/],
    [1, 'account grant-operator nobody@acme.example', [], /4040 there is no account nobody@acme.example/],
    [1, `account revoke-operator ${email}`, [], /4091 the account is no operator/],
    [2, 'transfers set-status TRF_X', [], /STATUS is missing/],
    [2, 'transfers set-status TRF_X DONE', [], /STATUS must be one of PENDING, PROCESSING/],
    [1, 'transfers set-status TRF_X COMPLETED', [], /4040 there is no transfer TRF_X/],
    [2, 'channel-type enable', [], /CODE is missing/],
    [1, 'channel-type enable PUSH', [], /4091 channels of type PUSH are not delivered by Portico/],
    [1, 'channel-type disable NOPE', [], /4040 there is no channel type NOPE/],
    [2, 'channel-type configure SLACK', [], /SCHEMA.json is missing/],
    [
      2,
      'channel-type configure SLACK /nowhere/schema.json',
      [],
      /the file \/nowhere\/schema.json cannot be read/,
    ],
    [2, 'channel-type configure SLACK -', [], /SCHEMA.json must be JSON/],
  ])('exits with %i: %s', async (expected, line, more, message) => {
    const before = await state();
    const { code, stdout, stderr } = await run(line, ...more);
    expect([code, stdout, stderr]).toEqual([expected, '', expect.stringMatching(message)]);
    expect(stderr).toMatch(/^portico: [^\n]*\n$/);
    expect(await state()).toEqual(before);
  });

  it('exits with 3 without a connection, of a list too, and names no password', async () => {
    const env = { ...production(), DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${await freePort()}/x` };
    for (const line of ['account list', `account disable --account ${email}`]) {
      const { code, stdout, stderr } = await person.run(['admin', ...line.split(' ')], { env });
      expect([code, stdout, stderr]).toEqual([
        3,
        '',
        expect.stringMatching(/^portico: database unavailable: [^\n]*\n$/),
      ]);
      expect(stderr).not.toContain('hunter2');
    }
  });
});
