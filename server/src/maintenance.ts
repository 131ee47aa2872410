import type { FastifyBaseLogger } from 'fastify';
import { sweepNonces } from './auth/nonces.ts';
import { sweepPasses } from './auth/passes.ts';
import type { Services } from './auth/services.ts';
import { sweepSignIns } from './resources/accounts/refresh-tokens.ts';

const everyMs = 60_000;

async function sweep({ db, now }: Services): Promise<void> {
  while (await sweepNonces(db, now()));
  await sweepPasses(db, now());
  await sweepSignIns(db, now());
}

/** Deletes what has expired, now and then, in every instance. Returns how to stop it. */
export function startMaintenance(services: Services, logger: FastifyBaseLogger): () => Promise<void> {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = sweep(services).catch((error: unknown) =>
      logger.warn({ err: error }, 'maintenance failed; it is tried again'),
    );
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
