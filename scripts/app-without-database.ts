import { randomBytes } from 'node:crypto';
import { type AppOptions, buildApp } from '../server/src/app.ts';
import { createVault } from '../server/src/auth/secrets/vault.ts';
import type { Services } from '../server/src/auth/services.ts';
import { loadConfig } from '../server/src/config.ts';
import { createPeers } from '../server/src/contract/peer.ts';
import { createPreparation } from '../server/src/db/sql.ts';
import { noDeliveries } from '../server/src/delivery/deliverer.ts';
import { noMails } from '../server/src/mail/delivery.ts';
import { noRequests } from '../server/src/requests/request-log.ts';

/** What the routes are built from. Describing them calls nothing, so nothing else has to be there, not even a database. */
const createServices = () =>
  ({
    config: loadConfig({}),
    peers: createPeers([]),
    vault: createVault(randomBytes(32)),
    now: Date.now,
    db: createPreparation(),
    signedRoutes: [],
  }) as unknown as Services; // the rest is only ever used by a request, and there will be none

const quiet = () => {};
const logger: AppOptions['logger'] = {
  level: 'silent',
  silent: quiet,
  fatal: quiet,
  error: quiet,
  warn: quiet,
  info: quiet,
  debug: quiet,
  trace: quiet,
  child: () => logger,
};

/** The app, for those who ask it about itself. */
export const buildAppWithoutDatabase = () =>
  buildApp({
    services: createServices(),
    readiness: {
      isDraining: () => false,
      stores: { check: async () => {}, watch: () => {} },
      tasks: () => [],
      deltasWaiting: async () => 0,
      unsealedSeconds: async () => 0,
      mailsWaiting: async () => ({ count: 0, oldestSeconds: 0 }),
      mailOutcomes: noMails,
      deliveriesWaiting: async () => ({ count: 0, oldestSeconds: 0 }),
      deliveryOutcomes: noDeliveries,
      requestsWaiting: () => 0,
      requestOutcomes: noRequests,
      databases: [],
    },
    logger,
  });
