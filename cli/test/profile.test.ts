import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listenOnLoopback } from '../../server/test/support/loopback.ts';
import { createKey, type Key } from '../../server/test/world.ts';
import { openSite, Person, type Site } from './harness.ts';

let site: Site;
let key: Key;
let person: Person;
beforeAll(async () => {
  site = await openSite();
  key = await createKey(site.world);
});
afterAll(() => site.world.close());
beforeEach(() => {
  person = new Person();
});
afterEach(() => person.remove());

const login = (env: Record<string, string> = {}, url = site.url) =>
  person.perform(['login', '--email', 'owner@demo.test', '--url', url, '--password-stdin'], {
    input: 'portico-demo',
    env,
  });

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

function writeProfiles(text: string, mode = 0o600): void {
  mkdirSync(dirname(person.profilePath), { recursive: true });
  writeFileSync(person.profilePath, text);
  chmodSync(person.profilePath, mode);
}

const ownProfile = () =>
  JSON.stringify({ profiles: { default: { url: site.url, apiKeyId: key.apiKeyId, secret: key.secret } } });

describe('the profile file', () => {
  it('is written for its owner alone, whatever the umask, and nothing is left beside it', async () => {
    expect((await login()).code).toBe(0);
    expect([modeOf(person.profilePath), modeOf(dirname(person.profilePath))]).toEqual(['600', '700']);
    expect(readdirSync(dirname(person.profilePath))).toEqual(['profiles.json']);
  });

  it('stands in ~/.config when XDG_CONFIG_HOME is unset or relative', async () => {
    for (const env of [{ XDG_CONFIG_HOME: '' }, { XDG_CONFIG_HOME: 'relative' }]) {
      expect((await login(env)).code).toBe(0);
      expect(modeOf(join(person.folder, '.config/portico/profiles.json'))).toBe('600');
    }
  });

  it('configures address and key', async () => {
    writeProfiles(ownProfile());
    expect((await person.run(['whoami'])).stdout).toContain(key.apiKeyId);
  });

  it.each(['604', '640', '666', '620'])(
    'that others can open is refused with what mends it: mode %s',
    async (mode) => {
      writeProfiles(ownProfile(), Number.parseInt(mode, 8));
      for (const args of [['whoami'], ['call', 'GET', '/api/v1/ping']]) {
        const { code, stdout, stderr } = await person.perform(args);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toMatch(/^portico: .* run chmod 600 \/\S+profiles\.json\n$/);
      }
      expect((await login()).code).toBe(2);
    },
  );

  it('is not opened when the environment says it all', async () => {
    writeProfiles('broken', 0o644);
    const env = { PORTICO_URL: site.url, PORTICO_KEY_ID: key.apiKeyId, PORTICO_SECRET: key.secret };
    expect(await person.perform(['whoami'], { env })).toMatchObject({ code: 0 });
  });

  it.each(['', '{', '[]', '{"profiles":[]}'])(
    'that is broken is refused in one line without quoting it: %j',
    async (start) => {
      writeProfiles(`${start}${start === '{' ? `"secret": "${key.secret}" oops` : ''}`);
      const { code, stderr } = await person.perform(['whoami']);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^portico: .* is no profile file.*\n$/)]);
      expect(stderr).not.toContain(key.secret);
    },
  );

  it('holds several profiles, chosen by PORTICO_PROFILE', async () => {
    writeProfiles(ownProfile());
    await login({ PORTICO_PROFILE: 'second' });
    const { profiles } = JSON.parse(readFileSync(person.profilePath, 'utf8'));
    expect(Object.keys(profiles)).toEqual(['default', 'second']);
    expect(profiles.default.secret).toBe(key.secret);
    expect((await person.perform(['whoami'], { env: { PORTICO_PROFILE: 'second' } })).stdout).toContain(
      'owner@demo.test',
    );
    const { code, stderr } = await person.perform(['call', 'GET', '/api/v1/ping'], {
      env: { PORTICO_PROFILE: 'constructor' },
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('profile constructor')]);
  });

  it('does not lose the key of one server to a sign-in at another', async () => {
    writeProfiles(ownProfile().replace(site.url, 'http://127.0.0.1:9'));
    const { code, stderr } = await login();
    expect([code, stderr]).toEqual([2, expect.stringContaining('--profile')]);
    expect(readFileSync(person.profilePath, 'utf8')).toContain(key.secret);
  });

  it('of an earlier version is read, and what it holds beyond is kept when it is written', async () => {
    const { apiKeyId, secret } = key;
    const tokens = { accessToken: 'eyJ', refreshToken: 'rt_1', expiresAt: '2026-01-31T08:30:00.000Z' };
    const file = { profiles: { default: { url: site.url, apiKeyId, secret, tokens }, other: { tokens } } };
    writeProfiles(`${JSON.stringify(file, null, 2)}\n`);
    expect((await person.perform(['whoami'])).stdout).toContain(apiKeyId);
    expect((await person.perform(['profiles'])).stdout).toMatch(
      /^other +http:\/\/127\.0\.0\.1:8080 +- +yes$/m,
    );
    writeProfiles(JSON.stringify({ ...file, later: 1, profiles: { default: { url: site.url, later: 2 } } }));
    expect((await login()).code).toBe(0);
    expect(JSON.parse(readFileSync(person.profilePath, 'utf8'))).toMatchObject({
      later: 1,
      profiles: { default: { later: 2, tokens: { refreshToken: expect.stringMatching(/^rt_/) } } },
    });
  });

  it('comes after the environment', async () => {
    writeProfiles(ownProfile());
    const other = await createKey(site.world);
    const env = { PORTICO_KEY_ID: other.apiKeyId, PORTICO_SECRET: other.secret };
    expect((await person.perform(['whoami'], { env })).stdout).toContain(other.apiKeyId);
  });
});

