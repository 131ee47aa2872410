import { isDummySecret } from './dummy-secrets.ts';
import { isLoopbackHost, networks } from './values.ts';

export const demoPortals = new Map([
  ['demo-partner', 'PARTNER'],
  ['demo-institution', 'INSTITUTION'],
] as const);

/** A receiver on the developer's own machine. */
export const demoNetworks = networks('127.0.0.0/8,::1/128');

type Telling = {
  DATABASE_URL: string | undefined;
  HOST: string;
  NODE_ENV: string;
  PORTICO_PUBLIC_URL: string | undefined;
  PORTICO_TRUSTED_PROXIES: readonly object[];
  PORTICO_TURNSTILE_SECRET: string | undefined;
};

/** The settings that speak of production: whoever sets one does not mean a world with published passwords. */
export function demoEnds(given: Telling): string[] {
  const publicUrl = new URL(given.PORTICO_PUBLIC_URL ?? 'http://localhost');
  const secret = given.PORTICO_TURNSTILE_SECRET;
  const signs: [keyof Telling, boolean][] = [
    ['DATABASE_URL', given.DATABASE_URL !== undefined],
    ['HOST', !isLoopbackHost(given.HOST)],
    ['NODE_ENV', given.NODE_ENV === 'production'],
    ['PORTICO_PUBLIC_URL', publicUrl.protocol === 'https:' || !isLoopbackHost(publicUrl.hostname)],
    ['PORTICO_TRUSTED_PROXIES', given.PORTICO_TRUSTED_PROXIES.length > 0],
    ['PORTICO_TURNSTILE_SECRET', secret !== undefined && !isDummySecret(secret)],
  ];
  return signs.filter(([, isGiven]) => isGiven).map(([name]) => name);
}
