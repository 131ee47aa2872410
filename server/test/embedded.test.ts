import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { canReach, databaseAccount } from '../src/db/embedded/account.ts';
import { usableBinaries } from '../src/db/embedded/binaries.ts';
import { clusterOf, clusterProcesses } from '../src/db/embedded/cluster.ts';
import type { Connection } from '../src/db/embedded/connect.ts';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { makeLinks } from '../src/db/embedded/native-tree.ts';
import { installedPackage } from '../src/db/embedded/package.ts';
import { prepareHome } from '../src/db/embedded/place.ts';
import { createSocketDirectory } from '../src/db/embedded/socket-directory.ts';

const SOURCE = new URL('../src/db/embedded/', import.meta.url).href;
const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const isRoot = process.getuid?.() === 0;
const account = await databaseAccount();
const HOLDERS = "SELECT pid FROM pg_locks WHERE locktype = 'advisory'";
const asRoot = test.runIf(isRoot);
const nobody = isRoot ? { uid: account.uid, gid: account.gid } : {};
if (!isRoot) console.info('not root: what needs root or a second user is reported as skipped');

type Handle = { pid: number; connection: Connection };

let root: string;
let home: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'portico-embedded-'));
  fs.chmodSync(root, 0o755);
  home = join(root, 'home');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  killAll(await databaseProcesses());
  const { hash } = await prepareHome(home, account);
  const outside = ['/var/lib/portico/', '/run/portico/', `${process.env['HOME']}/.portico-`];
  const paths = [root, ...outside.map((base) => `${base}${hash}`)];
  for (const path of paths) fs.rmSync(path, { recursive: true, force: true });
});

function start(settings: Record<string, string> = {}) {
  return startEmbeddedPostgres({ home, settings: { fsync: 'off', ...settings } });
}

async function refusal(settings?: Record<string, string>): Promise<string> {
  const error: unknown = await start(settings).catch((reason: unknown) => reason);
  if (!(error instanceof EmbeddedPostgresError)) throw new Error(`not refused: ${error}`);
  expect(error.message).not.toContain('\n');
  return error.message;
}

/** Another server process; `db` is known once it has printed it. */
function otherServer(options: { ids?: object; env?: object; andThen?: string } = {}) {
  const script = `import { startEmbeddedPostgres } from '${SOURCE}embedded-postgres.ts';
    const db = await startEmbeddedPostgres({ home: process.argv[1], settings: { fsync: 'off' } });
    console.log(JSON.stringify(db)); ${options.andThen ?? 'setInterval(() => {}, 1000)'}`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, home], {
    cwd: REPOSITORY,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options.ids,
  });
  children.push(child);
  const exit = once(child, 'exit');
  const db = once(child.stdout, 'data').then(([line]) => JSON.parse(String(line)) as Handle);
  return { child, exit, db };
}

/** What a server leaves running that is killed after it wrote data. */
async function killedServer(options?: Parameters<typeof otherServer>[0]) {
  const other = otherServer(options);
  const db = await other.db;
  await write(db.connection);
  other.child.kill('SIGKILL');
  await other.exit;
  return db;
}

