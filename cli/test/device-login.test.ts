import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  answerText,
  breakOff,
  hang,
  listenOnLoopback,
  readText,
} from '../../server/test/support/loopback.ts';
import { portalCall, tokenOf } from '../../server/test/world.ts';
import { envelope, refuse } from './answers.ts';
import { binary, hasScript, onTerminal, openSite, outcomeOf, Person, portico, type Site } from './harness.ts';

let site: Site;
/** Tests here run side by side, so what they open is closed at the end of the file. */
const closers: (() => unknown)[] = [];
beforeAll(async () => {
  site = await openSite({ env: { PORTICO_TURNSTILE_SITE_KEY: '0x4AAAAAAADnPIDROrmt1Wwj' } });
});
afterAll(async () => {
  for (const close of closers) await close();
  await site.world.close();
});

function newPerson(url: string): Person {
  const person = new Person({ PORTICO_URL: url });
  closers.push(() => person.remove());
  return person;
}

const storedOf = (person: Person) => JSON.parse(readFileSync(person.profilePath, 'utf8')).profiles.default;

/** The binary while it waits, and its end. */
function startLogin(person: Person, ...args: string[]) {
  const child = person.start(process.execPath, [binary, 'login', ...args]);
  closers.push(() => child.kill('SIGKILL')); // of a test that failed it would wait on
  child.stdin.end();
  let shown = '';
  child.stderr.on('data', (data: Buffer) => (shown += data));
  return { child, shown: () => shown, ended: outcomeOf(child) };
}

const userCode = /the code is ([A-Z]{4}-[A-Z]{4})\./;

describe.concurrent('portico login where a challenge stands before the password', () => {
  it('shows a code and a link, and has tokens when someone has confirmed it', async ({ expect }) => {
    const person = newPerson(site.url);
    const { ended, shown } = startLogin(person);
    await expect.poll(shown).toMatch(userCode);
    const [, code = ''] = userCode.exec(shown()) ?? [];
    expect(shown()).toContain(`Open http://127.0.0.1:8080/device#${code} in a browser,\n`);
    const token = await tokenOf(site.world, 'ACC_DEMO_OWNER');
    const body = { userCode: code.toLowerCase() };
    const looked = await portalCall(site.world, token, { url: '/web/v1/auth/device/lookup', body });
    expect(looked.json().data).toMatchObject({
      clientName: expect.stringMatching(/^portico on ./),
      ipAddress: '127.0.0.1',
      userAgent: expect.stringMatching(/^portico\/\d/),
    });
    await portalCall(site.world, token, { url: '/web/v1/auth/device/confirm', body });
    const { code: exit, stdout } = await ended;
    expect([exit, stdout]).toEqual([0, `signed in at ${site.url} as owner@demo.test (profile default)\n`]);
    expect(storedOf(person).tokens.refreshToken).toMatch(/^rt_/);
    expect(await person.run(['whoami'])).toMatchObject({ code: 0 });
  });

  it('takes no password', async ({ expect }) => {
    const args = ['login', '--email', 'owner@demo.test', '--password-stdin'];
    const { code, stderr } = await newPerson(site.url).run(args, { input: 'portico-demo' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('leave out --password-stdin')]);
  });
});

const tokens = {
  accessToken: 'eyJ',
  tokenType: 'Bearer',
  expiresIn: 900,
  refreshExpiresIn: 9,
  refreshToken: 'rt_x',
};
const me = {
  account: { bizId: 'A', email: 'someone@demo.test', name: 'S' },
  institutions: [],
  workspaces: [],
};
const done = envelope(tokens);

type Fake = { polls?: readonly Answer[]; device?: object; login?: Answer; onMe?: Answer };

