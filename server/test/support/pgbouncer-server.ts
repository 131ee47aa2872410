import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findPgBouncer } from '../../../scripts/pgbouncer.mjs';
import type { Connection } from '../global-setup.ts';
import { freePort, makeFolder, removeFolder } from '../service-process.ts';

const documented = readFileSync(new URL('../../../docs/pgbouncer.ini', import.meta.url), 'utf8');

export type PgBouncer = {
  connection: Connection;
  url: string;
  /** A client of the pooler that has nothing to do with the service. */
  openNeighbour(): Promise<pg.Client>;
  stop(): Promise<void>;
};

/** The documented file, with this machine's addresses and a pool of the size given. */
function configure(folder: string, port: number, poolSize: number, { host, port: ofDatabase }: Connection) {
  return documented
    .replace(/^portico = .*$/m, `* = host=${host} port=${ofDatabase}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_file = .*$/m, `auth_file = ${join(folder, 'userlist.txt')}`)
    .replace(/^default_pool_size = .*$/m, `default_pool_size = ${poolSize}`);
}

/** A real PgBouncer of its own in front of a test database. */
export async function startPgBouncer(database: Connection, poolSize: number): Promise<PgBouncer> {
  const command = findPgBouncer();
  if (command === undefined) throw new Error('PgBouncer 1.21 or newer is missing: npm test installs it');
  const folder = makeFolder();
  const port = await freePort();
  writeFileSync(join(folder, 'userlist.txt'), `"${database.user}" "${database.password}"\n`);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, configure(folder, port, poolSize, database));
  const [program = '', ...args] = command;
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, [...args, ...user, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (data: Buffer) => (output += data));
  const exited = once(child, 'exit');
  const connection = { ...database, host: '127.0.0.1', port };
  const open = async () => {
    const client = new pg.Client(connection);
    await client.connect();
    return client;
  };
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
    await removeFolder(folder);
  };
  process.once('exit', () => child.kill('SIGKILL')); // also when the tests are broken off
  const deadline = Date.now() + 20_000;
  for (;;) {
    const client = await open().catch(() => undefined);
    await client?.end();
    if (client !== undefined) break;
    if (Date.now() > deadline) throw new Error(`PgBouncer did not start:\n${output}`);
  }
  const { user: name, password, database: of } = connection;
  const url = `postgres://${name}:${encodeURIComponent(password)}@127.0.0.1:${port}/${of}`;
  return { connection, url, openNeighbour: open, stop };
}
