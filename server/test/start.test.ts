import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clusterOf } from '../src/db/embedded/cluster.ts';
import { createDatabase } from './database.ts';
import {
  buildOnce,
  freePort,
  isReachableBy,
  makeFolder,
  processesWith,
  removeFolder,
  running,
  Service,
  type ServiceOptions,
  startScript,
} from './service-process.ts';
import { givesUpWithin } from './support/giving-up.ts';
import { type Key, signatureHeaders } from './world.ts';

/** Starts what it is given in a terminal, closes that once the service listens, and tells how it ended. */
const closeTerminal = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
told = b''
while b'Server listening' not in told: told += os.read(terminal, 4096)
os.close(terminal)
status = os.waitpid(pid, 0)[1]
print('ended by signal', os.WTERMSIG(status)) if os.WIFSIGNALED(status) else print('exited with', os.WEXITSTATUS(status))`;

const isRoot = process.getuid?.() === 0;
/** Used by one test after the other: the first makes the database, which takes longest, and what it leaves running is there for the next. */
let folder: string;
/** Where nothing has been started yet. */
let bare: string;
let port: number;
let lasting: Service | undefined;

beforeAll(() => {
  buildOnce();
  folder = makeFolder();
});
afterAll(() => removeFolder(folder));

function start(options: Partial<ServiceOptions> = {}): Service {
  return new Service({ cwd: folder, ...options, env: { PORT: String(port), ...options.env } });
}

/** The service of the folder, started where none runs. */
async function serving(): Promise<Service> {
  if (lasting !== undefined && running.has(lasting)) return lasting;
  port = await freePort();
  lasting = await start().ready();
  return lasting;
}

const url = (path: string) => `http://127.0.0.1:${port}${path}`;

async function signIn(): Promise<Response> {
  return fetch(url('/web/v1/auth/login'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-turnstile-token': 'x' },
    body: JSON.stringify({ email: 'owner@demo.test', password: 'portico-demo' }),
  });
}

