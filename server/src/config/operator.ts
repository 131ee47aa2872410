import { ConfigError, type Environment, read } from '../config.ts';
import { masterKeyMissing, publicUrlRefusal, refusedInProduction } from './checks.ts';
import { demoEnds } from './demo.ts';
import { localOrigin } from './values.ts';

// For commands beside the server: each is told of what it needs, and of nothing else.

/** Where the data are. */
export function loadDatabaseConfig(environment: Environment) {
  const given = read(environment, ['DATABASE_URL', 'PORTICO_HOME']);
  return { databaseUrl: given.DATABASE_URL, home: given.PORTICO_HOME };
}

/** Where links lead to. Outside the demo that is never guessed. */
export function loadLinkConfig(environment: Environment) {
  const given = read(environment, [
    'DATABASE_URL',
    'HOST',
    'NODE_ENV',
    'PORT',
    'PORTICO_BASE_PATH',
    'PORTICO_DEMO',
    'PORTICO_PUBLIC_URL',
    'PORTICO_TRUSTED_PROXIES',
    'PORTICO_TURNSTILE_SECRET',
  ]);
  const { HOST, PORT, PORTICO_DEMO, PORTICO_PUBLIC_URL, PORTICO_BASE_PATH: basePath } = given;
  const demoEndedBy = PORTICO_DEMO === undefined ? demoEnds(given) : [];
  const isDemo = PORTICO_DEMO ?? demoEndedBy.length === 0;
  const publicUrl = PORTICO_PUBLIC_URL ?? localOrigin(HOST, PORT);
  const refusal = publicUrlRefusal({ hasPublicUrl: PORTICO_PUBLIC_URL !== undefined, publicUrl });
  if (!isDemo && refusal !== undefined) throw new ConfigError(refusedInProduction(refusal, { demoEndedBy }));
  return { publicUrl, basePath };
}

/** What secrets are sealed with. */
export function loadSealingConfig(environment: Environment) {
  const given = read(environment, [
    'DATABASE_URL',
    'PORTICO_HOME',
    'PORTICO_MASTER_KEY',
    'PORTICO_MASTER_KEY_PREVIOUS',
  ]);
  const { DATABASE_URL, PORTICO_HOME: home, PORTICO_MASTER_KEY: masterKey } = given;
  if (DATABASE_URL !== undefined && masterKey === undefined) throw new ConfigError(masterKeyMissing);
  return { home, masterKey, masterKeysPrevious: given.PORTICO_MASTER_KEY_PREVIOUS };
}

/** Who takes mails, if anyone does. */
export function loadMailConfig(environment: Environment) {
  return { smtp: read(environment, ['PORTICO_SMTP_URL']).PORTICO_SMTP_URL };
}
