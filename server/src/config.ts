import { join, resolve } from 'node:path';
import { databaseUrl, host, redisUrl } from './config/address-values.ts';
import { refusalOf } from './config/checks.ts';
import { databaseVariables } from './config/database-variables.ts';
import { demoEnds, demoNetworks, demoPortals } from './config/demo.ts';
import { dummySecrets } from './config/dummy-secrets.ts';
import { mailbox, smtpServer } from './config/mail-values.ts';
import { outboundVariables } from './config/outbound-variables.ts';
import { storageVariables } from './config/storage-variables.ts';
import {
  basePath,
  count,
  flag,
  issuers,
  key32,
  limit,
  list,
  localOrigin,
  networks,
  oneOf,
  openIdConnect,
  optional,
  origin,
  port,
  portals,
  text,
  token,
  url,
  type Variable,
  variable,
} from './config/values.ts';

export class ConfigError extends Error {}

/** The environment, all of it. An empty string is the same as an absent variable. */
export const variables = {
  HOST: variable(host, '127.0.0.1', 'Address to listen on.'),
  PORT: variable(port, '8080', 'TCP port to listen on; 0 takes a free one.'),
  NODE_ENV: variable(text, '', 'With `production`, the demo world is never the default.'),
  PORTICO_HOME: variable(
    (value) => resolve(value),
    '.portico',
    'Directory of the embedded database, of generated keys and of files.',
  ),
  DATABASE_URL: variable(
    optional(databaseUrl),
    '',
    'PostgreSQL 15 or newer. Unset: an embedded PostgreSQL below `PORTICO_HOME`.',
  ),
  REDIS_URL: variable(
    optional(redisUrl),
    '',
    'Redis or Valkey for Turnstile passes and rate limits. Unset: passes in PostgreSQL, and rate limits per instance in memory.',
  ),
  PORTICO_DEMO: variable(
    optional(flag),
    '',
    '`1` loads the demo world, `0` is production. Unset: 1, unless something speaks of production: `DATABASE_URL`, a `HOST` beyond loopback, `NODE_ENV=production`, a `PORTICO_PUBLIC_URL` that is https or beyond loopback, `PORTICO_TRUSTED_PROXIES` or a Turnstile secret that is no dummy.',
  ),
  PORTICO_BASE_PATH: variable(basePath, '', 'Path that stands before every route but the probes.'),
  PORTICO_PUBLIC_URL: variable(
    optional(origin),
    '',
    'Origin that browsers use, the same for every instance. Unset, in the demo alone: `http://HOST:PORT`.',
  ),
  PORTICO_TRUSTED_PROXIES: variable(
    networks,
    '',
    'Comma-separated addresses or CIDR blocks. Only these peers may set `X-Forwarded-For`, `X-PORTAL-ACCESS-CODE` and `X-Request-Id`.',
  ),
  PORTICO_PORTALS: variable(
    optional(portals),
    '',
    'JSON object that maps each access code to `PARTNER`, `INSTITUTION` or `ADMIN`. Demo: `{"demo-partner":"PARTNER","demo-institution":"INSTITUTION"}`.',
  ),
  PORTICO_DEFAULT_PORTAL: variable(
    optional(text),
    '',
    'Access code of requests to which no trusted proxy gave one. Demo: `demo-partner`.',
  ),
  PORTICO_MASTER_KEY: variable(
    optional(key32),
    '',
    'Base64 of 32 bytes that encrypt secrets at rest. Unset with the embedded database: generated into `PORTICO_HOME`.',
  ),
  PORTICO_MASTER_KEY_PREVIOUS: variable(
    (value) => list(value).map(key32),
    '',
    'Comma-separated former master keys. What they sealed is sealed anew under `PORTICO_MASTER_KEY` at start.',
  ),
  PORTICO_JWT_ISSUERS: variable(
    issuers,
    '[]',
    'JSON array of `{issuer, jwksUri, audience, accountClaim}`: identity providers beside the built-in one.',
  ),
  PORTICO_OIDC: variable(
    optional(openIdConnect),
    '',
    'JSON object `{issuer, clientId, clientSecret, label}`: the OpenID Connect provider at which people may sign in, and what the sign-in page calls it. Plain http on loopback alone.',
  ),
  PORTICO_TURNSTILE_SECRET: variable(
    optional(text),
    '',
    'Cloudflare Turnstile secret. Demo: the dummy secret that always passes.',
  ),
  PORTICO_TURNSTILE_VERIFY_URL: variable(
    optional(url('https:', 'http:')),
    '',
    'Address of siteverify. When set it is always asked, also with a dummy secret.',
  ),
  PORTICO_TURNSTILE_SITE_KEY: variable(
    optional(text),
    '',
    'Turnstile site key for the sign-in page. Demo: the dummy key that always passes.',
  ),
  PORTICO_TURNSTILE_HOSTNAMES: variable(
    list,
    '',
    'Comma-separated hostnames a verification may come from. Unset: that of `PORTICO_PUBLIC_URL`.',
  ),
  PORTICO_SMTP_URL: variable(
    optional(smtpServer),
    '',
    'Mail server, `smtp://` or `smtps://`. Unset: no mails.',
  ),
  PORTICO_MAIL_FROM: variable(
    optional(mailbox),
    '',
    'Who mails are from: an address, with or without a name.',
  ),
  ...outboundVariables,
  PORTICO_LIMIT_LIVE: variable(limit, '100/200', 'Requests a second and burst of a LIVE key, or `off`.'),
  PORTICO_LIMIT_TEST: variable(limit, '25/50', 'Requests a second and burst of a TEST key, or `off`.'),
  PORTICO_LIMIT_PORTAL: variable(
    limit,
    '200/400',
    'Requests a second and burst of a portal account, or `off`.',
  ),
  PORTICO_LIMIT_SIGN_IN: variable(
    limit,
    '5/5',
    'Failed sign-ins a minute and burst, by account and address, or `off`, which lifts the fixed limits of failed sign-ins of an address (30) and of an account (20), of renewals, of changes of the own account, of failed challenges, of OpenID Connect and of sign-ins of devices too.',
  ),
  PORTICO_LIMIT_BAD_SIGNATURE: variable(
    limit,
    '30/30',
    'Refused signed requests (wrong signature, status, address or scope) a minute and burst, by key and address, or `off`.',
  ),
  PORTICO_SIGN_IN_DAYS: variable(
    count(1, 365),
    '30',
    'Days after which a sign-in ends, however often it is renewed.',
  ),
  PORTICO_REQUEST_LOG_DAYS: variable(
    count(0, 365),
    '30',
    'Days (UTC) before today of which signed requests are kept; `0`: none are written down.',
  ),
  ...storageVariables,
  ...databaseVariables,
  PORTICO_METRICS_TOKEN: variable(
    optional(token),
    '',
    'Bearer token that `/metrics` asks for. Unset: it is open to clients on this machine alone.',
  ),
  PORTICO_DRAIN_MS: variable(
    count(0, 600_000),
    '300',
    'How long a service that stops still takes connections while `/readyz` is 503, and then how long it serves kept ones; behind a proxy more than the proxy keeps idle ones.',
  ),
  PORTICO_STOP_MS: variable(
    count(0, 600_000),
    '8000',
    'What is not answered by then is cut off, so that the service stops within two drains and this.',
  ),
  PORTICO_LOG_LEVEL: variable(
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    'info',
    'Least level that is logged.',
  ),
} as const;