async function createKey(): Promise<Key> {
  const { data } = (await (await signIn()).json()) as { data: { accessToken: string } };
  const response = await fetch(url('/web/v1/workspaces/WS_DEMO/api-keys'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${data.accessToken}` },
    body: JSON.stringify({ name: 'kept', scopes: ['transfers:read'] }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: Key }).data;
}

const transfers = '/api/v1/transfers';
const signed = (key: Key) => signatureHeaders({ clock: { now: Date.now } }, key, { url: transfers });

/** 2000 only when the key and its secret are still there and can be opened. */
async function codeOf(headers: Record<string, string>): Promise<string> {
  const response = await fetch(url(transfers), { headers });
  return ((await response.json()) as { code: string }).code;
}

describe('npm start', () => {
  it('serves the demo world and prints commands that work when pasted, and no secret', async () => {
    const service = await serving();
    await expect.poll(() => service.output).toContain('Ctrl-C');
    const commands = service.output
      .split('\n')
      .filter((line) => /^(TOKEN|KEY|ID|NONCE|SIGNATURE|curl)\b/.test(line));
    expect(commands).toHaveLength(7);
    const pasted = execFileSync('bash', ['-c', commands.join('\n')], { encoding: 'utf8' });
    expect(pasted).toMatch(/^ey[\w.-]+\n/);
    expect(pasted).toContain('"totalElements":250');
    expect(pasted).toContain('"transferId":"TRF_0000000300"');
    expect(service.output).toContain('owner@demo.test');
    expect(service.output).not.toMatch(/sk_(live|test)_/);
  });

  it('keeps its keys readable by their owner alone', async () => {
    await serving();
    for (const name of ['master-key', 'database-password']) {
      expect(statSync(join(folder, '.portico', name)).mode & 0o777).toBe(0o600);
    }
  });

  it('refuses a second server on one PORTICO_HOME and leaves the first alone', async () => {
    await serving();
    const second = start({ env: { PORT: String(await freePort()) } });
    expect(await second.exited).toBe(1);
    expect(second.output).toMatch(/^portico: PORTICO_HOME .* is in use by another running server/);
    expect((await signIn()).status).toBe(200);
  });

  it('keeps its data over a restart, and Ctrl-C stops everything it started', async () => {
    const first = await serving();
    const key = await createKey();
    expect(await first.stop('SIGINT')).toBe(0);
    expect(processesWith(folder)).toEqual([]);
    await serving();
    expect(await codeOf(signed(key))).toBe('2000');
  });

  it('keeps acknowledged writes when the server alone is killed, and takes over the database it left', async () => {
    const first = await serving();
    const key = await createKey();
    await first.stop('SIGKILL');
    const left = processesWith(join(folder, '.portico'));
    expect(left.length).toBeGreaterThan(0);
    const second = await serving();
    expect(await codeOf(signed(key))).toBe('2000');
    await second.stop('SIGINT');
    expect(processesWith(folder)).toEqual([]);
  });

  it('starts its database again when that alone is killed, keeps its data, and stops as before', async () => {
    const service = await serving();
    const key = await createKey();
    for (const pid of processesWith(join(folder, '.portico'))) process.kill(pid, 'SIGKILL');
    const readiness = async () => (await fetch(url('/readyz'))).status;
    await expect.poll(readiness).toBe(503);
    await expect.poll(readiness).toBe(200);
    await expect.poll(() => codeOf(signed(key))).toBe('2000');
    expect(service.output).toContain('the embedded database has ended: it is started again');
    expect(await service.stop('SIGTERM')).toBe(0);
    expect(processesWith(folder)).toEqual([]);
  });

  it('keeps acknowledged writes and seen nonces when server and database are killed together', async () => {
    const first = await serving();
    const key = await createKey();
    const database = processesWith(join(folder, '.portico'));
    const seen = signed(key);
    expect(await codeOf(seen)).toBe('2000');
    first.child.kill('SIGKILL');
    for (const pid of database) process.kill(pid, 'SIGKILL');
    await first.exited;
    await serving();
    expect(await codeOf(signed(key))).toBe('2000');
    expect(await codeOf(seen)).toBe('4014');
  });

  it('drops no request when SIGTERM comes under load, and tells its clients to leave before it goes', async () => {
    const service = await serving();
    const agent = new Agent({ keepAlive: true });
    let answered = 0;
    const send = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get(url('/web/v1/auth/config'), { agent }, (response) =>
          response.resume().on('end', () => resolve(response)),
        ).on('error', reject);
      });
    const client = async () => {
      for (;;) {
        const { statusCode, headers } = await send();
        expect(statusCode).toBe(200);
        answered += 1;
        if (headers.connection === 'close') return 'left';
      }
    };
    const clients = Array.from({ length: 16 }, client);
    await expect.poll(() => answered).toBeGreaterThan(500);
    expect(await service.stop('SIGTERM')).toBe(0);
    expect(new Set(await Promise.all(clients))).toEqual(new Set(['left']));
  });

  it('stops everything when its terminal is closed, to which it cannot write any more', async () => {
    await (await serving()).stop();
    const closed = spawn('python3', ['-c', closeTerminal, process.execPath, startScript], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(await text(closed.stdout)).toBe('exited with 0\n');
    expect(processesWith(folder)).toEqual([]);
  });

  it('is stopped by a signal while it starts and its database does not let all connections in', async () => {
    await (await serving()).stop();
    const service = start({ env: { PORTICO_DB_POOL: '200' } });
    const { name } = await clusterOf(join(folder, '.portico/database'));
    // The embedded database takes 100.
    await expect.poll(() => processesWith(`postgres: ${name}`).length).toBeGreaterThan(80);
    expect(await givesUpWithin(2, () => service.stop('SIGTERM'))).toBe(0);
    expect(service.output).not.toContain('portico:');
    expect(processesWith(folder)).toEqual([]);
  });

  it('stops within 10 s although a request never arrives in full', async () => {
    const service = await serving();
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const head = ['POST /web/v1/auth/refresh HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
    socket.write([...head, 'Content-Length: 9', '', '{'].join('\r\n'));
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0);
    expect(await givesUpWithin(10, () => service.stop('SIGTERM'))).toBe(0);
    socket.destroy();
  });
});

describe('npm start where nothing was started yet', () => {
  beforeEach(async () => {
    bare = makeFolder();
    port = await freePort();
  });
  afterEach(() => removeFolder(bare));

  it('says which setting to change when the port is taken, and leaves nothing running', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    const service = start({ cwd: bare });
    expect(await service.exited).toBe(1);
    expect(service.output.trim()).toBe(`portico: port ${port} is already in use: set PORT to a free port`);
    expect(processesWith(bare)).toEqual([]);
    await new Promise((resolve) => other.close(resolve));
  });

  it('says in one line what is wrong with the configuration and exits with 1', async () => {
    const service = start({ cwd: bare, env: { PORTICO_LIMIT_LIVE: 'fast' } });
    expect(await service.exited).toBe(1);
    expect(service.output.trim()).toBe(
      'portico: PORTICO_LIMIT_LIVE: must be rate/burst, from 0.001 and 1 to 1000000, or off',
    );
  });

  it('starts no demo world when the settings are those of production and DATABASE_URL was forgotten', async () => {
    const service = start({ cwd: bare, env: { PORTICO_PUBLIC_URL: 'https://portal.example' } });
    expect(await service.exited).toBe(1);
    expect(service.output.trim()).toBe(
      'portico: PORTICO_TURNSTILE_SECRET: must be set outside the demo (PORTICO_PUBLIC_URL ends the default demo; PORTICO_DEMO=1 asks for it)',
    );
    expect(() => statSync(join(bare, '.portico'))).toThrow();
  });

  it('works as an ordinary user from a folder that only that user can read', async ({ skip }) => {
    if (isRoot && !isReachableBy(65534)) skip('the user nobody cannot reach this checkout or node');
    const user = isRoot
      ? { uid: 65534, gid: 65534 }
      : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const own = join(bare, 'home');
    mkdirSync(own, { mode: 0o700 });
    if (isRoot) chownSync(own, user.uid, user.gid);
    await start({ cwd: own, env: { HOME: own }, ...(isRoot ? { user } : {}) }).ready();
    expect((await signIn()).status).toBe(200);
  });

  it('uses the PostgreSQL of DATABASE_URL instead, and refuses in production one with demo accounts', async () => {
    const database = await createDatabase();
    const env = { DATABASE_URL: database.url, PORTICO_MASTER_KEY: randomBytes(32).toString('base64') };
    const demo = await start({ cwd: bare, env: { ...env, PORTICO_DEMO: '1' } }).ready();
    expect((await signIn()).status).toBe(200);
    expect(readdirSync(join(bare, '.portico'))).toEqual(['files']);
    const production = start({
      cwd: bare,
      env: {
        ...env,
        PORT: String(await freePort()),
        PORTICO_DEMO: '0',
        PORTICO_TURNSTILE_SECRET: '0x4real',
        PORTICO_TURNSTILE_SITE_KEY: '0x4site',
        PORTICO_PUBLIC_URL: url(''),
      },
    });
    expect(await production.exited).toBe(1);
    expect(production.output.trim()).toBe(
      'portico: PORTICO_DEMO: the database holds demo accounts, which are refused in production',
    );
    await demo.stop();
    await database.drop();
  });
});
