import type { Config } from '../config.ts';
import { createPeers } from '../contract/peer.ts';
import type { Database, Transactor } from '../db/database.ts';
import { createLimits, memoryBuckets } from '../limits/limits.ts';
import { createMail } from '../mail/mail.ts';
import { createRequestLog } from '../requests/request-log.ts';
import { type FileServices, openFiles } from './file-services.ts';
import { createAccessTokens } from './portal/access-tokens.ts';
import { createCheckpointSigner } from './portal/checkpoint-signature.ts';
import { createFailedSignIns } from './portal/failed-sign-ins.ts';
import { issuerOf } from './portal/issuers-in-use.ts';
import { openOutsideIssuers } from './portal/outside-issuers.ts';
import { databasePasses } from './portal/passes.ts';
import { createPasswords, type Passwords } from './portal/passwords.ts';
import { createSightings } from './portal/sightings.ts';
import { openSigningKeys } from './portal/signing-keys.ts';
import { createSiteverify } from './portal/siteverify.ts';
import { createTurnstile } from './portal/turnstile.ts';
import { openRedisStores, type RedisStores } from './redis-stores.ts';
import { resealSecrets } from './secrets/reseal.ts';
import { createVault } from './secrets/vault.ts';
import type { Services } from './services.ts';
import { createKeyUsage } from './signed/key-usage.ts';
import { createNonces } from './signed/nonces.ts';

type Stores = RedisStores;

function localStores(db: Database, now: () => number): Stores {
  return {
    passes: databasePasses(db),
    buckets: memoryBuckets(now),
    check: async () => {},
    watch: () => {},
    close: async () => {},
  };
}

/** Everything the resources are given, from the configuration and an open, migrated database. */
export async function openServices(options: {
  config: Config;
  db: Database;
  /** For what is done once, at start, and may wait for other instances that start. */
  background?: Transactor;
  files?: FileServices;
  passwords?: Passwords;
  masterKey: Buffer;
  now(): number;
}) {
  const { config, db, background = db, masterKey, now } = options;
  const stores =
    config.redisUrl === undefined ? localStores(db, now) : await openRedisStores(config.redisUrl, now);
  const vault = createVault(masterKey, config.masterKeysPrevious);
  await resealSecrets(background, vault);
  const keys = await openSigningKeys(db, vault, background);
  const issuer = issuerOf(config);
  const limits = createLimits(config.limits, stores.buckets);
  const services: Services = {
    config,
    db,
    now,
    peers: createPeers(config.trustedProxies),
    vault,
    mail: createMail(config, vault),
    files: options.files ?? openFiles(config),
    tokens: createAccessTokens(keys, openOutsideIssuers(config.jwtIssuers, now), issuer, now),
    signCheckpoint: createCheckpointSigner(keys),
    turnstile: createTurnstile(createSiteverify(config, now), stores.passes, limits, now),
    limits,
    passwords: options.passwords ?? createPasswords(),
    failedSignIns: createFailedSignIns(db, now),
    refusedCodes: createFailedSignIns(db, now, 'account.second-factor-refused'),
    sightings: createSightings(),
    nonces: createNonces(db),
    usage: createKeyUsage(),
    requestLog: createRequestLog(),
    signedRoutes: [],
  };
  return { services, stores };
}
