import type { Config } from '../config.ts';
import { createPeers } from '../contract/peer.ts';
import type { Database, Transactor } from '../db/database.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createKeyUsage } from './key-usage.ts';
import { createLimits, memoryBuckets } from './limits.ts';
import { createNonces } from './nonces.ts';
import { openOutsideIssuers } from './outside-issuers.ts';
import { databasePasses } from './passes.ts';
import { createPasswords } from './passwords.ts';
import { openRedisStores, type RedisStores } from './redis-stores.ts';
import { resealSecrets } from './reseal.ts';
import type { Services } from './services.ts';
import { openSigningKeys } from './signing-keys.ts';
import { createSiteverify } from './siteverify.ts';
import { createTurnstile } from './turnstile.ts';
import { createVault } from './vault.ts';

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
  masterKey: Buffer;
  now(): number;
}) {
  const { config, db, background = db, masterKey, now } = options;
  const stores =
    config.redisUrl === undefined ? localStores(db, now) : await openRedisStores(config.redisUrl, now);
  const vault = createVault(masterKey, config.masterKeysPrevious);
  await resealSecrets(background, vault);
  const keys = await openSigningKeys(db, vault, background);
  const issuer = `${config.publicUrl}${config.basePath}`;
  const limits = createLimits(config.limits, stores.buckets);
  const services: Services = {
    config,
    db,
    now,
    peers: createPeers(config.trustedProxies),
    vault,
    tokens: createAccessTokens(keys, openOutsideIssuers(config.jwtIssuers, now), issuer, now),
    turnstile: createTurnstile(createSiteverify(config, now), stores.passes, limits, now),
    limits,
    passwords: createPasswords(),
    nonces: createNonces(db),
    usage: createKeyUsage(),
    signedRoutes: [],
  };
  return { services, stores };
}