type Name = keyof typeof variables;
type Values = { [Key in Name]: ReturnType<(typeof variables)[Key]['read']> };

export type Environment = Readonly<Record<string, string | undefined>>;

/** Some of them, where nothing else needs to be configured. */
export function read<Key extends Name>(environment: Environment, names: readonly Key[]): Pick<Values, Key> {
  const entries = names.map((name) => {
    const { read: parse, fallback }: Variable<unknown> = variables[name];
    try {
      return [name, parse(environment[name] || fallback)];
    } catch (error) {
      throw new ConfigError(`${name}: ${error instanceof Error ? error.message : 'is invalid'}`);
    }
  });
  return Object.fromEntries(entries) as Pick<Values, Key>; // one entry for each name, read by its own reader
}

/** Everything the service is told, with the defaults that depend on one another filled in. */
export function loadConfig(environment: Environment) {
  const given = read(environment, Object.keys(variables) as Name[]); // a constant has no other keys
  const demoEndedBy = given.PORTICO_DEMO === undefined ? demoEnds(given) : [];
  const isDemo = given.PORTICO_DEMO ?? demoEndedBy.length === 0;
  const publicUrl = given.PORTICO_PUBLIC_URL ?? localOrigin(given.HOST, given.PORT);
  const config = {
    host: given.HOST,
    port: given.PORT,
    home: given.PORTICO_HOME,
    databaseUrl: given.DATABASE_URL,
    redisUrl: given.REDIS_URL,
    isDemo,
    /** Settings that made this production without PORTICO_DEMO=0. */
    demoEndedBy,
    basePath: given.PORTICO_BASE_PATH,
    publicUrl,
    hasPublicUrl: given.PORTICO_PUBLIC_URL !== undefined,
    /** Browsers reach the service over https, whoever ends it. */
    isHttps: publicUrl.startsWith('https:'),
    trustedProxies: given.PORTICO_TRUSTED_PROXIES,
    portals: given.PORTICO_PORTALS ?? (isDemo ? demoPortals : new Map()),
    defaultPortal:
      given.PORTICO_DEFAULT_PORTAL ??
      (isDemo && given.PORTICO_PORTALS === undefined ? 'demo-partner' : undefined),
    masterKey: given.PORTICO_MASTER_KEY,
    masterKeysPrevious: given.PORTICO_MASTER_KEY_PREVIOUS,
    jwtIssuers: given.PORTICO_JWT_ISSUERS,
    openIdConnect: given.PORTICO_OIDC,
    turnstileSecret: given.PORTICO_TURNSTILE_SECRET ?? (isDemo ? dummySecrets.passes : undefined),
    turnstileVerifyUrl: given.PORTICO_TURNSTILE_VERIFY_URL,
    turnstileSiteKey: given.PORTICO_TURNSTILE_SITE_KEY ?? (isDemo ? '1x00000000000000000000AA' : undefined),
    turnstileHostnames:
      given.PORTICO_TURNSTILE_HOSTNAMES.length > 0
        ? given.PORTICO_TURNSTILE_HOSTNAMES
        : [new URL(publicUrl).hostname],
    smtp: given.PORTICO_SMTP_URL,
    mailFrom: given.PORTICO_MAIL_FROM,
    outboundAllow: given.PORTICO_OUTBOUND_ALLOW ?? (isDemo ? demoNetworks : []),
    smsUrl: given.PORTICO_SMS_URL,
    limits: {
      live: given.PORTICO_LIMIT_LIVE,
      test: given.PORTICO_LIMIT_TEST,
      portal: given.PORTICO_LIMIT_PORTAL,
      signIn: given.PORTICO_LIMIT_SIGN_IN,
      badSignature: given.PORTICO_LIMIT_BAD_SIGNATURE,
    },
    signInSeconds: given.PORTICO_SIGN_IN_DAYS * 86_400,
    requestLogDays: given.PORTICO_REQUEST_LOG_DAYS,
    files: {
      folder: join(given.PORTICO_HOME, 'files'),
      uploadMax: given.PORTICO_UPLOAD_MAX,
      openUploadMax: given.PORTICO_OPEN_UPLOAD_MAX,
      quota: given.PORTICO_STORAGE_QUOTA,
      s3: given.PORTICO_S3,
      clamd: given.PORTICO_CLAMD,
    },
    database: {
      poolMax: given.PORTICO_DB_POOL,
      readersMax: given.PORTICO_DB_READERS,
      slowMax: given.PORTICO_DB_SLOW,
      connectMs: given.PORTICO_DB_CONNECT_MS,
      queryMs: given.PORTICO_DB_QUERY_MS,
      slowMs: given.PORTICO_DB_SLOW_MS,
    },
    metricsToken: given.PORTICO_METRICS_TOKEN,
    drainMs: given.PORTICO_DRAIN_MS,
    stopMs: given.PORTICO_STOP_MS,
    logLevel: given.PORTICO_LOG_LEVEL,
  };
  const refusal = refusalOf(config);
  if (refusal !== undefined) throw new ConfigError(refusal);
  return config;
}

export type Config = ReturnType<typeof loadConfig>;

/** Names that look like ours but are not: most likely a misspelling. */
export function unknownVariables(environment: Environment): string[] {
  return Object.keys(environment).filter(
    (name) => name.startsWith('PORTICO_') && !Object.hasOwn(variables, name),
  );
}
