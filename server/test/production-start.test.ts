import { spawn, spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copyRelease } from '../../scripts/release.mjs';
import { createDatabase, type TestDatabase } from './database.ts';
import {
  buildOnce,
  freePort,
  isReachableBy,
  makeFolder,
  processesWith,
  removeFolder,
  Service,
} from './service-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const isRoot = process.getuid?.() === 0;

type Entry = { dev?: boolean; devOptional?: boolean; link?: boolean };

/** Hard links where that is possible: the packages are large. */
function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (spawnSync('cp', ['-al', from, to]).status !== 0) cpSync(from, to, { recursive: true });
}

/** What `npm ci --omit=dev` installs, taken from the packages that are here instead of from a registry. */
function installProduction(target: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>;
  };
  for (const [path, { dev, devOptional, link }] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || dev || devOptional || existsSync(join(target, path))) continue;
    if (link) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      symlinkSync(join(target, path.replace('node_modules/@portico/', '')), join(target, path));
    } else if (existsSync(join(root, path))) copy(join(root, path), join(target, path));
  }
}

let folder: string;
let database: TestDatabase;
let env: Record<string, string>;
let url: string;

beforeAll(async () => {
  buildOnce();
  database = await createDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  folder = makeFolder();
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  const masterKey = Buffer.alloc(32, 4).toString('base64');
  env = { PORT: port, DATABASE_URL: database.url, PORTICO_DEMO: '1', PORTICO_MASTER_KEY: masterKey };
});
afterEach(() => removeFolder(folder));

async function expectItServes(service: Service): Promise<void> {
  await service.ready(120_000);
  for (const path of ['/readyz', '/', '/docs/scalar.js'])
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200]);
  // Its password is hashed on a thread, which has a file of its own.
  const signedIn = await fetch(`${url}/web/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-turnstile-token': 'any' },
    body: JSON.stringify({ email: 'owner@demo.test', password: 'portico-demo' }),
  });
  expect(signedIn.status).toBe(200);
  expect(await service.stop('SIGTERM')).toBe(0);
}

describe('what npm run release makes', () => {
  it('starts without a compiler, from another folder, as an ordinary user, and by npm start', async () => {
    const shipped = join(folder, 'portico');
    copyRelease(shipped);
    installProduction(shipped);
    expect(existsSync(join(shipped, 'node_modules/typescript'))).toBe(false);
    const elsewhere = join(folder, 'home');
    mkdirSync(elsewhere, { mode: 0o755 });
    const nobody = isRoot && isReachableBy(65534) ? { user: { uid: 65534, gid: 65534 } } : {};
    if (nobody.user !== undefined) chownSync(elsewhere, nobody.user.uid, nobody.user.gid); // files are kept below it
    const script = join(shipped, 'server/bin/portico-server.mjs');
    await expectItServes(new Service({ cwd: elsewhere, env, script, ...nobody }));
    await expectItServes(new Service({ cwd: shipped, env, script: join(shipped, 'scripts/start.mjs') }));

    renameSync(join(shipped, 'server/dist'), join(shipped, 'server/elsewhere'));
    for (const name of ['server/bin/portico-server.mjs', 'scripts/start.mjs']) {
      const unbuilt = new Service({ cwd: elsewhere, env, script: join(shipped, name) });
      expect(await unbuilt.exited).toBe(1);
      expect(unbuilt.output).toMatch(/^portico: nothing is built here: .*\n$/);
    }
  });
});

describe('npm start', () => {
  const tell = {
    'npm alone, as by kill': (pid: number) => process.kill(pid, 'SIGTERM'),
    'npm and service at once, as by Ctrl-C': (pid: number) => process.kill(-pid, 'SIGINT'),
  };

  it.each(Object.entries(tell))('stops everything when told: %s', async (_who, send) => {
    const home = join(folder, '.portico');
    const child = spawn('npm', ['start'], {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: folder, PORT: env['PORT'], PORTICO_HOME: home },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true, // with a process group of its own
    });
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data));
    await expect.poll(() => output).toContain('Server listening');
    send(child.pid ?? 0);
    await expect.poll(() => processesWith(home)).toEqual([]);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});

describe('docs/portico.service', () => {
  it('is a unit that systemd accepts, and starts what is shipped', ({ skip }) => {
    const unit = readFileSync(join(root, 'docs/portico.service'), 'utf8');
    const [, started = ''] = /^ExecStart=\/usr\/bin\/node \/opt\/portico\/(\S+)$/m.exec(unit) ?? [];
    expect(existsSync(join(root, started))).toBe(true);
    // Bytes arrive on its disk, and it may write nowhere else.
    expect(unit).toMatch(/^Environment=PORTICO_HOME=\/var\/lib\/portico\nStateDirectory=portico$/m);
    // A call that is not allowed ends the process, and these are made with the first sign-in.
    expect(unit).toMatch(
      /^SystemCallFilter=~.*@resources\n#.*\nSystemCallFilter=setpriority sched_setattr$/m,
    );
    if (spawnSync('systemd-analyze', ['--version']).error) skip('systemd is not installed here');
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(root, 'docs/portico.service')], {
      encoding: 'utf8',
    });
    // It also complains about what is not installed on this machine.
    const about = stderr.split('\n').filter((line) => line.includes('portico.service'));
    expect([status === 0 ? [] : about, about.filter((line) => /Unknown|Failed to parse/.test(line))]).toEqual(
      [[], []],
    );
  });
});
