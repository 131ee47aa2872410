import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOnce, freePort } from '../../server/test/service-process.ts';
import { commands } from '../src/catalogue.ts';
import { Person } from './harness.ts';

const names = [
  'sign',
  'call',
  'whoami',
  'login',
  'logout',
  'profiles',
  'transfers list',
  'transfers get',
  'transfers create',
  'transfers cancel',
  'transfers changes',
  'files list',
  'files get',
  'files upload',
  'files download',
  'files delete',
  'listen',
  'events tail',
  'events trigger',
  'keys list',
  'keys create',
  'keys rotate',
  'keys revoke',
  'keys show',
  'keys edit',
  'keys disable',
  'keys enable',
  'keys close-grace',
  'keys simulate',
  'verify-vectors',
  'completion',
  'tally verify',
  'tally rebuild',
  'audit verify',
  'audit export',
  'audit checkpoint',
];
const key = {
  PORTICO_KEY_ID: 'ak_test_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E',
  PORTICO_SECRET: 'sk_test_4eC39HqLyjWDarjtT1zdp7dcQ2mVn8XsKb5RfGhZ0aA1tTM6K',
};

let person: Person;
beforeAll(() => {
  buildOnce();
  person = new Person();
});
afterAll(() => person.remove());

describe('help', () => {
  it('lists every command, every variable and every exit code', async () => {
    const { code, stdout, stderr } = await person.run(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    const listed = stdout.match(/(?<=commands:\n)(?: {2}\S.*\n)+/)?.[0] ?? '';
    expect(
      listed
        .trimEnd()
        .split('\n')
        .map((line) => line.trim().split(/ {2,}/)[0]),
    ).toEqual([...names, 'admin']);
    for (const name of [
      'PORTICO_URL',
      'PORTICO_KEY_ID',
      'PORTICO_SECRET',
      'PORTICO_TOKEN',
      'PORTICO_PROFILE',
      'DATABASE_URL',
      'PORTICO_HOME',
    ]) {
      expect(stdout).toContain(name);
    }
    expect(stdout.match(/^ {2}\d {2}\S.*$/gm)?.map((line) => line.trim()[0])).toEqual(['0', '1', '2', '3']);
  });

  it.each(names)('shows usage and examples that begin with the command: %s', async (name) => {
    const { code, stdout } = await person.perform([...name.split(' '), '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`usage: portico ${name}`);
    expect(stdout.split('examples:\n')[1]).toContain(`portico ${name}`);
    expect((await person.perform(['help', ...name.split(' ')])).stdout).toBe(stdout);
  });

  it('explains a group of commands, and refuses to explain what there is not', async () => {
    expect((await person.perform(['keys', '--help'])).stdout).toContain('keys rotate');
    expect(await person.run(['nothing', '--help'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('agrees with the README on the commands there are', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const listed = readme.match(/(?<=^\| `portico )[a-z-]+(?: [a-z-]+)*/gm);
    const own = commands.map(({ name }) => name).filter((name) => name.startsWith('admin '));
    expect(listed).toEqual([...names, ...own]);
  });

  it('prints the version of the package', async () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(await person.run(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });
});

describe('wrong usage', () => {
  const wrong: [string, string[], string][] = [
    ['nothing', [], 'portico --help'],
    ['a misspelt command', ['cal'], 'did you mean call?'],
    ['a misspelt command of two words', ['keys', 'rotat', 'x'], 'did you mean keys rotate?'],
    ['half a command', ['keys'], 'keys list, keys create'],
    ['an unknown command', ['xyzzyplugh'], 'see portico --help'],
    ['an unknown option', ['call', 'GET', '/api/v1/ping', '--jsn'], 'did you mean --json?'],
    ['a short option', ['call', 'GET', '/api/v1/ping', '-j'], 'no option -j'],
    ['a value for a switch', ['call', 'GET', '/api/v1/ping', '--json=1'], '--json takes no value'],
    ['an option without its value', ['sign', 'GET', '/api/v1/ping', '--body'], '--body needs TEXT|@FILE|-'],
    ['an option for a value', ['sign', 'GET', '/api/v1/ping', '--body', '--curl'], '--body needs'],
    ['a missing argument', ['call', 'GET'], 'PATH is missing'],
    ['too many arguments', ['call', 'GET', '/api/v1/ping', 'x'], 'no more than 2'],
    ['an unknown method', ['call', 'FETCH', '/api/v1/ping'], 'METHOD must be one of'],
    ['a path outside the Open API', ['call', 'GET', '/web/v1/errors'], 'PATH must begin with /api/'],
    ['a path that leads outside', ['call', 'GET', '/api/../web/v1/errors'], 'PATH must begin with /api/'],
    ['a GET with a body', ['call', 'GET', '/api/v1/ping', '--body', '{}'], 'GET carries no body'],
    ['a call of HEAD', ['call', 'HEAD', '/api/v1/ping'], 'portico sign HEAD'],
    ['a body that is not JSON', ['call', 'POST', '/api/v1/ping', '--body', '{'], 'not JSON'],
    [
      'a body file that is not there',
      ['sign', 'POST', '/api/v1/ping', '--body', '@nope'],
      'nope cannot be read',
    ],
    ['a timestamp in words', ['sign', 'GET', '/api/v1/ping', '--timestamp', 'now'], '--timestamp'],
    ['a misshaped nonce', ['sign', 'GET', '/api/v1/ping', '--nonce', '1'], '--nonce'],
    ['keys of no workspace', ['keys', 'list'], '--workspace is missing'],
    ['a key without a name', ['keys', 'create', '--workspace', 'W'], '--name is missing'],
    [
      'a mode there is not',
      ['keys', 'create', '--workspace', 'W', '--name', 'x', '--mode', '1'],
      'live or test',
    ],
    ['a grace in words', ['keys', 'rotate', 'x', '--workspace', 'W', '--grace', '1h'], '--grace must be'],
    ['a revocation that nobody confirms', ['keys', 'revoke', 'x', '--workspace', 'W'], '--yes'],
  ];

  it.each(wrong)('is told in one line, with exit code 2: %s', async (_what, args, expected) => {
    const { code, stdout, stderr } = await person.perform(args, { env: { ...key, PORTICO_TOKEN: 't' } });
    expect(stderr).toContain(expected);
    expect(stderr).toMatch(/^portico: .+\n$/);
    expect([code, stdout]).toEqual([2, '']);
  });
});

describe('configuration', () => {
  const missing: [string, string[], Record<string, string>, string][] = [
    ['no key', ['call', 'GET', '/api/v1/ping'], {}, 'set PORTICO_KEY_ID and PORTICO_SECRET'],
    ['a key id alone', ['call', 'GET', '/api/v1/ping'], { PORTICO_KEY_ID: 'a' }, 'PORTICO_SECRET is not'],
    ['a secret alone', ['call', 'GET', '/api/v1/ping'], { PORTICO_SECRET: 'a' }, 'PORTICO_KEY_ID is not'],
    ['no sign-in', ['keys', 'list', '--workspace', 'W'], {}, 'run portico login, or set PORTICO_TOKEN'],
    ['nobody to be', ['whoami'], {}, 'portico login'],
    [
      'no address',
      ['call', 'GET', '/api/v1/ping'],
      { ...key, PORTICO_URL: 'localhost:8080' },
      'PORTICO_URL must be',
    ],
    [
      'an address with a password',
      ['whoami'],
      { ...key, PORTICO_URL: 'http://a:b@localhost' },
      'PORTICO_URL must be',
    ],
    ['no profile name', ['whoami'], { PORTICO_PROFILE: '__proto__' }, 'PORTICO_PROFILE must'],
    ['no e-mail address', ['login', '--password-stdin'], {}, '--email is missing'],
  ];

  it.each(missing)(
    'that is missing is told in one line, with exit code 2: %s',
    async (_what, args, env, expected) => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const { code, stdout, stderr } = await person.perform(args, { env: { PORTICO_URL: url, ...env } });
      expect(stderr).toContain(expected);
      expect(stderr).toMatch(/^portico: .+\n$/);
      expect([code, stdout]).toEqual([2, '']);
    },
  );

  it('that leads to no server is exit code 3, with the reason of the system', async () => {
    const env = { ...key, PORTICO_TOKEN: 't', PORTICO_URL: `http://127.0.0.1:${await freePort()}` };
    for (const args of [['call', 'GET', '/api/v1/ping'], ['whoami'], ['keys', 'list', '--workspace', 'W']]) {
      const { code, stdout, stderr } = await person.run(args, { env });
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toMatch(/^portico: no answer.*ECONNREFUSED.*\n$/);
    }
  });
});

describe('a secret on the command line', () => {
  it.each(['--secret', '--password', '--token'])(
    'is refused with what to use instead: %s',
    async (option) => {
      for (const args of [[option, 'hunter2'], [`${option}=hunter2`]]) {
        const { code, stderr } = await person.perform(['call', 'GET', '/api/v1/ping', ...args]);
        expect(code).toBe(2);
        expect(stderr).toMatch(/process list: use (PORTICO_SECRET or the profile|the prompt|PORTICO_TOKEN)/);
        expect(stderr).not.toContain('hunter2');
      }
    },
  );

  it('is refused wherever it stands, and not repeated', async () => {
    for (const args of [
      ['call', key.PORTICO_SECRET],
      [key.PORTICO_SECRET],
      ['sign', `--key=${key.PORTICO_SECRET}`],
    ]) {
      const { code, stdout, stderr } = await person.run(args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('PORTICO_SECRET');
      expect(stderr).not.toContain(key.PORTICO_SECRET);
    }
  });
});