/** A server whose polls are answered as told, the last of them again and again; when they came, and what it was sent. */
async function openFake({ polls = [], device: changed = {}, login = refuse('4017'), onMe }: Fake) {
  const askedAtMs: number[] = [];
  const polledAtMs: number[] = [];
  const logins: string[] = [];
  const logouts: string[] = [];
  const device = {
    deviceCode: 'd',
    userCode: 'BCDF-GHJK',
    verificationUri: 'u',
    verificationUriComplete: 'http://x/device#\u001b[31m',
    expiresIn: 600,
    interval: 0,
    ...changed,
  };
  const answerOf = async (request: IncomingMessage) => {
    const path = (request.url ?? '').replace('/web/v1/auth/', '');
    if (path === 'config') return envelope({ turnstileSiteKey: null, portal: null });
    if (path === 'me') return onMe ?? envelope(me);
    if (path === 'device') {
      askedAtMs.push(performance.now());
      return envelope(device);
    }
    if (path === 'logout') {
      logouts.push(await readText(request));
      return envelope({});
    }
    if (path === 'login') {
      logins.push(await readText(request));
      return logins.at(-1)?.includes('"code":"123456"') ? done : login;
    }
    polledAtMs.push(performance.now());
    return polls[Math.min(polledAtMs.length, polls.length) - 1] ?? done;
  };
  const server = await listenOnLoopback((request, response) => {
    void answerOf(request).then((answer) => answer(response));
  });
  closers.push(() => server.close());
  return { url: server.origin, askedAtMs, polledAtMs, logins, logouts };
}

describe.concurrent('portico login --device', () => {
  it('polls on while it is not confirmed or the server is away, and longer apart when told to slow down', async ({
    expect,
  }) => {
    const polls = [refuse('4090'), breakOff, refuse('4290'), refuse('4090'), done];
    const { url, polledAtMs } = await openFake({ polls });
    const { ended } = startLogin(newPerson(url), '--device');
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([0, `signed in at ${url} as someone@demo.test (profile default)\n`]);
    expect(stderr).not.toContain('\u001b');
    const [, second = 0, third = 0, fourth = 0, fifth = 0] = polledAtMs;
    // Never too short on a slow machine: the wait begins after the poll was seen here, and ends before the next one.
    expect(third - second).toBeGreaterThan(1900);
    for (const wait of [fourth - third, fifth - fourth]) expect(wait).toBeGreaterThan(5900);
  });

  it('polls on when what stands before the server answers instead of it', async ({ expect }) => {
    const foreign = [502, 503, 429].map((status) => answerText('<p>busy', 'text/html', status));
    const { url, polledAtMs } = await openFake({ polls: [...foreign, done] });
    expect((await startLogin(newPerson(url), '--device').ended).code).toBe(0);
    expect(polledAtMs).toHaveLength(4);
  });

  it.for([
    ['an interval', { interval: undefined, expiresIn: 2 }, refuse('4090'), 1, 2],
    ['an end', { expiresIn: undefined }, refuse('4090'), 2, 2],
    ['a bearable wait', { expiresIn: 3 }, refuse('4090', { 'retry-after': '9'.repeat(12) }), 2, 3],
    ['a wait that is a number', { expiresIn: 3 }, refuse('4090', { 'retry-after': '9'.repeat(400) }), 2, 3],
  ] as const)(
    'does not hurry when a server does not name %s',
    async ([_what, device, poll, polls, seconds], { expect }) => {
      const { url, askedAtMs, polledAtMs } = await openFake({ polls: [poll, refuse('4040')], device });
      const { code, stderr } = await startLogin(newPerson(url), '--device').ended;
      expect([code, stderr]).toEqual([1, expect.stringMatching(/portico: the code has expired.*\n$/)]);
      expect(polledAtMs).toHaveLength(polls);
      expect((polledAtMs.at(-1) ?? 0) - (askedAtMs[0] ?? 0)).toBeGreaterThan(seconds * 1000 - 100);
    },
  );

  it.for([
    ['it is denied', refuse('4030'), 600, 'denied in the portal'],
    ['the code is over', refuse('4040'), 600, 'has expired or was used'],
    ['nobody confirms it in time', refuse('4090'), 1, 'has expired'],
  ] as const)(
    'ends with exit code 1 when %s, and keeps nothing',
    async ([_when, poll, expiresIn, told], { expect }) => {
      const { url } = await openFake({ polls: [poll], device: { expiresIn } });
      const person = newPerson(url);
      const { code, stdout, stderr } = await startLogin(person, '--device').ended;
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        expect.stringMatching(new RegExp(`portico: .*${told}.*\n$`)),
      ]);
      expect(() => storedOf(person)).toThrow('ENOENT');
    },
  );

  it('ends with exit code 3 when the server stays away', async ({ expect }) => {
    const { url } = await openFake({ polls: [breakOff], device: { expiresIn: 1 } });
    expect((await startLogin(newPerson(url), '--device').ended).code).toBe(3);
  });

  it.for([
    ['between two polls', refuse('4090'), 0],
    ['while the server is silent', hang, 1],
  ] as const)('is given up with Ctrl-C %s', async ([_when, poll, polls], { expect }) => {
    const { url, polledAtMs } = await openFake({ polls: [poll] });
    const { child, ended, shown } = startLogin(newPerson(url), '--device');
    await expect.poll(shown).toContain('gives up');
    await expect.poll(() => polledAtMs.length).toBeGreaterThanOrEqual(polls);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/portico: given up\n$/),
    });
  });

  it('ends the sign-in when it cannot be kept, because the profile has a key of another server by then', async ({
    expect,
  }) => {
    const { url, polledAtMs, logouts } = await openFake({ polls: [refuse('4090'), refuse('4090'), done] });
    const person = newPerson(url);
    const { ended } = startLogin(person, '--device');
    await expect.poll(() => polledAtMs.length).toBeGreaterThan(0);
    const saved = { url: 'https://other.example', apiKeyId: 'ak_live_1', secret: 's' };
    mkdirSync(dirname(person.profilePath), { recursive: true });
    writeFileSync(person.profilePath, JSON.stringify({ profiles: { default: saved } }), { mode: 0o600 });
    const { code, stdout, stderr } = await ended;
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('holds a key of https://other')]);
    expect(storedOf(person)).toEqual(saved);
    expect(logouts.map((text) => JSON.parse(text))).toEqual([{ refreshToken: 'rt_x' }]);
  });

  it('ends the sign-in and keeps nothing when the server does not say whose it is', async ({ expect }) => {
    const { url, logouts } = await openFake({ polls: [done], onMe: refuse('5000') });
    const person = newPerson(url);
    expect((await startLogin(person, '--device').ended).code).toBe(1);
    expect(() => storedOf(person)).toThrow('ENOENT');
    expect(logouts).toHaveLength(1);
  });

  it('takes neither an e-mail address nor a password', async ({ expect }) => {
    const person = newPerson('http://127.0.0.1:9');
    for (const more of [['--email', 'a@b.c'], ['--password-stdin']])
      expect((await person.run(['login', '--device', ...more])).code).toBe(2);
  });
});

