import { createServer, Server as NetServer } from 'node:net';
import { setTimeout as sleep, setImmediate as turnOfEvents } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type pg from 'pg';
import { buildApp } from './app.ts';
import { type FileServices, openFiles } from './auth/file-services.ts';
import { openServices } from './auth/open-services.ts';
import { loadMasterKey } from './auth/secrets/master-key.ts';
import { refusedInProduction } from './config/checks.ts';
import type { Config } from './config.ts';
import { makeAll } from './contract/once.ts';
import { openBackground, openDatabase, openRequestWriter, type Transactor } from './db/database.ts';
import { startEmbeddedPostgres } from './db/embedded/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import { hasDemoAccounts, loadDemoWorld, storeDemoFiles } from './demo/demo-world.ts';
import { openDoors } from './doors.ts';
import { startMaintenance } from './maintenance.ts';
import { rehearseAdmission, rehearseRequests } from './rehearse.ts';

/** The service cannot be started as it is configured; the message is one line for the operator. */
export class StartError extends Error {}

export type RunningServer = { origin: string; stop(): Promise<void> };

/** New connections that the kernel keeps until they are taken; it may have a lower bound of its own. */
const backlog = 4096;
/** Beside the first; an idle one costs a system call whenever a connection is taken. */
const doorsMore = 31;

type Closer = () => Promise<void>;

/** Before anything heavy is started: the commonest mistake gets its line at once. */
async function checkPort({ host, port }: Config): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? `port ${port} is already in use: set PORT to a free port`
          : `${error.message}: set HOST and PORT`;
      reject(new StartError(why));
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

async function connectDatabase(
  config: Config,
  logger: FastifyBaseLogger,
  closers: Closer[],
): Promise<pg.PoolConfig> {
  if (config.databaseUrl !== undefined) return { connectionString: config.databaseUrl };
  const tell = (line: string) => logger.error(line);
  const embedded = await startEmbeddedPostgres({ home: config.home, tell });
  closers.push(() => embedded.stop());
  // PGSSLMODE of the environment is about other databases
  return { ...embedded.connection, ssl: false };
}

/** A store that cannot be used is told at start, and not by the first upload. */
async function openStore(config: Config, closers: Closer[]): Promise<FileServices> {
  const files = openFiles(config);
  closers.push(() => files.storage.close());
  await files.storage.check().catch((error: Error) => {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    const setting = config.files.s3 === undefined ? 'PORTICO_HOME' : 'PORTICO_S3';
    throw new StartError(`${setting}: the store of files cannot be used: ${error.message}${cause}`);
  });
  return files;
}

async function closeAll(closers: Closer[]): Promise<void> {
  for (const close of closers.reverse()) await close();
}

/** So many connections may have come and wait to be taken when an instance stops. */
const lastTurns = 100;

/** Resolves when the last connection is gone. Unlike http's own close it leaves idle ones open. */
function stopListening(server: NetServer): Promise<void> {
  return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
}

/**
 * So that a proxy with kept connections loses nothing: at first all goes on, except that /readyz is 503. Then no new
 * connection is taken, which a proxy may try elsewhere, and the kept ones end with their next answer. An idle one is
 * left to whoever opened it: closed here, it could be closed while a request is on its way.
 */
async function leave(app: FastifyInstance, doors: readonly NetServer[], config: Config): Promise<void> {
  const { drainMs, stopMs } = config;
  await sleep(drainMs);
  // Those that wait in the kernel are taken first, as it would reset them: one door takes one of them in a turn.
  for (let turns = 0; turns < lastTurns; turns += 1) await turnOfEvents();
  const left = Promise.all([app.server, ...doors].map(stopListening));
  await Promise.race([left, sleep(drainMs)]);
  // Node times no request out once it closes: one that never arrives in full would be waited for forever.
  const cutOff = setTimeout(() => app.server.closeAllConnections(), stopMs);
  await app.close();
  await left;
  clearTimeout(cutOff);
}

async function checkDemo(config: Config, db: Transactor, files: FileServices): Promise<void> {
  const isLoaded = await hasDemoAccounts(db);
  if (config.isDemo) {
    if (!isLoaded) await storeDemoFiles(files);
    await loadDemoWorld(db, Date.now());
  } else if (isLoaded)
    throw new StartError(
      refusedInProduction(
        'PORTICO_DEMO: the database holds demo accounts, which are refused in production',
        config,
      ),
    );
}

type Start = { config: Config; logger: FastifyBaseLogger; closers: Closer[]; signal: AbortSignal };
type Prepared = { app: FastifyInstance; drain(): void };

/** All that comes before the first connection is taken, on a database that is there. */
async function prepare(
  { config, logger, closers, signal }: Start,
  connection: pg.PoolConfig,
): Promise<Prepared> {
  const db = openDatabase(connection, config.database);
  closers.push(() => db.close());
  const background = openBackground(connection);
  closers.push(async () => void background.close().catch(() => {})); // nobody waits for its work, here neither
  const writer = openRequestWriter(connection);
  closers.push(async () => void writer.close().catch(() => {})); // as above
  const files = await openStore(config, closers);
  await checkDemo(config, background, files);
  const { services, stores } = await openServices({
    config,
    db,
    background,
    files,
    masterKey: loadMasterKey(config),
    now: Date.now,
  });
  closers.push(() => stores.close(), services.passwords.close);
  const maintenance = startMaintenance(services, background, logger, writer);
  closers.push(maintenance.stop);
  await maintenance.announce().catch(() => {}); // a minute later it is tried again, and told of
  let isDraining = false;
  const app = await buildApp({
    services,
    logger,
    readiness: {
      ...maintenance,
      isDraining: () => isDraining,
      stores,
      databases: [db, background, writer],
    },
  });
  makeAll();
  await db.warm(rehearseAdmission, signal);
  signal.throwIfAborted();
  await rehearseRequests(services).catch((err: Error) =>
    logger.warn({ err }, 'the first requests may be slow'),
  );
  return {
    app,
    drain() {
      isDraining = true;
    },
  };
}

async function open({ app, drain }: Prepared, { config, logger, closers }: Start): Promise<string> {
  await app.listen({ host: config.host, port: config.port, backlog });
  const doors = await openDoors(app.server, doorsMore).catch((err: Error) => {
    logger.warn({ err }, 'one listener only: new connections are taken slowly under load');
    return [];
  });
  closers.push(() => {
    drain();
    return leave(app, doors, config);
  });
  return app.listeningOrigin;
}

/** What is left under way when the start is given up ends with the process, and leaves nothing behind. */
function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}

/**
 * Starts everything in order; what was started is stopped in reverse, also when a later step fails or the signal comes. Then it
 * rejects with the signal's reason. Only what could leave something behind is waited for: PostgreSQL, which is a process of its
 * own, and the transaction of a migration, which is rolled back.
 */
export async function startServer(
  config: Config,
  logger: FastifyBaseLogger,
  signal: AbortSignal = new AbortController().signal,
): Promise<RunningServer> {
  const closers: Closer[] = [];
  const start = { config, logger, closers, signal };
  try {
    await unlessAborted(checkPort(config), signal);
    const connection = await connectDatabase(config, logger, closers);
    await migrate(connection, { signal });
    const origin = await open(await unlessAborted(prepare(start, connection), signal), start);
    return { origin, stop: () => closeAll(closers) };
  } catch (error) {
    await closeAll(closers);
    throw signal.aborted ? signal.reason : error; // what was ended on purpose fails in its own ways
  }
}
