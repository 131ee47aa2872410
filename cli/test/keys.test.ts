import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../../server/test/world.ts';
import { openSite, Person, type RunOptions, type Site, secretShape } from './harness.ts';

const demo = ['--workspace', 'WS_DEMO'];

let site: Site;
let person: Person;
beforeAll(async () => {
  site = await openSite();
  person = new Person({ PORTICO_URL: site.url });
  await login();
});
afterAll(async () => {
  person.remove();
  await site.world.close();
});

const login = (options: RunOptions = {}) =>
  person.run(['login', '--email', 'owner@demo.test', '--password-stdin'], {
    input: 'portico-demo\n',
    ...options,
  });
const readStored = (name = 'default') => JSON.parse(readFileSync(person.profilePath, 'utf8')).profiles[name];

function changeStored(change: object): void {
  const file = JSON.parse(readFileSync(person.profilePath, 'utf8'));
  Object.assign(file.profiles.default.tokens, change);
  writeFileSync(person.profilePath, JSON.stringify(file));
}

async function create(...args: string[]) {
  const { stdout } = await person.perform(['keys', 'create', ...demo, '--name', 'x', '--json', ...args]);
  return JSON.parse(stdout);
}

describe('portico login', () => {
  it('keeps the tokens in the profile and prints none of them', async () => {
    const { code, stdout, stderr } = await login();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`signed in at ${site.url} as owner@demo.test (profile default)\n`);
    expect(readStored()).toEqual({
      url: site.url,
      tokens: {
        accessToken: expect.stringMatching(/^eyJ/),
        refreshToken: expect.stringMatching(/^rt_/),
        expiresAt: expect.stringMatching(/Z$/),
      },
    });
  });

  it('tells a wrong password with exit code 1 and does not repeat it', async () => {
    const { code, stdout, stderr } = await login({ input: 'hunter2' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^portico: 4017 /);
    expect(stderr).not.toContain('hunter2');
  });

  it('refuses an empty password, and to ask where there is no terminal, with exit code 2', async () => {
    expect(await login({ input: '\n' })).toMatchObject({ code: 2 });
    const { code, stderr } = await person.perform(['login', '--email', 'owner@demo.test'], {
      input: 'portico-demo',
    });
    expect(code).toBe(2);
    expect(stderr).toContain('--password-stdin');
  });
});

describe('the sign-in', () => {
  it('is renewed silently when the access token has run out by our clock or by the server’s', async () => {
    for (const change of [{ expiresAt: '2020-01-01T00:00:00.000Z' }, { accessToken: 'eyJ.no.longer' }]) {
      const before = readStored().tokens.refreshToken;
      changeStored(change);
      expect(await person.perform(['keys', 'list', ...demo])).toMatchObject({ code: 0, stderr: '' });
      expect(readStored().tokens.refreshToken).not.toBe(before);
      expect(Date.parse(readStored().tokens.expiresAt)).toBeGreaterThan(Date.now());
    }
  });

  it('that has ended asks for another login, with exit code 1', async () => {
    changeStored({ expiresAt: '2020-01-01T00:00:00.000Z', refreshToken: 'rt_ended' });
    const { code, stderr } = await person.perform(['keys', 'list', ...demo]);
    expect([code, stderr]).toEqual([1, 'portico: the sign-in has ended: run portico login\n']);
    await login();
  });

  it('is never sent to another server than the one it is of', async () => {
    const { code, stderr } = await person.perform(['keys', 'list', ...demo], {
      env: { PORTICO_URL: 'http://127.0.0.1:9' },
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`is signed in at ${site.url}`)]);
  });

  it('shows account and workspaces where there is no key', async () => {
    const { stdout } = await person.perform(['whoami']);
    expect(stdout).toMatch(/^email +owner@demo\.test$/m);
    expect(stdout).toMatch(/^WS_DEMO +OWNER +INST_DEMO /m);
    expect(JSON.parse((await person.perform(['whoami', '--json'])).stdout).account.email).toBe(
      'owner@demo.test',
    );
  });

  it('may be a token of the environment instead', async () => {
    const stranger = new Person({
      PORTICO_URL: site.url,
      PORTICO_TOKEN: await signIn(site.world, 'viewer@demo.test'),
    });
    expect(await stranger.perform(['keys', 'list', ...demo])).toMatchObject({ code: 0 });
    const { code, stderr } = await stranger.perform(['keys', 'create', ...demo, '--name', 'x']);
    stranger.remove();
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^portico: 4030 .*HTTP 403, request id/)]);
  });
});

