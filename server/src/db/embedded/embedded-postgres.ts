import { databaseAccount } from './account.ts';
import { removeOldCopies, usableBinaries } from './binaries.ts';
import { clusterOf } from './cluster.ts';
import type { Connection } from './connect.ts';
import { ensureData } from './data-directory.ts';
import { asEmbeddedError, EmbeddedPostgresError, homeInUse } from './errors.ts';
import { holdLock, takeLock } from './home-lock.ts';
import { stopPostmaster } from './leftover.ts';
import { installedPackage } from './package.ts';
import { prepareHome } from './place.ts';
import { logFile } from './postmaster.ts';
import { createRevival, type Tell } from './revival.ts';
import { removeSocketDirectory, sweepSocketDirectories } from './socket-directory.ts';
import { type Running, type Setup, startOrAdopt } from './startup.ts';
import { sweepTemporaries } from './temporary.ts';

export { EmbeddedPostgresError };

export type EmbeddedPostgres = {
  /** options of a pg.Pool; host is the directory of its unix socket */
  connection: Connection;
  /** of the postmaster, which is another one after it was started again */
  readonly pid: number;
  /** it was left running by an earlier server */
  adopted: boolean;
  /** Fast shutdown; waits for the process to end. */
  stop(): Promise<void>;
};

type Options = {
  /** absolute PORTICO_HOME */
  home: string;
  /** extra settings of PostgreSQL */
  settings?: Record<string, string>;
  /** A database that ends by itself is started again, and this told of it; without it, it stays away. */
  tell?: Tell;
};

export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  try {
    const setup = await prepare(options);
    const running = await startLocked(setup);
    const database = handle(setup, running, options.tell);
    // what cannot be removed now is left to the next start
    await tidy(setup, running).catch(() => undefined);
    return database;
  } catch (error) {
    throw asEmbeddedError(error, options.home);
  }
}

async function prepare({ home, settings = {} }: Options): Promise<Setup> {
  const installed = installedPackage();
  const place = await prepareHome(home, await databaseAccount());
  const binaries = await usableBinaries(place, installed);
  const { directory, password } = await ensureData(place, binaries, settings['fsync'] !== 'off');
  return { place, binaries, cluster: await clusterOf(directory), password, settings };
}

/** The database stays up when the lock is not to be had: then it is the other server's, whoever started it. */
async function startLocked(setup: Setup): Promise<Running> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const running = await startOrAdopt(setup);
    const lock = await takeLock(running.client, running.connection);
    if (lock === 'taken') return running;
    if (lock === 'busy') throw homeInUse(setup.place.name);
    // lost: the server that used it before us was just stopping it
  }
  throw new EmbeddedPostgresError(`the embedded database does not stay up: see ${logFile(setup.place)}`);
}

async function tidy({ place, binaries }: Setup, { connection, adopted }: Running): Promise<void> {
  await sweepSocketDirectories(place, connection.host);
  await sweepTemporaries(place.home);
  await sweepTemporaries(place.spare);
  if (!adopted) await removeOldCopies(place, binaries);
}

function handle(
  setup: Setup,
  { client, connection, adopted, ...first }: Running,
  tell?: Tell,
): EmbeddedPostgres {
  const { cluster } = setup;
  let { pid } = first;
  const revival = tell && createRevival(setup, connection.host, tell);
  const onBack = (running: Running) => {
    pid = running.pid;
  };
  const lock = holdLock(client, connection, () => revival?.begin(lock, onBack));
  let stopped: Promise<void> | undefined;
  const shutDown = async (): Promise<void> => {
    await revival?.end();
    // the lock ends with the database: were it released before, another server could adopt what is about to end
    await stopPostmaster(cluster, pid);
    await lock.release();
    await removeSocketDirectory(connection.host);
  };
  return {
    connection,
    get pid() {
      return pid;
    },
    adopted,
    stop: () => {
      stopped ??= shutDown();
      return stopped;
    },
  };
}
