import { isDummySecret, isDummySiteKey } from './dummy-secrets.ts';
import { isExposed, type issuers, type networks, type portals } from './values.ts';

/** What is looked at of the configuration. */
type Checked = {
  isDemo: boolean;
  demoEndedBy: readonly string[];
  databaseUrl: string | undefined;
  masterKey: Uint8Array | undefined;
  publicUrl: string;
  hasPublicUrl: boolean;
  trustedProxies: ReturnType<typeof networks>;
  portals: ReturnType<typeof portals>;
  defaultPortal: string | undefined;
  jwtIssuers: ReturnType<typeof issuers>;
  turnstileSecret: string | undefined;
  turnstileSiteKey: string | undefined;
  turnstileVerifyUrl: string | undefined;
  smtp: object | undefined;
  mailFrom: object | undefined;
  smsUrl: string | undefined;
};

type Check = (config: Checked) => string | false | undefined;

export const masterKeyMissing =
  'PORTICO_MASTER_KEY: must be set when DATABASE_URL is (base64 of 32 random bytes)';

/** Outside the demo. */
export function publicUrlRefusal({
  hasPublicUrl,
  publicUrl,
}: Pick<Checked, 'hasPublicUrl' | 'publicUrl'>): string | undefined {
  if (!hasPublicUrl)
    return 'PORTICO_PUBLIC_URL: must be set outside the demo, the same for every instance, as tokens of one are for all';
  return isExposed(publicUrl)
    ? 'PORTICO_PUBLIC_URL: must be https outside the demo, unless its host is loopback'
    : undefined;
}

/** What cannot work anywhere. */
const always: Check[] = [
  ({ defaultPortal, portals }) =>
    defaultPortal !== undefined &&
    !portals.has(defaultPortal) &&
    'PORTICO_DEFAULT_PORTAL: must be an access code that PORTICO_PORTALS lists',
  ({ databaseUrl, masterKey }) => databaseUrl !== undefined && masterKey === undefined && masterKeyMissing,
  ({ smtp, mailFrom }) =>
    smtp !== undefined && mailFrom === undefined && 'PORTICO_MAIL_FROM: must be set when PORTICO_SMTP_URL is',
];

/** The widest that anyone owns: 10.0.0.0/8 and fc00::/7. Two halves of all addresses are as wide as all of them. */
const prefixMin = { ipv4: 8, ipv6: 7 };
/** So few different bytes in 32 were typed or repeated, not drawn: at random it is one in 10^37. */
const keyBytesMin = 8;

/** What cannot be safe outside the demo. */
const inProduction: Check[] = [
  ({ turnstileSecret }) =>
    turnstileSecret === undefined && 'PORTICO_TURNSTILE_SECRET: must be set outside the demo',
  ({ turnstileSecret = '' }) =>
    isDummySecret(turnstileSecret) &&
    'PORTICO_TURNSTILE_SECRET: is a dummy secret, which is refused outside the demo',
  ({ turnstileSiteKey }) =>
    turnstileSiteKey === undefined &&
    'PORTICO_TURNSTILE_SITE_KEY: must be set beside PORTICO_TURNSTILE_SECRET, or nobody can sign in',
  ({ turnstileSiteKey = '' }) =>
    isDummySiteKey(turnstileSiteKey) &&
    'PORTICO_TURNSTILE_SITE_KEY: is a dummy key, which no real secret answers',
  ({ turnstileVerifyUrl }) =>
    turnstileVerifyUrl !== undefined &&
    isExposed(turnstileVerifyUrl) &&
    'PORTICO_TURNSTILE_VERIFY_URL: must be https outside the demo, as the secret is sent there',
  ({ smsUrl }) =>
    smsUrl !== undefined &&
    isExposed(smsUrl) &&
    'PORTICO_SMS_URL: must be https outside the demo, unless its host is loopback',
  publicUrlRefusal,
  ({ trustedProxies }) =>
    trustedProxies.some(({ family, prefix }) => prefix < prefixMin[family]) &&
    `PORTICO_TRUSTED_PROXIES: must name your proxies and not everyone: at least /${prefixMin.ipv4} of IPv4 and /${prefixMin.ipv6} of IPv6`,
  ({ masterKey }) =>
    masterKey !== undefined &&
    new Set(masterKey).size < keyBytesMin &&
    'PORTICO_MASTER_KEY: must be random (openssl rand -base64 32); one in use goes into PORTICO_MASTER_KEY_PREVIOUS',
  ({ jwtIssuers }) =>
    jwtIssuers.some(({ jwksUri }) => new URL(jwksUri).protocol === 'http:') &&
    'PORTICO_JWT_ISSUERS: each jwksUri must be https outside the demo',
  ({ databaseUrl }) =>
    databaseUrl === undefined &&
    process.getuid?.() === 0 &&
    'DATABASE_URL: must be set when running as root outside the demo; the embedded database is refused there',
];

/** Says why this is production, to someone who may have meant the demo. */
export function refusedInProduction(refusal: string, { demoEndedBy }: Pick<Checked, 'demoEndedBy'>): string {
  if (demoEndedBy.length === 0) return refusal;
  const verb = demoEndedBy.length === 1 ? 'ends' : 'end';
  return `${refusal} (${demoEndedBy.join(', ')} ${verb} the default demo; PORTICO_DEMO=1 asks for it)`;
}

/** Why the service must not be started as it is configured, in one line; undefined when it may. */
export function refusalOf(config: Checked): string | undefined {
  const first = (checks: Check[]) => checks.map((check) => check(config)).find((refusal) => refusal);
  const refusal = first(always);
  if (refusal || config.isDemo) return refusal || undefined;
  const dangerous = first(inProduction);
  return dangerous ? refusedInProduction(dangerous, config) : undefined;
}
