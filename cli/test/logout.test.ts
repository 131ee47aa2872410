import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { listenOnLoopback } from '../../server/test/support/loopback.ts';
import { openSite, Person, type RunOptions, type Site } from './harness.ts';

let site: Site;
let person: Person;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.world.close());
beforeEach(async () => {
  person = new Person({ PORTICO_URL: site.url });
  await login();
});
afterEach(() => person.remove());

const login = (...more: string[]) =>
  person.perform(['login', '--email', 'owner@demo.test', '--password-stdin', ...more], {
    input: 'portico-demo',
  });
const logout = (args: string[] = [], options: RunOptions = {}) => person.run(['logout', ...args], options);
const profiles = () => JSON.parse(readFileSync(person.profilePath, 'utf8')).profiles;
const open = async () => {
  const [row] = await site.world.db.query<{ count: number }>(
    sql`select count(*) as count from sign_ins where revoked_at is null`,
  );
  return row?.count ?? 0;
};

function change(of: (profile: { url: string; tokens: { expiresAt: string } }) => void): void {
  const file = { profiles: profiles() };
  of(file.profiles.default);
  writeFileSync(person.profilePath, JSON.stringify(file));
}
const expire = () =>
  change(({ tokens }) => {
    tokens.expiresAt = '2020-01-01T00:00:00.000Z';
  });

describe('portico logout', () => {
  it('ends the sign-in at the server and forgets its tokens, also when they had to be renewed', async () => {
    for (const before of [() => {}, expire]) {
      await login();
      const opened = await open();
      before();
      const { code, stdout, stderr } = await logout();
      expect([code, stdout, stderr]).toEqual([0, `signed out at ${site.url} (profile default)\n`, '']);
      expect(await open()).toBe(opened - 1);
      expect(profiles()).toEqual({ default: { url: site.url } });
      expect(await person.perform(['whoami'])).toMatchObject({ code: 2 });
    }
  });

  it('leaves the key of the profile, and other profiles', async () => {
    await login('--profile', 'second');
    const create = ['keys', 'create', '--workspace', 'WS_DEMO', '--name', 'x', '--save'];
    await person.perform(create);
    await logout();
    const { default: own, second } = profiles();
    expect(Object.keys(own)).toEqual(['url', 'apiKeyId', 'secret']);
    expect(second.tokens.refreshToken).toMatch(/^rt_/);
  });

  it('--everywhere ends every sign-in of the account', async () => {
    await login('--profile', 'second');
    expect((await logout(['--everywhere'])).stdout).toContain('signed out everywhere');
    expect(await open()).toBe(0);
    const { code, stdout, stderr } = await logout(['--profile', 'second']);
    expect([code, stdout]).toEqual([0, `signed out at ${site.url} (profile second)\n`]);
    expect(stderr).toContain('had ended before');
    expect(profiles().second).toEqual({ url: site.url });
  });

  it('forgets the tokens also when the server is away, and says so with exit code 3', async () => {
    const away = await listenOnLoopback(() => {});
    await away.close();
    change((profile) => {
      profile.url = away.origin;
    });
    const { code, stdout, stderr } = await logout([], { env: { PORTICO_URL: '' } });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^portico: the tokens are forgotten here, but the server was not told \(.+\n$/);
    expect(profiles().default).toEqual({ url: away.origin });
  });

  it('sends nothing to another server than the one it is of, and forgets nothing then', async () => {
    const sent: string[] = [];
    const other = await listenOnLoopback((request, response) => {
      sent.push(request.rawHeaders.join(' '));
      response.writeHead(500).end();
    });
    for (const args of [
      ['logout'],
      ['logout', '--everywhere'],
      ['keys', 'list', '--workspace', 'W'],
      ['whoami', '--account'],
    ]) {
      const { code, stderr } = await person.perform(args, { env: { PORTICO_URL: other.origin } });
      expect([args, code, stderr]).toEqual([
        args,
        2,
        expect.stringContaining(`is signed in at ${site.url}, not at`),
      ]);
    }
    await other.close();
    expect(sent).toEqual([]);
    expect(profiles().default.tokens).toBeDefined();
  });

  it('refuses without a sign-in, and beside PORTICO_TOKEN, which it cannot forget', async () => {
    expect(await logout([], { env: { PORTICO_TOKEN: 't' } })).toMatchObject({ code: 2 });
    expect(await logout(['--profile', 'nobody'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not signed in'),
    });
    expect(Object.keys(profiles())).toEqual(['default']);
  });
});

describe('profiles', () => {
  it('are chosen by --profile before PORTICO_PROFILE, by every command that uses one', async () => {
    const env = { PORTICO_PROFILE: 'third' };
    await person.perform(
      ['login', '--email', 'viewer@demo.test', '--password-stdin', '--profile', 'second'],
      {
        input: 'portico-demo',
        env,
      },
    );
    expect(Object.keys(profiles())).toEqual(['default', 'second']);
    expect((await person.perform(['whoami', '--profile', 'second'], { env })).stdout).toContain(
      'viewer@demo.test',
    );
    expect(
      (await person.perform(['keys', 'list', '--workspace', 'WS_DEMO', '--profile', 'second'], { env })).code,
    ).toBe(0);
    for (const args of [
      ['sign', 'GET', '/api/v1/ping'],
      ['call', 'GET', '/api/v1/ping'],
    ])
      expect((await person.perform([...args, '--profile', 'second'], { env })).stderr).toContain(
        '(profile second)',
      );
    for (const name of ['', '../x', '__proto__', 'a b'])
      expect((await person.perform(['whoami', `--profile=${name}`], { env })).stderr).toContain(
        '--profile must',
      );
  });

  it('are listed without a secret', async () => {
    await login('--profile', 'second');
    await person.perform(['keys', 'create', '--workspace', 'WS_DEMO', '--name', 'x', '--save']);
    await logout(['--profile', 'second']);
    const { stdout } = await person.perform(['profiles']);
    expect(stdout).toMatch(
      /^profile +url +apiKeyId +signed in\ndefault +http\S+ +ak_live_\w+ +yes\nsecond +http\S+ +- +no\n$/,
    );
    const listed = await person.perform(['profiles', '--json']);
    expect(JSON.parse(listed.stdout)[1]).toEqual({
      profile: 'second',
      url: site.url,
      isSignedIn: false,
      apiKeyId: null,
    });
    expect(stdout + listed.stdout).not.toMatch(/sk_|rt_|eyJ/);
    const nobody = new Person();
    expect(await nobody.perform(['profiles'])).toMatchObject({ code: 0, stdout: '' });
    nobody.remove();
  });
});
