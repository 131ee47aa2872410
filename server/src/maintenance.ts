import type { FastifyBaseLogger } from 'fastify';
import { sweepNonces } from './auth/nonces.ts';
import { sweepPasses } from './auth/passes.ts';
import type { Services } from './auth/services.ts';
import type { Database } from './db/database.ts';
import { createFolder } from './db/tally.ts';
import { sweepSignIns } from './resources/accounts/refresh-tokens.ts';

const sweepEveryMs = 60_000;
/** How far behind lastUsedAt may be. */
const flushEveryMs = 5000;
/** What waits is counted with every list request, so it must not become much. */
const foldEveryMs = 200;

async function sweep({ db, now, tokens }: Services): Promise<void> {
  await tokens.renewKeys();
  while (await sweepNonces(db, now()));
  await sweepPasses(db, now());
  while (await sweepSignIns(db, now()));
}

/** Runs a task again and again, one run at a time. Returns how to stop it. */
function repeat(everyMs: number, task: () => Promise<void>, logger: FastifyBaseLogger): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isFailing = false;
  const noteFailure = (error: unknown) => {
    if (!isFailing) logger.warn({ err: error }, 'maintenance failed; it is tried again until it succeeds');
    isFailing = true;
  };
  const noteSuccess = () => {
    isFailing = false;
  };
  const timer = setInterval(() => {
    running ??= task()
      .then(noteSuccess, noteFailure)
      .finally(() => {
        running = undefined;
      });
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Deletes what has expired, writes down how keys were used and folds the tally, in every instance. Returns how to stop it. */
export function startMaintenance(
  services: Services,
  patientDb: Database,
  logger: FastifyBaseLogger,
): () => Promise<void> {
  const stopSweeping = repeat(sweepEveryMs, () => sweep(services), logger);
  const flush = () => services.usage.flush(services.db);
  const stopFlushing = repeat(flushEveryMs, flush, logger);
  const stopFolding = repeat(foldEveryMs, createFolder(patientDb), logger);
  return async () => {
    void stopFolding(); // one that is broken off is undone by the database, and done again by the next
    await Promise.all([stopSweeping(), stopFlushing()]);
    await flush().catch((error: unknown) =>
      logger.warn({ err: error }, 'the last uses of keys were not written'),
    );
  };
}