describe.skipIf(!hasScript)('on a terminal (needs script of util-linux)', () => {
  it('Ctrl-C gives up', async () => {
    const { url } = await openFake({ polls: [refuse('4090')] });
    const typed = [{ when: 'gives up', type: '\u0003' }];
    const { code, stdout } = await onTerminal(newPerson(url), `exec ${portico} login --device`, typed);
    expect([code, stdout]).toEqual([1, expect.stringContaining('given up')]);
  });
});

describe.skipIf(!hasScript)('a second factor (needs script of util-linux)', () => {
  const login = `${portico} login --email someone@demo.test; echo "code $?"`;
  const password = { when: 'Password: ', type: 'secret\r' };
  const factor = (type: string) => ({ when: 'Code of the second factor: ', type: `${type}\r` });

  it('is asked for when the server wants it, and again when the code was wrong', async () => {
    const { url, logins } = await openFake({ login: refuse('4018') });
    const typed = [factor('000000'), factor(''), factor(' 123456 ')];
    const { stdout } = await onTerminal(newPerson(url), login, [password, ...typed]);
    expect(stdout).toMatch(/wrong or was used[\s\S]*signed in at [\s\S]*code 0/);
    expect(logins.map((text) => JSON.parse(text).code)).toEqual([undefined, '000000', '123456']);
  });

  it('is given up after three wrong codes', async () => {
    const { url } = await openFake({ login: refuse('4018') });
    const wrong = factor('000000');
    expect((await onTerminal(newPerson(url), login, [password, wrong, wrong, wrong])).stdout).toContain(
      'code 1',
    );
  });
});

it('a second factor without a terminal points to --device', async () => {
  const { url } = await openFake({ login: refuse('4018') });
  const args = ['login', '--email', 'someone@demo.test', '--password-stdin'];
  const { code, stderr } = await newPerson(url).run(args, { input: 'x' });
  expect([code, stderr]).toEqual([1, expect.stringContaining('with --device')]);
});