describe('a key of the profile is for one server', () => {
  /** A server that is not the key's own, and what it was sent. */
  async function elsewhere(work: (url: string, sent: string[]) => Promise<void>): Promise<void> {
    const sent: string[] = [];
    const server = await listenOnLoopback((request, response) => {
      sent.push(request.rawHeaders.join(' '));
      response.writeHead(500).end();
    });
    await work(server.origin, sent).finally(() => server.close());
  }

  const commands = [
    ['call', 'GET', '/api/v1/ping'],
    ['whoami'],
    ['sign', 'GET', '/api/v1/ping', '--curl'],
    ['sign', 'GET', '/api/v1/ping'],
  ];

  it.each(commands)('and not sent to another: %s %s %s %s', async (...args) => {
    await elsewhere(async (url, sent) => {
      writeProfiles(ownProfile());
      const given = args.filter((arg) => arg !== undefined);
      const { code, stdout, stderr } = await person.perform(given, { env: { PORTICO_URL: url } });
      expect([code, stdout, sent]).toEqual([2, '', []]);
      expect(stderr).toBe(
        `portico: the key of the profile default is for ${site.url} and not sent to ${url}: choose another profile with --profile, or set PORTICO_KEY_ID and PORTICO_SECRET\n`,
      );
    });
  });

  it('however that server is spelt', async () => {
    writeProfiles(ownProfile().replace(site.url, `${site.url.replace('http', 'HTTP')}/`));
    for (const url of [site.url, `${site.url}/`, `${site.url}//`])
      expect((await person.perform(['whoami'], { env: { PORTICO_URL: url } })).code).toBe(0);
  });

  it('another port, path, scheme or name is another server', async () => {
    writeProfiles(ownProfile());
    const others = [`${site.url}0`, `${site.url}/base`, site.url.replace('http', 'https')];
    for (const url of [...others, site.url.replace('127.0.0.1', 'localhost')])
      expect([url, (await person.perform(['whoami'], { env: { PORTICO_URL: url } })).code]).toEqual([url, 2]);
  });

  it('also when it names none: it is for the default, and no sign-in binds it to another', async () => {
    const unbound = JSON.stringify({ profiles: { default: { apiKeyId: key.apiKeyId, secret: key.secret } } });
    writeProfiles(unbound);
    await elsewhere(async (url, sent) => {
      const { code, stderr } = await person.perform(['whoami'], { env: { PORTICO_URL: url } });
      expect([code, stderr, sent]).toEqual([2, expect.stringContaining('http://127.0.0.1:8080'), []]);
    });
    expect((await login()).code).toBe(2);
    expect(readFileSync(person.profilePath, 'utf8')).toBe(unbound);
    expect((await person.perform(['sign', 'GET', '/api/v1/ping'])).code).toBe(0);
  });

  it('and the environment sends its own key anywhere', async () => {
    writeProfiles(ownProfile().replace(site.url, 'https://other.example'));
    const env = { PORTICO_URL: site.url, PORTICO_KEY_ID: key.apiKeyId, PORTICO_SECRET: key.secret };
    expect((await person.perform(['whoami'], { env })).code).toBe(0);
  });
});