async function query(connection: Connection, sql: string) {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

const write = (connection: Connection) => query(connection, 'CREATE TABLE kept AS SELECT 42 AS answer');

async function expectKept(connection: Connection) {
  expect((await query(connection, 'SELECT answer FROM kept')).rows).toEqual([{ answer: 42 }]);
}

async function databaseProcesses(): Promise<number[]> {
  const directory = join(home, 'database');
  const found = fs.existsSync(directory) ? await clusterProcesses(await clusterOf(directory)) : [];
  return found.map(({ pid }) => pid);
}

const killAll = (pids: number[]) => spawnSync('kill', ['-9', ...pids.map(String)]);

const modeOf = (path: string) => (fs.statSync(path).mode & 0o777).toString(8);

/** Its lines in the tables of TCP sockets; elsewhere than on Linux the setting alone must tell. */
function tcpSockets(pid: number): string[] {
  if (process.platform !== 'linux') return [];
  const files = fs.readdirSync(`/proc/${pid}/fd`).map((fd) => fs.readlinkSync(`/proc/${pid}/fd/${fd}`));
  expect(files.join()).toContain('socket:');
  const table = ['tcp', 'tcp6'].map((name) => fs.readFileSync(`/proc/net/${name}`, 'utf8')).join('');
  return table.split('\n').filter((line) => files.includes(`socket:[${line.trim().split(/\s+/)[9]}]`));
}

function copyWithoutLinks(): string {
  const filter = (path: string) => !fs.lstatSync(path).isSymbolicLink();
  fs.cpSync(installedPackage().native, join(root, 'native'), { recursive: true, filter });
  return join(root, 'native');
}

test('data are kept over stop and start, closed to other users, without a TCP port', async () => {
  const first = await start();
  await write(first.connection);
  expect([home, first.connection.host].map(modeOf)).toEqual([isRoot ? '711' : '700', '700']);
  const inHome = ['database', 'database-password', 'postgres.log'].map((name) => modeOf(join(home, name)));
  expect(inHome).toEqual(['700', '600', '600']);
  expect((await query(first.connection, 'SHOW listen_addresses')).rows).toEqual([{ listen_addresses: '' }]);
  expect(tcpSockets(first.pid)).toEqual([]);
  await Promise.all([first.stop(), first.stop()]);
  expect(await databaseProcesses()).toEqual([]);
  expect(fs.readdirSync(join(home, 'run'))).toEqual([]);
  await expectKept((await start()).connection);
});

test.each([
  ['and of its database', async () => killAll(await databaseProcesses())],
  ['and loss of its socket', async (socket: string) => fs.rmSync(socket, { recursive: true })],
])('data survive kill -9 of the server %s', async (_, damage) => {
  const { connection, pid } = await killedServer();
  await damage(connection.host);
  const db = await start();
  expect(db.adopted).toBe(false);
  await expectKept(db.connection);
  expect(await databaseProcesses()).not.toContain(pid);
  expect(fs.existsSync(connection.host)).toBe(false);
});

test('a backend that outlives the killed database does not block the next start', async () => {
  const first = await start();
  await write(first.connection);
  const busy = query(first.connection, 'DO $$ BEGIN LOOP END LOOP; END $$').catch(() => 'lost');
  const looping = "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO %'";
  await expect.poll(async () => (await query(first.connection, looping)).rowCount).toBe(1);
  killAll([first.pid]);
  const second = await start();
  await expect(busy).resolves.toBe('lost');
  await first.stop();
  await expectKept(second.connection);
});

test('a database left running by a killed server is adopted', async () => {
  const { pid } = await killedServer();
  const db = await start();
  expect(db).toMatchObject({ adopted: true, pid });
  await expectKept(db.connection);
  await db.stop();
  expect(await databaseProcesses()).toEqual([]);
});

test('the database does not keep the process of the server alive, and stop() works in it', async () => {
  expect(await otherServer({ andThen: '' }).exit).toEqual([0, null]);
  expect(await otherServer({ andThen: 'await db.stop()' }).exit).toEqual([0, null]);
  expect(await databaseProcesses()).toEqual([]);
});

test('a pid file that is empty or names a foreign process blocks nothing; that process is left alone', async () => {
  const first = await start();
  await write(first.connection);
  const pidFile = join(home, 'database', 'postmaster.pid');
  const text = fs.readFileSync(pidFile, 'utf8');
  await first.stop();
  const foreign = spawn('sleep', ['60'], nobody);
  children.push(foreign);
  for (const left of [text.replace(/^\d+/, String(foreign.pid)), '']) {
    fs.writeFileSync(pidFile, left);
    const db = await start();
    await expectKept(db.connection);
    await db.stop();
  }
  expect(foreign.exitCode ?? foreign.signalCode).toBeNull();
});

test('of servers that start together, or later, one runs and the others are refused with one line', async () => {
  const together = [start(), start()];
  const { connection } = await Promise.any(together);
  const later = await refusal();
  const advice = 'stop it, or set PORTICO_HOME to another directory';
  expect(later).toBe(`PORTICO_HOME ${home} is in use by another running server: ${advice}`);
  const refused = (await Promise.allSettled(together)).find((result) => result.status === 'rejected');
  expect(refused?.reason.message).toBe(later);
  await write(connection);
});

test('a server that lost its lock takes it again', async () => {
  const { connection } = await start();
  const holders = async () => (await query(connection, HOLDERS)).rows;
  const [before] = await holders();
  await query(connection, `SELECT pg_terminate_backend(${before.pid}, 5000)`);
  await vi.waitFor(async () => expect(await holders()).toHaveLength(1), { timeout: 60_000 });
  expect(await holders()).not.toEqual([before]);
});

test('a server killed while it makes the database leaves nothing half made', async () => {
  const other = otherServer();
  const names = () => (fs.existsSync(home) ? fs.readdirSync(home) : []);
  await vi.waitFor(() => expect(names().join()).toContain('database.new-'), { timeout: 60_000, interval: 5 });
  other.child.kill('SIGKILL');
  await other.exit;
  expect(names()).not.toContain('database');
  await write((await start()).connection);
  expect(names().sort()).toEqual(['database', 'database-password', 'postgres.log', 'run']);
});

test.each([
  ['with spaces, quotes, commas and non-ASCII letters', `Zoë's "données", 数据 $HOME`, /^\/.*数据/],
  ['too long for a socket', 'long-'.repeat(20), isRoot ? /^\/run\/portico\// : /\/\.portico-[0-9a-f]{16}\//],
])('a home with a path %s works', async (_, name, host) => {
  vi.stubEnv('XDG_RUNTIME_DIR', undefined);
  home = join(root, name);
  const { connection } = await start();
  expect(connection.host).toMatch(host);
  expect(modeOf(connection.host)).toBe('700');
  await write(connection);
});

test('where no database can run the refusal is one line that names the cause', async () => {
  await (await start()).stop();
  expect(await refusal({ shared_buffers: 'many' })).toMatch(/FATAL: .*"shared_buffers".*home\/postgres\.log/);
  const version = join(home, 'database', 'PG_VERSION');
  const major = fs.readFileSync(version, 'utf8');
  fs.writeFileSync(version, '12\n');
  expect(await refusal()).toMatch(/PostgreSQL 12, .* PostgreSQL \d+: .*pg_dump.*PORTICO_HOME/);
  fs.writeFileSync(version, major);
  fs.writeFileSync(join(home, 'database-password'), 'another');
  expect(await refusal()).toMatch(/does not accept the password in .*home\/database-password/);
  fs.rmSync(join(home, 'database-password'));
  expect(await refusal()).toMatch(/home\/database-password is missing/);
  expect(() => installedPackage('aix-ppc64')).toThrow(/aix-ppc64: set DATABASE_URL/);
  for (const name of ['XDG_RUNTIME_DIR', 'HOME']) vi.stubEnv(name, join(root, 'long-'.repeat(20)));
  const place = await prepareHome(join(root, 'long-'.repeat(20)), { ...account, isOther: false });
  await expect(createSocketDirectory(place)).rejects.toThrow(/PORTICO_HOME/);
  expect(await databaseProcesses()).toEqual([]);
});

test('links that the install script did not make are made, by two servers at once too', async () => {
  const native = copyWithoutLinks();
  expect(await Promise.all([makeLinks(native), makeLinks(native)])).toEqual([true, true]);
  const place = await prepareHome(home, account);
  expect((await usableBinaries(place, { native, version: '1' })).directory).toBe(join(native, 'bin'));
});

asRoot('root can have home and binaries in a closed directory, and open it without loss', async () => {
  fs.chmodSync(root, 0o700);
  const first = await start();
  await write(first.connection);
  await first.stop();
  const place = await prepareHome(home, account);
  const installed = { native: copyWithoutLinks(), version: '2' };
  const both = await Promise.all([usableBinaries(place, installed), usableBinaries(place, installed)]);
  for (const { directory } of both) expect(directory).toBe(join(place.spare, 'native-2', 'bin'));
  fs.chmodSync(root, 0o755);
  await expectKept((await start()).connection);
  expect(fs.readdirSync(place.spare)).toContain('database');
  expect(fs.readdirSync(place.spare)).not.toContain('native-2');
});

asRoot('an ordinary user has all of it in home, with a copy of binaries it cannot link', async (context) => {
  const isReached =
    (await canReach(account, REPOSITORY)) && (await canReach(account, dirname(process.execPath)));
  if (!isReached) context.skip('the user nobody cannot reach this checkout or node');
  const native = copyWithoutLinks();
  fs.chownSync(root, account.uid, account.gid);
  const options = { ids: nobody, env: { HOME: root, TMPDIR: root, XDG_RUNTIME_DIR: '' } };
  const { connection } = await killedServer(options);
  expect(connection.host.startsWith(join(home, 'run'))).toBe(true);
  expect(modeOf(home)).toBe('700');
  const andThen = `await db.stop(); if (!db.adopted) throw new Error('not adopted');
    const { usableBinaries } = await import('${SOURCE}binaries.ts');
    const place = { home: '${home}', spare: '${home}', account: { isOther: false } };
    await usableBinaries(place, { native: '${native}', version: '3' });`;
  expect(await otherServer({ ...options, andThen }).exit).toEqual([0, null]);
  expect(fs.readdirSync(home)).toContain('native-3');
});
