import type { Config } from '../config.ts';
import { isDummySecret } from './dummy-secrets.ts';

type Check = (config: Config) => string | false | undefined;

/** What cannot work anywhere. */
const always: Check[] = [
  ({ defaultPortal, portals }) =>
    defaultPortal !== undefined &&
    !portals.has(defaultPortal) &&
    'PORTICO_DEFAULT_PORTAL: must be an access code that PORTICO_PORTALS lists',
  ({ databaseUrl, masterKey }) =>
    databaseUrl !== undefined &&
    masterKey === undefined &&
    'PORTICO_MASTER_KEY: must be set when DATABASE_URL is (base64 of 32 random bytes)',
];

/** What cannot be safe outside the demo. */
const inProduction: Check[] = [
  ({ turnstileSecret }) =>
    turnstileSecret === undefined &&
    'PORTICO_TURNSTILE_SECRET: must be set outside the demo (set PORTICO_DEMO=1 for the demo; a HOST beyond loopback, a DATABASE_URL or NODE_ENV=production end it)',
  ({ turnstileSecret = '' }) =>
    isDummySecret(turnstileSecret) &&
    'PORTICO_TURNSTILE_SECRET: is a dummy secret, which is refused outside the demo',
  ({ jwtIssuers }) =>
    jwtIssuers.some(({ jwksUri }) => new URL(jwksUri).protocol === 'http:') &&
    'PORTICO_JWT_ISSUERS: each jwksUri must be https outside the demo',
  ({ databaseUrl }) =>
    databaseUrl === undefined &&
    process.getuid?.() === 0 &&
    'DATABASE_URL: must be set when running as root outside the demo; the embedded database is refused there',
];

/** Why the service must not be started as it is configured, in one line; undefined when it may. */
export function refusalOf(config: Config): string | undefined {
  for (const check of config.isDemo ? always : [...always, ...inProduction]) {
    const refusal = check(config);
    if (refusal) return refusal;
  }
  return undefined;
}
