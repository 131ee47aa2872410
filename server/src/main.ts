import { closeSync } from 'node:fs';
import { ConfigError, loadConfig, unknownVariables } from './config.ts';
import { EmbeddedPostgresError } from './db/embedded/embedded-postgres.ts';
import { MigrationError } from './db/migrate.ts';
import { StoreUnavailable } from './db/unavailable.ts';
import { welcome } from './demo/welcome.ts';
import { settleRuntime } from './runtime.ts';
import { StartError, startServer } from './server.ts';
import { createServiceLog } from './service-log.ts';

/** What an operator can mend is told in one line; anything else with its stack. */
function explain(error: unknown): string {
  const isExpected = [ConfigError, MigrationError, EmbeddedPostgresError, StartError].some(
    (kind) => error instanceof kind,
  );
  if (isExpected && error instanceof Error) return `portico: ${error.message}`;
  if (error instanceof StoreUnavailable)
    return `portico: ${error.message}: ${(error.cause as Error | undefined)?.message ?? 'no answer'}`;
  return `portico: ${error instanceof Error ? error.stack : String(error)}`;
}

/** From whoever runs it, from Ctrl-C, from a terminal that is closed and from Ctrl-\. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

const stopping = new AbortController();

/** Node would set the terminal as it was, and abort when that is gone (nodejs/node#51519). What is closed it leaves alone. */
function forgetTerminal(): void {
  for (const fd of [0, 1, 2]) {
    try {
      closeSync(fd);
    } catch {} // it was closed before
  }
}

/** What was started has stopped. */
function exit(): never {
  if (stopping.signal.reason === 'SIGHUP') process.once('exit', forgetTerminal); // after the last lines of the log
  process.exit(0);
}

async function main(): Promise<void> {
  settleRuntime();
  // A terminal that was closed takes no more, which is no reason to end at once.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const config = loadConfig(process.env);
  const { logger, flush } = createServiceLog(config.logLevel);
  for (const name of unknownVariables(process.env)) logger.warn(`${name} is not a setting of this service`);
  const starting = startServer(config, logger, stopping.signal);
  // One Ctrl-C is two signals, the terminal's and the one that npm passes on: the second must not end what the first began.
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) return;
    stopping.abort(signal);
    const server = await starting.catch(() => undefined); // whoever waits for the start, below, tells why
    if (server === undefined) return;
    await server.stop();
    exit();
  };
  for (const signal of stopSignals) process.on(signal, stop);
  const server = await starting;
  flush();
  if (config.isDemo) process.stdout.write(welcome(server.origin, config.basePath));
}

main().catch((error: unknown) => {
  // It was told to stop while it started, and nothing of it is left behind.
  if (stopping.signal.aborted && error === stopping.signal.reason) exit();
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
