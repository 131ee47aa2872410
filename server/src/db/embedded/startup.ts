import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Binaries } from './binaries.ts';
import { type Cluster, isOfCluster } from './cluster.ts';
import { type Answer, type Connection, connectWhenReady, PATIENCE_MS } from './connect.ts';
import { EmbeddedPostgresError, homeInUse } from './errors.ts';
import { SUPERUSER } from './initialise.ts';
import { clearRemains, findPostmaster, type Leftover, stopPostmaster } from './leftover.ts';
import { passwordFile } from './password.ts';
import type { Place } from './place.ts';
import { logFile, type Postmaster, spawnPostmaster } from './postmaster.ts';
import {
  createSocketDirectory,
  isAnySocketAnswering,
  PORT,
  removeSocketDirectory,
  restoreSocketDirectory,
  SOCKET,
} from './socket-directory.ts';

export type Setup = {
  place: Place;
  binaries: Binaries;
  cluster: Cluster;
  password: string;
  settings: Record<string, string>;
};

/** What it takes to connect to a cluster that runs. */
export type Door = Pick<Setup, 'place' | 'cluster' | 'password'>;

export type Running = { client: pg.Client; connection: Connection; pid: number; adopted: boolean };

const ATTEMPTS = 20;
const OTHER_START = /lock file .* (already exists|is empty)|pre-existing shared memory block/;

/** Where connections that were made to an earlier postmaster lead; and until when it is tried. */
export type Again = { socketDirectory: string; signal: AbortSignal };

/** More than one attempt is made when other servers start or stop on the same directory meanwhile. */
export async function startOrAdopt(setup: Setup, again?: Again): Promise<Running> {
  for (let attempt = 0; attempt < ATTEMPTS && !again?.signal.aborted; attempt += 1) {
    const running = (await adopt(setup, again)) ?? (await startAnew(setup, again));
    if (running) return running;
    await sleep(200);
  }
  throw new EmbeddedPostgresError(
    `the embedded database cannot get hold of ${setup.cluster.directory}: see ${logFile(setup.place)}`,
  );
}

/** undefined when none runs any more, if need be because it was stopped for not answering. */
async function adopt(setup: Setup, again?: Again): Promise<Running | undefined> {
  const { cluster } = setup;
  const found = await findPostmaster(cluster);
  if (!found) return undefined;
  if (found.socketDirectory === '') {
    await stopPostmaster(cluster, found.pid);
    return undefined;
  }
  // started by another server, whose lock is on it
  if (again && found.socketDirectory !== again.socketDirectory) throw homeInUse(setup.place.name);
  const connection = connectionTo(setup, found.socketDirectory);
  const answer = await ask(setup, found, connection);
  if (answer.kind === 'connected')
    return { client: answer.client, connection, pid: found.pid, adopted: true };
  // a restart would not change its password, and it may be the database of a live server
  if (answer.kind === 'rejected') throw rejected(setup);
  if (answer.kind === 'silent') await stopPostmaster(cluster, found.pid);
  return undefined;
}

export async function ask({ cluster }: Door, found: Leftover, connection: Connection): Promise<Answer> {
  // its socket, once there, is only gone when something removed the directory
  const socket = await lstat(join(found.socketDirectory, SOCKET)).catch(() => undefined);
  const hasEnded = async () => !(await isOfCluster(cluster, found.pid));
  return connectWhenReady(connection, hasEnded, socket ? PATIENCE_MS : 0);
}

/** undefined when another server was faster. */
async function startAnew(setup: Setup, again?: Again): Promise<Running | undefined> {
  const { place, cluster } = setup;
  if (await isAnySocketAnswering(place)) throw homeInUse(place.name);
  await clearRemains(cluster);
  const socketDirectory = again?.socketDirectory ?? (await createSocketDirectory(place));
  if (again) await restoreSocketDirectory(place, socketDirectory);
  let postmaster: Postmaster | undefined;
  try {
    postmaster = await spawnPostmaster({ ...setup, socketDirectory });
    const running = await awaitReady(setup, postmaster, connectionTo(setup, socketDirectory), again?.signal);
    if (!running) await removeSocketDirectory(socketDirectory);
    return running;
  } catch (error) {
    if (postmaster) await stopPostmaster(cluster, postmaster.pid);
    await removeSocketDirectory(socketDirectory);
    throw error;
  }
}

async function awaitReady(
  setup: Setup,
  { pid, hasEnded, wasStopped, lastWords }: Postmaster,
  connection: Connection,
  signal?: AbortSignal,
): Promise<Running | undefined> {
  const answer = await connectWhenReady(connection, () => hasEnded() || signal?.aborted === true);
  if (answer.kind === 'connected') return { client: answer.client, connection, pid, adopted: false };
  if (answer.kind === 'rejected') throw rejected(setup);
  const log = logFile(setup.place);
  if (answer.kind === 'silent') {
    throw new EmbeddedPostgresError(`the embedded database does not answer: ${answer.reason} (see ${log})`);
  }
  if (signal?.aborted) throw new EmbeddedPostgresError('the embedded database is to stop');
  const reason = await lastWords();
  // another server may have adopted this one, and stopped it
  if (wasStopped() || OTHER_START.test(reason)) return undefined;
  throw new EmbeddedPostgresError(`the embedded database ended at its start: ${reason} (see ${log})`);
}

export function connectionTo({ password }: Door, host: string): Connection {
  return { host, port: PORT, user: SUPERUSER, password, database: 'portico' };
}

export function rejected({ place, cluster }: Door): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `the database in ${cluster.directory} does not accept the password in ${passwordFile(place)}: restore the one that belongs to it`,
  );
}
