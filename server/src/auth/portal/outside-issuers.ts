import { type CryptoKey, createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { OutsideIssuer } from '../../config/values.ts';
import { restrained } from '../../limits/restrained.ts';
import { askService, NoAnswer } from '../../outbound/outbound.ts';
import { isSoundKey } from './sound-keys.ts';

/** Asymmetric algorithms alone: a shared secret with an outside issuer could sign for it. */
export const algorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519'];
const patience = { timeoutMs: 2000, bytesMax: 1024 * 1024 };
const freshMs = 600_000;
const cooldownMs = 5000;
/** How long the last keys seen still serve while their issuer is down. */
const staleMs = 3_600_000;

type Provider = {
  issuer: string;
  accountClaim: string;
  key: JWTVerifyGetKey;
  expectations: { issuer: string; audience: string; algorithms: string[] };
};

export type OutsideKeys = { find(issuer: string): Provider | undefined };

/** None of the keys of an issuer is known, as it has not answered for long. */
export class KeysAway extends errors.JWKSNoMatchingKey {}

type KeySet = (...token: Parameters<JWTVerifyGetKey>) => Promise<CryptoKey>;

async function fetchKeys(jwksUri: string): Promise<KeySet> {
  const { status, text } = await askService(jwksUri, { headers: { accept: 'application/json' } }, patience);
  if (status !== 200) throw new NoAnswer(`status ${status}`);
  return createLocalJWKSet(JSON.parse(text));
}

/** Keys are fetched when an unknown one appears or the last answer has aged; an issuer that is down is bridged. */
export function bridgedKeys(jwksUri: string, now: () => number): JWTVerifyGetKey {
  let known: { find: KeySet; atMs: number } | undefined;
  const isWithin = (ms: number) => known !== undefined && now() - known.atMs <= ms;
  const refetch = restrained(cooldownMs, now, async () => {
    known = { find: await fetchKeys(jwksUri), atMs: now() };
  });
  /** Whether or not the issuer answered, what is known then decides. */
  const refresh = () => refetch().catch(() => {});
  const find: KeySet = async (header, token) => {
    if (known === undefined || !isWithin(staleMs)) throw new KeysAway();
    try {
      const key = await known.find(header, token);
      if (!isSoundKey(key)) throw new errors.JWKSInvalid('a key that anyone could sign for');
      return key;
    } catch (error) {
      // A key that cannot be imported is told by the platform, in its own class of errors.
      throw error instanceof errors.JOSEError
        ? error
        : new errors.JWKSInvalid('unreadable key', { cause: error });
    }
  };
  return async (header, token) => {
    if (!isWithin(freshMs)) await refresh();
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh();
      return find(header, token);
    }
  };
}

export function openOutsideIssuers(issuers: readonly OutsideIssuer[], now: () => number): OutsideKeys {
  const providers = new Map(
    issuers.map(({ issuer, jwksUri, audience, accountClaim }) => [
      issuer,
      {
        issuer,
        accountClaim,
        key: bridgedKeys(jwksUri, now),
        expectations: { issuer, audience, algorithms },
      },
    ]),
  );
  return { find: (issuer) => providers.get(issuer) };
}
