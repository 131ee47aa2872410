import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseAccount } from './account.ts';
import { clusterOf } from './cluster.ts';
import type { Connection } from './connect.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { asEmbeddedError, EmbeddedPostgresError, unless } from './errors.ts';
import { findPostmaster } from './leftover.ts';
import { ensurePassword } from './password.ts';
import { prepareHome } from './place.ts';
import { ask, connectionTo, type Door, rejected } from './startup.ts';

export type Borrowed = {
  connection: Connection;
  /** Leaves the database as it was found: running or stopped. */
  giveBack(): Promise<void>;
};

/** For a command beside the server: the database that runs, without the lock, or else one of its own with it. */
export async function borrowEmbeddedPostgres(home: string, { mayCreate = false } = {}): Promise<Borrowed> {
  try {
    if (mayCreate && !existsSync(join(home, 'database'))) return await create(home);
    const door = await openDoor(home);
    return (await findRunning(door)) ?? (await start(door));
  } catch (error) {
    throw asEmbeddedError(error, home);
  }
}

async function create(home: string): Promise<Borrowed> {
  const { connection, stop } = await startEmbeddedPostgres({ home });
  return { connection, giveBack: stop };
}

async function openDoor(home: string): Promise<Door> {
  // before anything is made: who is in the wrong directory gets no empty database there
  const directory = await realpath(join(home, 'database')).catch(unless('ENOENT', 'ENOTDIR'));
  if (directory === undefined) {
    throw new EmbeddedPostgresError(
      `there is no database in PORTICO_HOME ${home}: set PORTICO_HOME or DATABASE_URL as for the server`,
    );
  }
  const place = await prepareHome(home, await databaseAccount());
  const password = await ensurePassword(place, directory, true);
  return { place, cluster: await clusterOf(directory), password };
}

/** Never stops one that does not answer: it may be a live server's. */
async function findRunning(door: Door): Promise<Borrowed | undefined> {
  const found = await findPostmaster(door.cluster);
  if (!found) return undefined;
  if (found.socketDirectory === '') throw silent(found.pid, 'its socket is unknown');
  const connection = connectionTo(door, found.socketDirectory);
  const answer = await ask(door, found, connection);
  if (answer.kind === 'connected') {
    await answer.client.end();
    return { connection, giveBack: async () => {} };
  }
  if (answer.kind === 'rejected') throw rejected(door);
  if (answer.kind === 'silent') throw silent(found.pid, answer.reason);
  return undefined;
}

async function start(door: Door): Promise<Borrowed> {
  try {
    return await create(door.place.name);
  } catch (error) {
    // a server that was started meanwhile has the lock
    const running = await findRunning(door);
    if (!running) throw error;
    return running;
  }
}

function silent(pid: number, reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`process ${pid} of the embedded database does not answer: ${reason}`);
}