describe('portico keys create', () => {
  it('warns of a key without a scope, which may do nothing, and prints it all the same', async () => {
    const { code, stdout, stderr } = await person.perform([
      'keys',
      'create',
      ...demo,
      '--name',
      'x',
      '--json',
    ]);
    expect([code, JSON.parse(stdout).scopes]).toEqual([0, []]);
    expect(stderr).toMatch(/\nportico: the key has no scope, and every call with it is refused: .*--scope/);
  });

  it('prints id and secret once, of the key that was asked for', async () => {
    const wanted = [
      '--scope',
      'transfers:read',
      '--scope',
      'files:read',
      '--mode',
      'test',
      '--ip',
      '127.0.0.0/8',
      '--ip',
      '::1',
    ];
    const { code, stdout, stderr } = await person.perform([
      'keys',
      'create',
      ...demo,
      '--name',
      'Nightly',
      ...wanted,
    ]);
    expect([code, stderr]).toEqual([0, 'keep the secret now: it is not shown again\n']);
    const [, secret = ''] = stdout.match(/^secret +(sk_test_\w{49})$/m) ?? [];
    const [, id = ''] = stdout.match(/^apiKeyId +(ak_test_\w{26})$/m) ?? [];
    expect(stdout).toMatch(/^scopes +transfers:read, files:read$/m);
    expect(stdout).toMatch(/^ipWhitelist +127\.0\.0\.0\/8, ::1$/m);
    const env = { PORTICO_KEY_ID: id, PORTICO_SECRET: secret };
    expect(await person.perform(['call', 'GET', '/api/v1/ping'], { env })).toMatchObject({ code: 0 });
  });

  it('puts the key into the profile with --save, prints no secret, and call uses it', async () => {
    const env = { PORTICO_PROFILE: 'saved' };
    await login({ env });
    const save = ['keys', 'create', ...demo, '--name', 'laptop', '--scope', 'transfers:read', '--save'];
    const { code, stdout, stderr } = await person.perform(save, { env });
    expect(code).toBe(0);
    expect(stdout + stderr).not.toMatch(secretShape);
    expect(stdout).toContain(readStored('saved').apiKeyId);
    expect(readStored('saved').secret).toMatch(secretShape);
    expect((await person.perform(['call', 'GET', '/api/v1/transfers'], { env })).stdout).toContain(
      '240 in all',
    );
    expect(await person.perform(save, { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`already holds the key ${readStored('saved').apiKeyId}`),
    });
  });

  it('passes on what the server refuses', async () => {
    const { code, stderr } = await person.perform([
      'keys',
      'create',
      ...demo,
      '--name',
      'x',
      '--scope',
      'all:write',
    ]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^portico: 4000 scopes/)]);
  });
});

