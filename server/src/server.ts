import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { buildApp } from './app.ts';
import { loadMasterKey } from './auth/master-key.ts';
import { openServices } from './auth/open-services.ts';
import { refusedInProduction } from './config/checks.ts';
import type { Config } from './config.ts';
import { openBackground, openDatabase } from './db/database.ts';
import { startEmbeddedPostgres } from './db/embedded/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import { hasDemoAccounts, loadDemoWorld } from './demo/demo-world.ts';
import { startMaintenance } from './maintenance.ts';

/** The service cannot be started as it is configured; the message is one line for the operator. */
export class StartError extends Error {}

export type RunningServer = { origin: string; stop(): Promise<void> };

/** Answers go on with `Connection: close` this long, so that clients leave before the door is shut. */
const drainMs = 300;
/** What has not been answered by then is cut off: less than the 10 s after which containers are killed. */
const stragglersMs = 8000;

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

async function connectDatabase(config: Config, closers: Closer[]): Promise<pg.PoolConfig> {
  if (config.databaseUrl !== undefined) return { connectionString: config.databaseUrl };
  const embedded = await startEmbeddedPostgres({ home: config.home });
  closers.push(() => embedded.stop());
  // PGSSLMODE of the environment is about other databases
  return { ...embedded.connection, ssl: false };
}

async function closeAll(closers: Closer[]): Promise<void> {
  for (const close of closers.reverse()) await close();
}

async function start(config: Config, logger: FastifyBaseLogger, closers: Closer[]): Promise<string> {
  const connection = await connectDatabase(config, closers);
  await migrate(connection);
  const db = openDatabase(connection, config.database);
  closers.push(() => db.close());
  if (config.isDemo) await loadDemoWorld(db);
  else if (await hasDemoAccounts(db))
    throw new StartError(
      refusedInProduction(
        'PORTICO_DEMO: the database holds demo accounts, which are refused in production',
        config,
      ),
    );
  const { services, stores } = await openServices({
    config,
    db,
    masterKey: loadMasterKey(config),
    now: Date.now,
  });
  closers.push(() => stores.close());
  const background = openBackground(connection);
  closers.push(async () => void background.close().catch(() => {})); // nobody waits for its work, here neither
  const maintenance = startMaintenance(services, background, logger);
  closers.push(maintenance.stop);
  let isDraining = false;
  const app = await buildApp({
    services,
    logger,
    readiness: {
      ...maintenance,
      isDraining: () => isDraining,
      stores,
      databases: [db, background],
    },
  });
  await db.warm();
  await app.listen({ host: config.host, port: config.port });
  closers.push(async () => {
    isDraining = true;
    await sleep(drainMs);
    // Node times no request out once it closes: one that never arrives in full would be waited for forever.
    const cutOff = setTimeout(() => app.server.closeAllConnections(), stragglersMs);
    await app.close();
    clearTimeout(cutOff);
  });
  return app.listeningOrigin;
}

/** Starts everything in order; what was started is stopped in reverse, also when a later step fails. */
export async function startServer(config: Config, logger: FastifyBaseLogger): Promise<RunningServer> {
  await checkPort(config);
  const closers: Closer[] = [];
  try {
    const origin = await start(config, logger, closers);
    return { origin, stop: () => closeAll(closers) };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}