describe('portico keys list', () => {
  it('is a table by default and everything known with --json', async () => {
    const { apiKeyId } = await create();
    const { stdout } = await person.perform(['keys', 'list', ...demo, '--mode', 'live', '--size', '1']);
    const [head, row, footer] = stdout.split('\n');
    expect(head).toMatch(/^apiKeyId +name +mode +status +scopes +lastUsedAt +expiresAt$/);
    expect(row).toMatch(new RegExp(`^${apiKeyId} +x +LIVE +ACTIVE +- +- +-$`));
    expect(footer).toMatch(/^page 1 of \d+, \d+ in all$/);
    const json = JSON.parse((await person.perform(['keys', 'list', ...demo, '--json'])).stdout);
    expect(json.content[0]).toMatchObject({ apiKeyId, secretVersion: 1 });
    expect(JSON.stringify(json)).not.toMatch(secretShape);
  });

  it('shows names that would steer the terminal for what they are', async () => {
    await person.perform(['keys', 'create', ...demo, '--name', '\u001b[31mred\u202e\u009b2J']);
    const { stdout } = await person.perform(['keys', 'list', ...demo, '--size', '1']);
    expect(stdout).toContain('\\u001b[31mred\\u202e\\u009b2J');
    expect(stdout).not.toContain('\u001b');
  });

  it('pages and filters', async () => {
    await create('--mode', 'test');
    const { stdout } = await person.perform([
      'keys',
      'list',
      ...demo,
      '--status',
      'active',
      '--page',
      '1',
      '--size',
      '1',
    ]);
    expect(stdout).toMatch(/^page 2 of /m);
    expect((await person.perform(['keys', 'list', ...demo, '--status', 'expired'])).stdout).toBe(
      'page 1 of 0, 0 in all\n',
    );
  });
});

describe('portico keys rotate', () => {
  it('prints the new secret, and the old one works until the grace ends', async () => {
    const old = await create('--scope', 'transfers:read');
    const { code, stdout } = await person.perform([
      'keys',
      'rotate',
      old.apiKeyId,
      ...demo,
      '--grace',
      '600',
      '--json',
    ]);
    const fresh = JSON.parse(stdout);
    expect([code, fresh.apiKeyId]).toEqual([0, old.apiKeyId]);
    expect(fresh.secret).not.toBe(old.secret);
    for (const secret of [old.secret, fresh.secret]) {
      const env = { PORTICO_KEY_ID: old.apiKeyId, PORTICO_SECRET: secret };
      expect(await person.perform(['whoami'], { env })).toMatchObject({ code: 0 });
    }
    const again = await person.perform(['keys', 'rotate', old.apiKeyId, ...demo]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^portico: 4092 /)]);
  });

  it('keeps the profile’s own key working with --save', async () => {
    const env = { PORTICO_PROFILE: 'rotating' };
    await login({ env });
    await person.perform(['keys', 'create', ...demo, '--name', 'x', '--scope', 'files:read', '--save'], {
      env,
    });
    const { apiKeyId, secret } = readStored('rotating');
    const rotated = await person.perform(['keys', 'rotate', apiKeyId, ...demo, '--grace', '0', '--save'], {
      env,
    });
    expect(rotated.code).toBe(0);
    expect(rotated.stdout + rotated.stderr).not.toMatch(secretShape);
    expect(readStored('rotating').secret).not.toBe(secret);
    expect(await person.perform(['call', 'GET', '/api/v1/files'], { env })).toMatchObject({ code: 0 });
    const other = await create();
    expect(
      await person.perform(['keys', 'rotate', other.apiKeyId, ...demo, '--save'], { env }),
    ).toMatchObject({
      code: 2,
    });
  });
});

describe('portico keys revoke', () => {
  it('ends a key with --yes, and says that it cannot be ended twice', async () => {
    const { apiKeyId } = await create();
    const revoke = ['keys', 'revoke', apiKeyId, ...demo, '--yes'];
    expect((await person.perform(revoke)).stdout).toMatch(/^status +REVOKED$/m);
    const again = await person.perform(revoke);
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^portico: 4091 /)]);
    expect(
      JSON.parse(
        (await person.perform(['keys', 'revoke', (await create()).apiKeyId, ...demo, '--yes', '--json']))
          .stdout,
      ),
    ).toMatchObject({ status: 'REVOKED' });
  });

  it('cannot be led to another endpoint by what is given as an id', async () => {
    const { code } = await person.perform(['keys', 'revoke', '../..', ...demo, '--yes']);
    expect(code).toBe(1);
  });
});
